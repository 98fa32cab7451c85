//! Agents of two processes with one memory.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::SystemTime,
};

use repertoire::{
    Agent, Anthropic, Conversation, Toolset,
    conversation::Item,
    durable::DurableStore,
    once::OnceStore,
    testing::{Act, Rule, Script},
    tool::{Once, Policy},
};
use repertoire_tests::counting;
use serde_json::json;

use super::support::*;

/// A script that makes the same call in every run, and then ends.
fn paying() -> Script<Anthropic> {
    Script::new(Anthropic::new("m")).rule(Rule::new("pay", |seen| {
        if seen.calls().is_empty() {
            Act::call("pay", json!({"sku": "A"}))
        } else {
            Act::Say("done".to_owned())
        }
    }))
}

async fn pay(store: &DurableStore, count: &Arc<AtomicUsize>) -> String {
    let policy = Policy::new().once(Once::new().key(&["sku"]));
    let tool = counting("pay", "Pays.", count).policy(policy);
    let agent = Agent::builder(paying())
        .repertoire(Toolset::new().with_tool(tool))
        .once_store(store.clone())
        .store(store.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("the one");
    agent.run_in(&mut conversation, "go").await.unwrap();
    let saved = store.load("the one").unwrap().unwrap();
    assert_eq!(saved.to_json(), conversation.to_json());
    match &saved.items()[2] {
        Item::Results(results) => results[0].output().to_text(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_agent_in_another_process_does_not_pay_twice() {
    let folder = Folder::new("agent");
    let count = Arc::new(AtomicUsize::new(0));
    let first = pay(&DurableStore::open(folder.store()).unwrap(), &count).await;
    let second = pay(&DurableStore::open(folder.store()).unwrap(), &count).await;
    assert_eq!(first, second);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn after_a_crash_between_effect_and_record_the_call_may_have_run() {
    let folder = Folder::new("between");
    let count = Arc::new(AtomicUsize::new(0));
    {
        // What a process leaves that is killed then: the intent, under the key of the pipeline.
        let store = DurableStore::open(folder.store()).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = u64::try_from(now.unwrap().as_millis()).unwrap();
        store
            .begin("pay\n\"A\"\n", now, now + 60_000)
            .await
            .unwrap();
    }
    let store = DurableStore::open(folder.store()).unwrap();
    let text = pay(&store, &count).await;
    assert!(
        text.starts_with("R0009") && text.contains("may have run"),
        "{text}"
    );
    assert_eq!(count.load(Ordering::SeqCst), 0);
}
