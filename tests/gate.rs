//! What guards a call guards it however the call comes about.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Conversation, ToolError, Toolset,
    agent::{Approval, Decision, Hook},
    conversation::{ToolCall, ToolResult},
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, counting, strings, texts};
use serde_json::json;

/// Refuses one tool, and remembers what it saw.
#[derive(Clone, Default)]
struct Refusing(Arc<Mutex<Vec<String>>>);

impl Hook for Refusing {
    fn before_tool(&self, call: &ToolCall) -> Decision {
        self.0
            .lock()
            .unwrap()
            .push(format!("before {}", call.name()));
        match call.name() {
            "erase" => Decision::Refuse("never".to_owned()),
            _ => Decision::Run,
        }
    }

    fn after_tool(&self, call: &ToolCall, result: &ToolResult) {
        let seen = format!("after {} {}", call.name(), result.is_failed());
        self.0.lock().unwrap().push(seen);
    }
}

/// A tool that calls another one.
fn through(to: &'static str) -> RuntimeTool {
    RuntimeTool::with_context("through", "Calls.", strings(&[]), move |_, cx| async move {
        cx.call(to, json!({"sku": "A"})).await
    })
}

#[tokio::test]
async fn hooks_are_asked_about_calls_within_calls_and_fallbacks() {
    let failing = || {
        RuntimeTool::new("failing", "Fails.", strings(&["sku"]), |_| async {
            Err(ToolError::failed("broken"))
        })
        .fallback("erase")
    };
    for (call, arguments) in [("through", json!({})), ("failing", json!({"sku": "A"}))] {
        let (erased, hook) = (Arc::default(), Refusing::default());
        let tools = Toolset::new()
            .with_tool(through("erase"))
            .with_tool(failing())
            .with_tool(counting("erase", "Erases.", &erased));
        let agent = Agent::builder(calling(vec![vec![(call, arguments)]]))
            .repertoire(tools)
            .hook(hook.clone())
            .build()
            .unwrap();
        agent.run("go").await.unwrap();
        assert_eq!(erased.load(Ordering::SeqCst), 0, "{call}");
        let expected = [
            format!("before {call}"),
            "before erase".to_owned(),
            "after erase true".to_owned(),
            format!("after {call} true"),
        ];
        assert_eq!(*hook.0.lock().unwrap(), expected);
    }
}

#[tokio::test]
async fn only_one_call_of_a_serial_tool_runs_at_a_time_wherever_it_comes_from() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let highest = Arc::clone(&most);
    let serial = RuntimeTool::new("serial", "One by one.", strings(&["sku"]), move |_| {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok("done".into())
        }
    })
    .serial();
    let tools = Toolset::new()
        .with_tool(through("serial"))
        .with_tool(serial);
    let steps = vec![
        vec![
            ("through", json!({})),
            ("through", json!({})),
            ("through", json!({})),
        ],
        vec![("serial", json!({"sku": "A"}))],
    ];
    let agent = Agent::builder(calling(steps))
        .repertoire(tools)
        .build()
        .unwrap();
    let (one, two) = tokio::join!(agent.run("go"), agent.run("go"));
    assert_eq!((one.unwrap().text(), two.unwrap().text()), ("done", "done"));
    assert_eq!(highest.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn whoever_approves_sees_no_secret_however_the_call_comes_about() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let login = RuntimeTool::new("login", "Logs in.", strings(&["sku"]), |_| async {
        Ok("in".into())
    })
    .secret("sku")
    .requires_approval();
    let asked = Arc::clone(&seen);
    let steps = vec![
        vec![("through", json!({}))],
        vec![("login", json!({"sku": "A"}))],
    ];
    let agent = Agent::builder(calling(steps))
        .repertoire(Toolset::new().with_tool(through("login")).with_tool(login))
        .approve(move |call| {
            asked
                .lock()
                .unwrap()
                .push(format!("{} {call:?}", call.arguments()));
            async { true }
        })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["in", "in"]);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2);
    for call in seen.iter() {
        assert!(call.starts_with(r#"{"sku":"[secret]"}"#), "{call}");
        assert!(!call.contains(r#""A""#), "{call}");
    }
}

#[test]
fn a_secret_stays_one_in_the_tool_that_stands_in() {
    let tool = |name: &str| {
        RuntimeTool::new(name, "Logs in.", strings(&["pin"]), |_| async {
            Ok("in".into())
        })
    };
    let build = |fallback: RuntimeTool| {
        let login = tool("login").secret("pin").fallback("other");
        Agent::builder(calling(Vec::new()))
            .repertoire(Toolset::new().with_tool(login).with_tool(fallback))
            .build()
    };
    let error = build(tool("other")).unwrap_err().to_string();
    assert!(error.contains("where `pin` is no secret"), "{error}");
    build(tool("other").secret("pin")).unwrap();
}

#[tokio::test]
async fn an_error_is_cut_as_any_result() {
    let long = |text: &'static str, most| {
        RuntimeTool::new("long", "Fails.", strings(&[]), move |_| async move {
            Err(ToolError::new(ErrorKind::Failed, text.repeat(100_000)))
        })
        .policy(Policy::new().max_output(most))
    };
    for (text, most) in [("ü", 101), ("x", 1_000_000), ("x", 0)] {
        let agent = Agent::builder(calling(vec![vec![("long", json!({}))]]))
            .repertoire(Toolset::new().with_tool(long(text, most)))
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let result = &texts(&conversation)[0];
        assert!(result.len() <= most.min(8_192) + 100, "{}", result.len());
        assert!(result.contains("[cut, "), "{}", result.len());
    }
}

#[tokio::test]
async fn what_was_decided_is_told_to_whoever_decides() {
    let tools =
        Toolset::new().with_tool(counting("erase", "Erases.", &Arc::default()).requires_approval());
    let agent = Agent::builder(calling(vec![vec![("erase", json!({"sku": "A"}))]]))
        .repertoire(tools)
        .approve(|_| async { Approval::Later })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let id = conversation.waiting().next().unwrap().id().to_owned();
    assert!(!conversation.decide("mistyped", true));
    assert!(conversation.decide(&id, true));
    assert!(!conversation.decide(&id, false), "it waits no more");
}

#[tokio::test]
async fn an_approval_is_not_that_of_the_calls_within() {
    let erased = Arc::default();
    let flow = RuntimeTool::with_context("flow", "Calls.", strings(&[]), |_, cx| async move {
        cx.call("erase", json!({"sku": "A"})).await
    });
    let tools = Toolset::new()
        .with_tool(flow.requires_approval())
        .with_tool(counting("erase", "Erases.", &erased).requires_approval());
    let agent = Agent::builder(calling(vec![vec![("flow", json!({}))]]))
        .repertoire(tools)
        .approve(|call| async move { call.name() == "flow" })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(erased.load(Ordering::SeqCst), 0);
    assert!(
        texts(&conversation)[0].contains("needs approval"),
        "{:?}",
        texts(&conversation)
    );
}
