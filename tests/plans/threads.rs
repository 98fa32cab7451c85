//! Threads end.

use std::time::Duration;

use repertoire::{
    Agent, Anthropic, Conversation, Toolset,
    conversation::Item,
    testing::{Act, Rule, Script},
    tool,
};
use serde_json::json;

use super::checks::*;

/// The names of this process's threads.
fn tool_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.flatten().filter_map(|task| {
        let name = std::fs::read_to_string(task.path().join("comm"));
        name.ok()
    });
    names.filter(|name| name.trim() == "tool").count()
}

/// Block for a while.
#[tool(blocking, read_only)]
fn block(
    /// For how many milliseconds; 0 panics.
    millis: u64,
) -> u64 {
    assert!(millis > 0, "no time");
    std::thread::sleep(Duration::from_millis(millis));
    millis
}

/// Blocking calls run on threads of their own, and those end, whether somebody still waits or not.
#[tokio::test]
async fn no_thread_is_left_behind() {
    let calls: Vec<_> = (0..40)
        .map(|n| ("block".to_owned(), json!({"millis": n * 5})))
        .collect();
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("call", move |seen| {
        match seen.calls().len() {
            0 => Act::Call(calls.clone()),
            _ => Act::Say("done".to_owned()),
        }
    }));
    let tools = Toolset::new()
        .with::<block>()
        .policy("block", |policy| policy.timeout(Duration::from_millis(60)))
        .unwrap();
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    check_pairing(&conversation);
    let Item::Results(results) = &conversation.items()[2] else {
        panic!()
    };
    let late = results.iter().filter(|result| result.is_failed()).count();
    assert!(
        (10..40).contains(&late),
        "{late} of 40 took too long or panicked"
    );
    for _ in 0..200 {
        if tool_threads() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} threads are left behind", tool_threads());
}
