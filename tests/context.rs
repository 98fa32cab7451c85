//! What a tool may do while it runs: share values, call other tools, ask the model, be watched.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, Conversation, Event, ToolError, ToolOutput, Toolset,
    agent::{Decision, Hook},
    conversation::{Item, ToolCall, ToolResult},
    testing::{Act, Rule, Script, TestClock},
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings};
use serde_json::{Value, json};

/// A model that makes these calls, one a step, then says `done`; a question it answers with `2`.
fn script(calls: Vec<(&str, Value)>) -> Script<Anthropic> {
    let calls: Vec<(String, Value)> = calls.into_iter().map(|(n, a)| (n.to_owned(), a)).collect();
    Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
        if seen.user().contains("Answer with the number") {
            return Act::Say("2".to_owned());
        }
        match calls.get(seen.calls().len()) {
            Some((name, arguments)) => Act::call(name, arguments.clone()),
            None => Act::Say("done".to_owned()),
        }
    }))
}

fn texts(conversation: &Conversation) -> Vec<String> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results
        .flatten()
        .map(|result| result.output().to_text())
        .collect()
}

/// Keeps a number, or adds to the one that is kept.
fn counter() -> RuntimeTool {
    RuntimeTool::with_context("count", "Counts.", strings(&[]), |_, cx| async move {
        let count = cx
            .get::<u32>("count")
            .map_err(ToolError::failed)?
            .unwrap_or(0)
            + 1;
        cx.set("count", count).map_err(ToolError::failed)?;
        Ok(count.to_string().into())
    })
}

#[tokio::test]
async fn values_are_shared_within_a_conversation_and_saved_with_it() {
    let agent = Agent::builder(script(vec![("count", json!({})), ("count", json!({}))]))
        .repertoire(Toolset::new().with_tool(counter()))
        .build()
        .unwrap();
    let mut first = Conversation::new();
    agent.run_in(&mut first, "go").await.unwrap();
    assert_eq!(texts(&first), ["1", "2"]);
    let resumed = Conversation::from_json(&first.to_json()).unwrap();
    assert_eq!(resumed.session().get::<u32>("count").unwrap(), Some(2));
    assert_eq!(resumed.id(), first.id());

    let mut second = Conversation::new();
    agent.run_in(&mut second, "go").await.unwrap();
    assert_eq!(
        texts(&second),
        ["1", "2"],
        "another conversation has values of its own"
    );
    assert_ne!(first.id(), second.id());
}

/// A flow with a free choice in the middle: look something up, let the model decide, act.
fn flow() -> RuntimeTool {
    RuntimeTool::with_context(
        "flow",
        "Does all of it.",
        strings(&[]),
        |_, cx| async move {
            let found = cx.call("find", json!({"sku": "A"})).await?;
            let choice = cx.choose("Which one?", &["first", "second"]).await?;
            cx.progress(format!("chose {choice}"));
            let done = cx.call("act", json!({"sku": choice.to_string()})).await?;
            Ok(format!("{} / {}", found.to_text(), done.to_text()).into())
        },
    )
}

#[tokio::test]
async fn a_workflow_mixes_fixed_steps_and_a_choice_of_the_model() {
    let count = Arc::new(AtomicUsize::new(0));
    let tools = Toolset::new()
        .with_tool(flow())
        .with_tool(counting("find", "Finds.", &count))
        .with_tool(counting("act", "Acts.", &count));
    let agent = Agent::builder(script(vec![("flow", json!({}))]))
        .repertoire(tools)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(
        texts(&conversation),
        ["ran with {\"sku\":\"A\"} / ran with {\"sku\":\"1\"}"]
    );
    assert_eq!(count.load(Ordering::SeqCst), 2);
    let called = |name: &str| Event::ToolCalled {
        tool: name.to_owned(),
        failed: false,
    };
    assert_eq!(reply.events()[0], called("find"));
    assert!(matches!(&reply.events()[1], Event::Progress { message, .. } if message == "chose 1"));
    assert_eq!(reply.events()[2..], [called("act"), called("flow")]);
}

#[tokio::test]
async fn a_call_within_a_call_passes_the_same_gate_and_has_a_limit() {
    let count = Arc::new(AtomicUsize::new(0));
    let through = |to: &'static str| {
        RuntimeTool::with_context("through", "Calls.", strings(&[]), move |_, cx| async move {
            cx.call(to, json!({"sku": "A"})).await
        })
    };
    for (to, says) in [
        ("hidden", "R0003"),
        ("guarded", "R0006"),
        ("missing", "R0002"),
        ("tool_search", "for the model alone"),
        ("through", "R0001"),
    ] {
        let tools = Toolset::new()
            .with_tool(through(to))
            .with_tool(counting("hidden", "Hides.", &count).deferred())
            .with_tool(counting("guarded", "Guards.", &count).requires_approval());
        let agent = Agent::builder(script(vec![("through", json!({}))]))
            .repertoire(tools)
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        assert!(
            texts(&conversation)[0].contains(says),
            "{to}: {:?}",
            texts(&conversation)
        );
    }
    assert_eq!(count.load(Ordering::SeqCst), 0);

    let depth = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&depth);
    let forever =
        RuntimeTool::with_context("forever", "Calls itself.", strings(&[]), move |_, cx| {
            counted.fetch_add(1, Ordering::SeqCst);
            async move { cx.call("forever", json!({})).await }
        });
    let agent = Agent::builder(script(vec![("forever", json!({}))]))
        .repertoire(Toolset::new().with_tool(forever))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert!(texts(&conversation)[0].contains("stand within each other"));
    assert_eq!(
        depth.load(Ordering::SeqCst),
        9,
        "the model's call and 8 within it"
    );
}

/// Writes down what it sees and refuses one tool.
struct Watcher(Arc<Mutex<Vec<String>>>);

impl Hook for Watcher {
    fn before_request(&self, conversation: &Conversation) {
        self.0
            .lock()
            .unwrap()
            .push(format!("request {}", conversation.items().len()));
    }

    fn before_tool(&self, call: &ToolCall) -> Decision {
        self.0
            .lock()
            .unwrap()
            .push(format!("before {}", call.name()));
        match call.name() {
            "refused" => Decision::Refuse("not on my watch".to_owned()),
            _ => Decision::Run,
        }
    }

    fn after_tool(&self, call: &ToolCall, result: &ToolResult) {
        let text = result.output().to_text();
        self.0
            .lock()
            .unwrap()
            .push(format!("after {}: {text}", call.name()));
    }
}

#[tokio::test]
async fn a_hook_sees_everything_and_can_refuse() {
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tools = Toolset::new()
        .with_tool(counter())
        .with_tool(counting("refused", "Runs.", &count));
    let calls = vec![("count", json!({})), ("refused", json!({"sku": "A"}))];
    let agent = Agent::builder(script(calls))
        .repertoire(tools)
        .hook(Watcher(Arc::clone(&seen)))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 0);
    assert_eq!(
        *seen.lock().unwrap(),
        [
            "request 1",
            "before count",
            "after count: 1",
            "request 3",
            "before refused",
            "after refused: R0006: not on my watch",
            "request 5",
        ]
    );
}

#[tokio::test]
async fn an_agent_can_be_a_tool_of_another() {
    let inner = Agent::builder(script(vec![("count", json!({}))]))
        .repertoire(Toolset::new().with_tool(counter()))
        .build()
        .unwrap();
    let ask = RuntimeTool::new(
        "ask",
        "Asks a colleague.",
        strings(&["question"]),
        move |arguments| {
            let inner = inner.clone();
            async move {
                let question = arguments["question"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                let reply = inner.run(question).await.map_err(ToolError::failed)?;
                Ok(ToolOutput::from(reply.text()))
            }
        },
    );
    let outer = Agent::builder(script(vec![("ask", json!({"question": "?"}))]))
        .repertoire(Toolset::new().with_tool(ask))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    outer.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["done"]);
    assert!(
        conversation.session().is_empty(),
        "the inner agent's values stay with it"
    );
}

#[test]
fn a_tool_knows_how_much_time_is_left() {
    let clock = TestClock::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let inner = RuntimeTool::with_context("inner", "Looks.", strings(&[]), {
        let seen = Arc::clone(&seen);
        move |_, cx| {
            seen.lock().unwrap().push(cx.remaining());
            async { Err(ToolError::new(ErrorKind::Transient, "not yet")) }
        }
    });
    let outer = RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, cx| async move {
        cx.call("inner", json!({})).await
    })
    .policy(
        Policy::new()
            .retries(3)
            .timeout(Duration::from_secs(4))
            .deadline(Duration::from_secs(10)),
    );
    let agent = Agent::builder(script(vec![("outer", json!({})), ("inner", json!({}))]))
        .repertoire(Toolset::new().with_tool(outer).with_tool(inner))
        .clock(clock.clone())
        .build()
        .unwrap();
    clock.block_on(agent.run("go")).unwrap();
    // Tries at 0, 1, 3 and 7 s, of at most 4 s each and 10 s in all; then a call without limits.
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let expected = [seconds(4), seconds(4), seconds(4), seconds(3), None];
    assert_eq!(*seen.lock().unwrap(), expected);
}
