//! Calls keep their place in the trace.

use std::{sync::Arc, time::Duration};

use repertoire::{
    Agent, Anthropic, Responses, ToolError, Toolset,
    testing::TestClock,
    tool,
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, record, record::Record, strings};
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn calls_within_calls_keep_their_place_though_they_run_in_turns() {
    let (record, _guard) = Record::start();
    let names = ["outer_a", "outer_b", "outer_c"];
    let mut tools = Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default()));
    for name in names {
        tools.add_tool(outer(name)).unwrap();
    }
    let step = names.iter().map(|name| (*name, json!({}))).collect();
    let agent = Agent::builder(steps(Responses::new("m"), vec![step]))
        .repertoire(tools)
        .trace_content(true)
        .build()
        .unwrap();
    // Two runs at once, within a span of the program's own.
    let (first, second) = (agent.run("1"), agent.run("2"));
    let within = tracing::info_span!("request");
    let within = tracing::Instrument::instrument(async { tokio::join!(first, second) }, within);
    let (first, second) = within.await;
    assert!(first.is_ok() && second.is_ok());

    let leaves: Vec<record::Span> = record
        .spans()
        .into_iter()
        .filter(|span| field(&span.fields, "gen_ai.tool.name") == "leaf")
        .collect();
    assert_eq!(leaves.len(), 6);
    for leaf in leaves {
        let arguments: Value =
            serde_json::from_str(field(&leaf.fields, "gen_ai.tool.call.arguments")).unwrap();
        let caller = format!("execute_tool {}", arguments["sku"].as_str().unwrap());
        assert_eq!(
            record.path(&leaf),
            [caller.as_str(), "invoke_agent", "request"]
        );
    }
    // Each response lies in its own run.
    let spans = record.spans();
    let chats = spans.iter().filter(|span| span.name == "chat");
    assert!(chats.clone().count() == 4 && chats.clone().all(|chat| record.path(chat).len() == 2));
}

#[test]
fn tries_and_tools_that_stand_in_are_events_of_the_call() {
    let (record, _guard) = Record::start();
    let clock = TestClock::new();
    let failing = RuntimeTool::new("first", "Fails.", strings(&[]), |_| async {
        Err(ToolError::new(ErrorKind::Transient, "the very words").with_code("E1"))
    });
    let tools = Toolset::new()
        .with_tool(failing.policy(Policy::new().retries(2)).fallback("second"))
        .with_tool(RuntimeTool::new(
            "second",
            "Works.",
            strings(&[]),
            |_| async { Ok("ok".into()) },
        ));
    let agent = Agent::builder(steps(Anthropic::new("m"), vec![vec![("first", json!({}))]]))
        .repertoire(tools)
        .clock(clock.clone())
        .build()
        .unwrap();
    clock.block_on(agent.run("go")).unwrap();
    let first = record.one("gen_ai.tool.name", "first");
    assert_eq!(
        messages(&first.events),
        [
            "WARN tool failed in passing and is tried again",
            "WARN tool failed in passing and is tried again",
            "WARN tool failed and another takes the call",
        ]
    );
    assert_eq!(field(&first.events[1], "repertoire.attempt"), "2");
    assert_eq!(field(&first.events[2], "repertoire.fallback"), "second");
    let second = record.one("gen_ai.tool.name", "second");
    assert_eq!(record.path(&second), ["execute_tool first", "invoke_agent"]);
    assert!(!record.dump().contains("the very words"));

    let tool = &agent.metrics().tools["first"];
    assert_eq!(
        (tool.calls, tool.retries, tool.fallbacks, tool.failed()),
        (1, 2, 1, 0)
    );
    // Two pauses of 1 and 2 seconds lie in the call.
    assert_eq!(tool.latency.max(), Some(Duration::from_secs(3)));
    assert_eq!(agent.metrics().tools["second"].nested, 1);
}

/// Says in which span its thread is.
#[tool(blocking)]
fn blocking_tool() -> String {
    tracing::info!("from the thread");
    "done".to_owned()
}

#[tokio::test]
async fn a_thread_of_its_own_goes_on_with_the_trace() {
    let (record, _guard) = Record::start();
    let agent = Agent::builder(steps(
        Anthropic::new("m"),
        vec![vec![("blocking_tool", json!({}))]],
    ))
    .repertoire(Toolset::new().with::<blocking_tool>())
    .build()
    .unwrap();
    agent.run("go").await.unwrap();
    let span = record.one("gen_ai.tool.name", "blocking_tool");
    assert_eq!(messages(&span.events), ["INFO from the thread"]);
}
