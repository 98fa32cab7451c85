//! Conversations on disk.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use repertoire::{
    Conversation,
    conversation::{ConversationStore, FileStore},
    durable::DurableStore,
};

use super::support::*;

#[tokio::test]
async fn conversations_outlive_the_process() {
    let folder = Folder::new("conversations");
    {
        let store = DurableStore::open(folder.store()).unwrap();
        for id in ["b", "../a", ""] {
            let mut conversation = Conversation::new().with_id(id);
            conversation.push_user(format!("I am {id}"));
            store.save(&conversation).await.unwrap();
            conversation.push_user("later");
            store.save(&conversation).await.unwrap();
        }
    }
    let store = DurableStore::open(folder.store()).unwrap();
    assert_eq!(store.ids().unwrap(), ["", "../a", "b"]);
    let conversation = store.load("../a").unwrap().unwrap();
    assert_eq!(conversation.items().len(), 2);
    assert_eq!(conversation.id(), "../a");
    assert!(store.load("none").unwrap().is_none());
    assert!(store.remove("b").await.unwrap());
    assert!(!store.remove("b").await.unwrap());
    assert!(store.load("b").unwrap().is_none());
}

#[tokio::test]
async fn a_killed_writer_leaves_nothing_for_long() {
    let folder = Folder::new("leftovers");
    let old = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    let names = ["a.json.7-0.new", "b.json.8-3.new", "note.new", "c.json"];
    for name in names {
        let file = fs::File::create(folder.0.join(name)).unwrap();
        if name != "b.json.8-3.new" {
            file.set_modified(old).unwrap();
        }
    }
    let store = FileStore::new(&folder.0);
    store.save(&Conversation::new().with_id("d")).await.unwrap();
    let mut left: Vec<String> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["b.json.8-3.new", "c.json", "d.json", "note.new"],
        "only what is ours and old is removed"
    );
}

#[test]
fn many_writers_of_one_conversation_leave_it_whole() {
    let folder = Folder::new("writers");
    let inner = folder.0.join("not/there/yet");
    let threads: Vec<_> = (0..8)
        .map(|n: usize| {
            let inner = inner.clone();
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                let store = FileStore::new(&inner);
                let mut conversation = Conversation::new().with_id("shared");
                conversation.push_user("x".repeat(n * 10_000));
                for _ in 0..20 {
                    runtime.block_on(store.save(&conversation)).unwrap();
                    store.load("shared").unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
}

#[tokio::test]
async fn identifiers_stay_in_the_folder() {
    let folder = Folder::new("names");
    let store = FileStore::new(folder.0.join("inner"));
    for id in ["../up", "/etc/x", "A", "a", "\u{e9a}", "éa", "", "con", "."] {
        let mut conversation = Conversation::new().with_id(id);
        conversation.push_user(id);
        store.save(&conversation).await.unwrap();
    }
    for id in ["../up", "/etc/x", "A", "a", "\u{e9a}", "éa", "", "con", "."] {
        assert_eq!(store.load(id).unwrap().id(), id);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    assert_eq!(fs::read_dir(folder.0.join("inner")).unwrap().count(), 9);
    let long = Conversation::new().with_id("x".repeat(1_000));
    let error = store.save(&long).await.unwrap_err();
    assert!(error.to_string().contains("shorter"), "{error}");
}
