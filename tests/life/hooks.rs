//! Hooks see every call.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Chat, Conversation, Event, Toolset, conversation::ToolResult, protocol::Reveal,
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings};
use serde_json::json;

use super::support::*;

/// Writes down what it is told, and refuses `erase`.
#[derive(Clone, Default)]
struct Looker(Arc<std::sync::Mutex<Vec<String>>>);

impl Looker {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
}

impl repertoire::agent::Hook for Looker {
    fn before_tool(
        &self,
        call: &repertoire::conversation::ToolCall,
    ) -> repertoire::agent::Decision {
        self.note(format!("before {} {}", call.name(), call.arguments()));
        match call.name() {
            "erase" => repertoire::agent::Decision::Refuse("never".to_owned()),
            _ => repertoire::agent::Decision::Run,
        }
    }

    fn after_tool(&self, call: &repertoire::conversation::ToolCall, result: &ToolResult) {
        self.note(format!(
            "after {}: {}",
            call.name(),
            result.output().to_text()
        ));
    }

    fn on_event(&self, conversation: &str, event: &Event) {
        let what = match event {
            Event::ToolCalled { .. } => return,
            Event::CallRefused { tool, .. } => format!("refused {tool}"),
            Event::FellBack { tool, to, .. } => format!("{tool} -> {to}"),
            other => format!("{other:?}"),
        };
        self.note(format!("{conversation}: {what}"));
    }

    fn after_run(
        &self,
        conversation: &Conversation,
        outcome: Result<&repertoire::Reply, &repertoire::Error>,
    ) {
        let outcome = outcome.map(|reply| format!("{:?}", reply.stop()));
        let outcome = outcome.unwrap_or_else(|_| "error".to_owned());
        self.note(format!("{}: ended {outcome}", conversation.id()));
    }
}

#[tokio::test]
async fn hooks_see_and_refuse_calls_however_they_are_made() {
    let count = Arc::new(AtomicUsize::new(0));
    let failing = RuntimeTool::new("first", "Fails.", strings(&["sku"]), |_| async {
        Err(repertoire::ToolError::failed("no luck"))
    });
    let nested =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("erase", json!({"sku": "A"})).await
        });
    let tools = Toolset::new()
        .with_tool(failing.fallback("erase"))
        .with_tool(nested)
        .with_tool(counting("erase", "Erases.", &count).deferred());
    let looker = Looker::default();
    let agent = Agent::builder(obedient(Chat::new("m")))
        .repertoire(tools)
        .reveal(Reveal::Dispatch)
        .hook(looker.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("c");
    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": ["erase"]}),
    )
    .await;
    let dispatched = json!({"name": "erase", "arguments": {"sku": "A"}});
    let text = call(&agent, &mut conversation, "call_tool", dispatched).await;
    assert_eq!(text, "R0006: never");
    let text = call(&agent, &mut conversation, "outer", json!({})).await;
    assert!(text.contains("never"), "{text}");
    let text = call(&agent, &mut conversation, "first", json!({"sku": "A"})).await;
    assert!(text.contains("no luck") && text.contains("never"), "{text}");
    call(&agent, &mut conversation, "none", json!({})).await;
    assert_eq!(count.load(Ordering::SeqCst), 0, "nothing was erased");
    assert_eq!(agent.metrics().tools["erase"].refused, 3);
    let seen = looker.0.lock().unwrap();
    let refused = seen
        .iter()
        .filter(|line| line.starts_with("before erase {\"sku\":\"A\"}"));
    assert_eq!(refused.count(), 3, "{seen:#?}");
    for line in [
        "after erase: R0006: never",
        "c: first -> erase",
        "c: refused none",
        "c: ended Done",
    ] {
        assert!(seen.iter().any(|seen| seen == line), "{line} in {seen:#?}");
    }
    assert!(seen.iter().any(|line| line.starts_with("c: ToolsSearched")));
    // The result of a call within goes to the tool that made it: the hooks see both.
    let after = seen.iter().filter(|line| line.starts_with("after erase"));
    assert_eq!(after.count(), 3);
}
