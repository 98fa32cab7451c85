//! What a memory of calls promises.

use repertoire::{
    durable::DurableStore,
    once::{Begun, MemoryOnce, OnceStore},
};

use super::support::*;

/// What every memory of calls promises.
async fn remembers(store: &impl OnceStore) {
    assert_eq!(store.begin("a", 0, 100).await.unwrap(), Begun::New);
    assert_eq!(store.begin("a", 1, 101).await.unwrap(), Begun::Unfinished);
    store.finish("a", &"paid".into()).await.unwrap();
    let done = Begun::Done("paid".into());
    assert_eq!(store.begin("a", 99, 199).await.unwrap(), done);
    assert_eq!(
        store.begin("a", 100, 200).await.unwrap(),
        Begun::New,
        "its time is over"
    );
    store.forget("a").await.unwrap();
    assert_eq!(store.begin("a", 101, 200).await.unwrap(), Begun::New);
    // Nothing is known of these, which is no error.
    store.finish("unknown", &"x".into()).await.unwrap();
    store.forget("unknown").await.unwrap();
    assert_eq!(store.begin("unknown", 0, 100).await.unwrap(), Begun::New);
}

#[tokio::test]
async fn both_memories_keep_the_same_promise() {
    remembers(&MemoryOnce::new()).await;
    let folder = Folder::new("promise");
    remembers(&DurableStore::open(folder.store()).unwrap()).await;
}

#[tokio::test]
async fn calls_outlive_the_process() {
    let folder = Folder::new("outlive");
    let large = "x".repeat(1 << 20);
    {
        let store = DurableStore::open(folder.store()).unwrap();
        store.begin("intent", 0, 1_000).await.unwrap();
        store.begin("done", 0, 1_000).await.unwrap();
        store.finish("done", &"paid".into()).await.unwrap();
        // Keys hold arguments, which may be long; so may results.
        store.begin(&large, 0, 1_000).await.unwrap();
        store.finish(&large, &large.as_str().into()).await.unwrap();
    }
    let store = DurableStore::open(folder.store()).unwrap();
    assert_eq!(
        store.begin("intent", 999, 2_000).await.unwrap(),
        Begun::Unfinished
    );
    assert_eq!(
        store.begin("done", 999, 2_000).await.unwrap(),
        Begun::Done("paid".into())
    );
    assert_eq!(
        store.begin(&large, 999, 2_000).await.unwrap(),
        Begun::Done(large.as_str().into())
    );
    assert_eq!(
        store.begin("intent", 1_000, 2_000).await.unwrap(),
        Begun::New
    );
}

#[tokio::test]
async fn the_memory_is_bounded_and_forgets_no_intent() {
    let folder = Folder::new("bounded");
    let store = DurableStore::open_with_limit(folder.store(), 2).unwrap();
    assert_eq!(store.begin("intent", 0, 50).await.unwrap(), Begun::New);
    for (key, until) in [("a", 100), ("b", 101), ("c", 102)] {
        store.begin(key, 0, until).await.unwrap();
        store.finish(key, &"x".into()).await.unwrap();
    }
    assert_eq!(
        store.begin("intent", 0, 100).await.unwrap(),
        Begun::Unfinished
    );
    assert_eq!(
        store.begin("c", 0, 100).await.unwrap(),
        Begun::Done("x".into())
    );
    assert_eq!(
        store.begin("b", 0, 100).await.unwrap(),
        Begun::Done("x".into())
    );
    assert_eq!(store.begin("a", 0, 100).await.unwrap(), Begun::New);
}

#[tokio::test]
async fn of_many_at_once_one_alone_runs() {
    let folder = Folder::new("many");
    let store = DurableStore::open(folder.store()).unwrap();
    let tasks: Vec<_> = (0..300)
        .map(|n| {
            let store = store.clone();
            let key = format!("key {}", n % 3);
            tokio::spawn(async move { store.begin(&key, 0, 100).await.unwrap() })
        })
        .collect();
    let mut new = 0;
    for task in tasks {
        new += usize::from(task.await.unwrap() == Begun::New);
    }
    assert_eq!(new, 3);
}
