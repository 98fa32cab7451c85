//! Tools that do as they are told, on a clock of the test.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, Clock, Conversation, Event, Stop, ToolError, ToolOutput, Toolset,
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script, TestClock},
    tool::ErrorKind,
    toolset::RuntimeTool,
};
use repertoire_tests::strings;
use serde_json::{Value, json};

pub(crate) type Outcome = Result<ToolOutput, ToolError>;

/// The times, in seconds, at which a tool was tried.
pub(crate) type Tries = Arc<Mutex<Vec<u64>>>;

pub(crate) const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A tool that writes down when it is tried and then does what `outcome` says.
pub(crate) fn tool<F, Fut>(name: &str, clock: &TestClock, tries: &Tries, outcome: F) -> RuntimeTool
where
    F: Fn(usize) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Outcome> + Send + 'static,
{
    let (clock, tries) = (clock.clone(), Arc::clone(tries));
    RuntimeTool::new(name, "Does it.", strings(&["key"]), move |_| {
        let mut tries = tries.lock().unwrap();
        tries.push(clock.now().as_secs());
        outcome(tries.len())
    })
}

pub(crate) fn failing(
    kind: ErrorKind,
) -> impl Fn(usize) -> std::future::Ready<Outcome> + Send + Sync {
    move |_| {
        std::future::ready(Err(
            ToolError::new(kind, "search service down").with_code("E1001")
        ))
    }
}

/// A model that makes these calls in one step, then ends.
pub(crate) fn script(calls: Vec<(&str, Value)>) -> Script<Anthropic> {
    let calls: Vec<(String, Value)> = calls.into_iter().map(|(n, a)| (n.to_owned(), a)).collect();
    Script::new(Anthropic::new("m")).rule(Rule::new("call", move |seen| {
        if seen.calls().is_empty() {
            Act::Call(calls.clone())
        } else {
            Act::Say("done".to_owned())
        }
    }))
}

pub(crate) fn results(conversation: &Conversation) -> Vec<ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results.clone()),
        _ => None,
    });
    results.flatten().collect()
}

/// Runs the calls and returns the results and events.
pub(crate) fn run(
    clock: &TestClock,
    tools: Toolset,
    calls: Vec<(&str, Value)>,
) -> (Vec<ToolResult>, Vec<Event>) {
    let agent = Agent::builder(script(calls))
        .repertoire(tools)
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    assert_eq!(reply.stop(), Stop::Done);
    (results(&conversation), reply.events().to_vec())
}

pub(crate) fn one_call() -> Vec<(&'static str, Value)> {
    vec![("work", json!({"key": "a"}))]
}

pub(crate) fn text(result: &ToolResult) -> String {
    result.output().to_text()
}
