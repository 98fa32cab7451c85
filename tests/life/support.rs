//! A model that does what the user says, and what it was sent.

use std::sync::Arc;

use repertoire::{
    Agent, Conversation,
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script, Scriptable},
    tool,
};
use serde_json::Value;

/// A model that does what the user says: `N TOOL JSON` is a call of a tool after N calls in all.
pub(crate) fn obedient<P: Scriptable>(protocol: P) -> Arc<Script<P>> {
    Arc::new(Script::new(protocol).rule(Rule::new("obey", |seen| {
        let mut words = seen.user().splitn(3, ' ');
        let (count, tool, json) = (words.next(), words.next(), words.next());
        let due = count.and_then(|count| count.parse().ok()) == Some(seen.calls().len());
        match (due, tool, json) {
            (true, Some(tool), Some(json)) => Act::call(tool, serde_json::from_str(json).unwrap()),
            _ => Act::Say(
                seen.results()
                    .last()
                    .map_or("hello", |r| r.text())
                    .to_owned(),
            ),
        }
    })))
}

pub(crate) fn results(conversation: &Conversation) -> Vec<&ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results.flatten().collect()
}

/// Has the model make a call, and returns the text of its result.
pub(crate) async fn call(
    agent: &Agent,
    conversation: &mut Conversation,
    tool: &str,
    json: Value,
) -> String {
    let before = results(conversation).len();
    let prompt = format!("{before} {tool} {json}");
    agent.run_in(conversation, prompt).await.unwrap();
    let results = results(conversation);
    assert_eq!(results.len(), before + 1);
    results[before].output().to_text()
}

/// The part of a request that stands before the first message.
pub(crate) fn head(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    let system = ["instructions", "system", "systemInstruction"]
        .map(|key| body[key].clone())
        .into_iter()
        .find(|value| !value.is_null());
    let first = || body["messages"][0].clone();
    format!("{}\n{}", body["tools"], system.unwrap_or_else(first))
}

pub(crate) const SHOWN: &str = "clock";
pub(crate) const HIDDEN: &str = "warehouse_stock";

/// Send a letter.
#[tool(
    enabled = false,
    tags("mail"),
    group = "post",
    version = "2.0.1",
    author = "ann"
)]
pub(crate) fn send_letter() -> &'static str {
    "sent"
}
