//! What is said, and what fails, in the trace.

use std::sync::Arc;

use repertoire::{Agent, Anthropic, Toolset, testing::Script};
use repertoire_tests::{counting, record, record::Record};
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn what_is_said_is_traced_where_it_is_asked_for() {
    let (record, _guard) = Record::start();
    let model = steps(
        Anthropic::new("m"),
        vec![vec![
            ("leaf", json!({"sku": "my question"})),
            ("leaf", json!({"sku": 7})),
        ]],
    );
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default())))
        .trace_content(true)
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let span = record.one("gen_ai.tool.call.arguments", r#"{"sku":"my question"}"#);
    assert!(field(&span.fields, "gen_ai.tool.call.result").starts_with("ran with"));
    let chats: Vec<record::Span> = record
        .spans()
        .into_iter()
        .filter(|span| span.name == "chat")
        .collect();
    let said: Value =
        serde_json::from_str(field(&chats[0].fields, "gen_ai.output.messages")).unwrap();
    assert_eq!(said[0]["parts"][0]["arguments"]["sku"], "my question");
    assert_eq!(said[0]["finish_reason"], "tool_call");
    let said = field(&chats[1].fields, "gen_ai.output.messages");
    assert!(said.contains(r#""content":"the end""#), "{said}");
}

#[tokio::test]
async fn failures_are_marked() {
    let (record, _guard) = Record::start();
    let model = steps(Anthropic::new("m"), vec![vec![("leaf", json!({}))]]);
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default())))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let leaf = record.one("gen_ai.tool.name", "leaf");
    assert_eq!(field(&leaf.fields, "error.type"), "invalid");
    assert_eq!(field(&leaf.fields, "otel.status_code"), "ERROR");

    let (record, _guard) = Record::start();
    let agent = Agent::builder(Script::new(Anthropic::new("m")))
        .build()
        .unwrap();
    agent.run("go").await.unwrap_err();
    for span in ["invoke_agent", "chat m"] {
        let span = record.one("otel.name", span);
        assert_eq!(field(&span.fields, "otel.status_code"), "ERROR");
        assert_eq!(field(&span.fields, "error.type"), "model_error");
    }
    let metrics = agent.metrics();
    assert_eq!((metrics.runs.failed, metrics.model.failed), (1, 1));
}
