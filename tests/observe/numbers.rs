//! What an agent counts.

use std::{sync::Arc, time::Duration};

use repertoire::{
    Agent, Anthropic, Cancel, Conversation, Repertoire, Responses, Toolset,
    agent::Limits,
    conversation::{ModelPart, ModelTurn, StopReason, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, Request},
    testing::TestClock,
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, record::Record, strings};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn an_agent_counts_what_it_does() {
    let (_, _guard) = Record::start();
    let clock = TestClock::new();
    let slow = {
        let clock = clock.clone();
        RuntimeTool::new("slow", "Waits.", strings(&["sku"]), move |_| {
            let clock = clock.clone();
            async move {
                repertoire::Clock::sleep(&clock, Duration::from_millis(20)).await;
                Ok("done".into())
            }
        })
        .version("7")
    };
    let model = steps(
        Responses::new("m"),
        vec![
            vec![
                ("tool_search", json!({"queries": ["slow", "xyzzy"]})),
                ("find", json!({})),
            ],
            vec![
                ("slow", json!({"sku": "a"})),
                ("slow", json!({"sku": "b"})),
                ("slow", json!({})),
            ],
            vec![
                ("read_skill", json!({"name": "stock-check"})),
                ("read_skill", json!({"name": "stock-check", "file": "none"})),
                ("read_skill", json!({"name": "none"})),
                ("hidden", json!({"sku": "a"})),
            ],
        ],
    );
    let tools = Toolset::new()
        .with_tool(slow.deferred())
        .with_tool(counting("hidden", "Is hidden.", &Arc::default()).deferred());
    let agent = Agent::builder(model)
        .repertoire(Repertoire::from(tools).merge(skills().into()))
        .clock(clock.clone())
        .build()
        .unwrap();
    let reply = clock.block_on(agent.run("go")).unwrap();
    let metrics = agent.clone().metrics();

    assert_eq!(
        (
            metrics.runs.ended,
            metrics.runs.unfinished,
            metrics.runs.failed
        ),
        (1, 0, 0)
    );
    assert_eq!(metrics.model.calls, 4);
    assert_eq!(metrics.model.usage, reply.usage());
    let slow = &metrics.tools["slow"];
    assert_eq!((slow.calls, slow.failed(), slow.nested), (3, 1, 0));
    assert_eq!(slow.failures["invalid"], 1);
    assert_eq!(slow.version.as_deref(), Some("7"));
    assert_eq!(slow.latency.count(), 3);
    assert_eq!(slow.latency.max(), Some(Duration::from_millis(20)));
    assert_eq!(slow.latency.min(), Some(Duration::ZERO));
    assert_eq!(
        (
            metrics.tools["hidden"].calls,
            metrics.tools["hidden"].refused
        ),
        (0, 1)
    );
    assert_eq!(metrics.unknown_calls, 1);
    let searches = metrics.searches;
    assert_eq!(
        (
            searches.calls,
            searches.queries,
            searches.loaded,
            searches.empty
        ),
        (1, 2, 1, 0)
    );
    assert_eq!(metrics.tools["tool_search"].calls, 1);
    let reader = &metrics.tools["read_skill"];
    assert_eq!((reader.calls, reader.failed()), (3, 2));
    assert_eq!(
        metrics.skills.len(),
        1,
        "a skill that does not exist takes no room"
    );
    let skill = metrics.skills["stock-check"];
    assert_eq!((skill.calls, skill.reads, skill.failures), (2, 1, 1));
    // The run took as long as its two calls, which ran together.
    assert_eq!(metrics.runs.latency.max(), Some(Duration::from_millis(20)));

    let json: Value = serde_json::to_value(&metrics).unwrap();
    assert_eq!(json["tools"]["slow"]["failures"]["invalid"], 1);
    assert_eq!(json["model"]["calls"], 4);
    assert_eq!(json["tools"]["slow"]["latency"]["count"], 3);
}

#[test]
fn what_is_given_up_is_counted_too() {
    let (_, _guard) = Record::start();
    let clock = TestClock::new();
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let hanging = RuntimeTool::new("hanging", "Hangs.", strings(&[]), move |_| {
        stop.cancel();
        std::future::pending()
    });
    let model = steps(Anthropic::new("m"), vec![vec![("hanging", json!({}))]]);
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(hanging))
        .limits(Limits::new())
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    clock
        .block_on(agent.run_until(&mut conversation, "go", &cancel))
        .unwrap();
    let metrics = agent.metrics();
    assert_eq!(metrics.tools["hanging"].failures["cancelled"], 1);
    assert_eq!((metrics.runs.ended, metrics.runs.unfinished), (1, 1));

    // A run that is dropped in the middle of a response.
    let agent = Agent::builder(Never).build().unwrap();
    let mut run = std::pin::pin!(agent.run("go"));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(run.as_mut().poll(&mut context).is_pending());
    assert_eq!(
        (
            agent.metrics().runs.abandoned,
            agent.metrics().model.cancelled
        ),
        (0, 0)
    );
    run.set(agent.run("never begun"));
    assert_eq!(
        (
            agent.metrics().runs.abandoned,
            agent.metrics().model.cancelled
        ),
        (1, 1)
    );
}

/// A model that never answers.
struct Never;

impl Model for Never {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(repertoire::protocol::Deferral::None)
    }

    fn respond<'a>(
        &'a self,
        _: Request<'a>,
    ) -> repertoire::BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async {
            std::future::pending::<()>().await;
            let parts = vec![ModelPart::Text(String::new())];
            Ok(ModelTurn::new(parts, StopReason::End, Usage::default()))
        })
    }
}
