//! Secrets in the calls that a tool makes, and under names that a model has misspelt.

use std::sync::{Arc, Mutex};

use repertoire::{
    Agent, Conversation, ToolError, Toolset,
    agent::{Decision, Hook},
    conversation::{ModelTurn, ToolCall, ToolResult},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, record::Record, strings};
use serde_json::json;

/// Keeps what hooks see of calls.
#[derive(Clone, Default)]
struct Looks(Arc<Mutex<Vec<String>>>);

impl Hook for Looks {
    fn before_tool(&self, call: &ToolCall) -> Decision {
        self.0.lock().unwrap().push(format!("{call:?}"));
        Decision::Run
    }

    fn after_tool(&self, call: &ToolCall, result: &ToolResult) {
        let text = result.output().to_text();
        self.0.lock().unwrap().push(format!("{call:?} {text}"));
    }

    fn after_response(&self, turn: &ModelTurn) {
        self.0.lock().unwrap().push(format!("{turn:?}"));
    }
}

#[tokio::test]
async fn a_secret_stays_one_in_the_calls_within() {
    let seen = Looks::default();
    let asked = seen.clone();
    let plain = RuntimeTool::new("get", "Gets.", strings(&["url"]), |arguments| async move {
        Err(ToolError::failed(format!("no answer from {arguments}")))
    })
    .requires_approval();
    let middle = RuntimeTool::with_context(
        "middle",
        "Calls.",
        strings(&["url"]),
        |arguments, cx| async move { cx.call("get", arguments).await },
    );
    let outer = RuntimeTool::with_context(
        "outer",
        "Calls.",
        strings(&["token"]),
        |arguments, cx| async move {
            let url = format!("https://host/?key={}", arguments["token"].as_str().unwrap());
            let _ = cx.call("middle", json!({"url": url})).await;
            Ok("done".into())
        },
    )
    .secret("token");
    let calls = vec![
        vec![("outer", json!({"token": "CANARY-77"}))],
        // Misspelt: the name of a parameter, and that of the tool.
        vec![("outer", json!({"tokn": "CANARY-77"}))],
        vec![("outter", json!({"token": "CANARY-77", "more": "CANARY-77"}))],
    ];
    let (record, _guard) = Record::start();
    let agent = Agent::builder(calling(calls))
        .repertoire(
            Toolset::new()
                .with_tool(outer)
                .with_tool(middle)
                .with_tool(plain),
        )
        .approve(move |call| {
            asked
                .0
                .lock()
                .unwrap()
                .push(format!("asked {}", call.arguments()));
            async { true }
        })
        .hook(seen.clone())
        .trace_content(true)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    let mut seen = seen.0.lock().unwrap().clone();
    assert!(
        seen.iter()
            .any(|text| text == r#"asked {"url":"https://host/?key=[secret]"}"#),
        "{seen:#?}"
    );
    seen.push(format!("{:?}", reply.events()));
    seen.push(format!("{:?}", conversation.items()));
    seen.push(format!("{:?}", record.spans()));
    for text in seen {
        assert!(!text.contains("CANARY"), "{text}");
    }
    assert!(
        conversation.to_json().contains("CANARY"),
        "the provider needs it"
    );
}
