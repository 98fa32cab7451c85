//! A try that is over does nothing any more, and takes nothing with it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, Cancel, Conversation, Event, Stop, Toolset,
    agent::RunEvent,
    conversation::SessionError,
    tool,
    tool::{Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, counting, strings, texts};
use serde_json::json;

#[tokio::test]
async fn a_try_that_ran_out_of_time_has_ended() {
    let effects = Arc::new(AtomicUsize::new(0));
    let refused = Arc::new(AtomicUsize::new(0));
    let tries = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&refused);
    let tool = RuntimeTool::with_context("late", "Is late.", strings(&[]), move |_, cx| {
        let number = tries.fetch_add(1, Ordering::SeqCst);
        let count = Arc::clone(&count);
        async move {
            if number == 2 {
                // The last try is in time, and its context is as good as that of the first.
                cx.call("effect", json!({"sku": "in time"})).await?;
                cx.set("kept", number).unwrap();
                return Ok("in time".into());
            }
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(120)).await;
                cx.progress("too late");
                let called = cx.call("effect", json!({"sku": "late"})).await;
                let set = cx.set("kept", "late");
                let ended = matches!(set, Err(SessionError::Ended(_)));
                assert!(called.is_err() && ended && cx.choose("?", &["a"]).await.is_err());
                count.fetch_add(1, Ordering::SeqCst);
            });
            std::future::pending().await
        }
    });
    let policy = Policy::new()
        .timeout(Duration::from_millis(50))
        .retries(2)
        .backoff(Duration::ZERO, Duration::ZERO);
    let slow = RuntimeTool::new("slow", "Keeps the step alive.", strings(&[]), |_| async {
        tokio::time::sleep(Duration::from_millis(400)).await;
        Ok("slow".into())
    });
    let agent = Agent::builder(calling(vec![vec![
        ("late", json!({})),
        ("slow", json!({})),
    ]]))
    .repertoire(
        Toolset::new()
            .with_tool(tool.policy(policy))
            .with_tool(slow)
            .with_tool(counting("effect", "Has an effect.", &effects)),
    )
    .build()
    .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["in time", "slow"]);
    assert_eq!(refused.load(Ordering::SeqCst), 2);
    assert_eq!(effects.load(Ordering::SeqCst), 1);
    assert_eq!(
        conversation.session().get::<usize>("kept").unwrap(),
        Some(2)
    );
    let late = |event: &Event| matches!(event, Event::Progress { .. });
    assert!(!reply.events().iter().any(late));
}

#[tokio::test]
async fn a_call_that_has_ended_cannot_call_others() {
    let effects = Arc::new(AtomicUsize::new(0));
    let kept = Arc::new(std::sync::Mutex::new(None));
    let keep = Arc::clone(&kept);
    let quick =
        RuntimeTool::with_context("quick", "Keeps its context.", strings(&[]), move |_, cx| {
            *keep.lock().unwrap() = Some(cx);
            async { Ok("quick".into()) }
        });
    let outer = RuntimeTool::with_context("outer", "Calls.", strings(&[]), move |_, cx| {
        let kept = Arc::clone(&kept);
        async move {
            cx.call("quick", json!({})).await?;
            let ended = kept.lock().unwrap().take().unwrap();
            let late = ended.call("effect", json!({"sku": "late"})).await;
            assert!(late.is_err(), "{late:?}");
            cx.call("effect", json!({"sku": "in time"})).await
        }
    });
    let agent = Agent::builder(calling(vec![vec![("outer", json!({}))]]))
        .repertoire(
            Toolset::new()
                .with_tool(quick)
                .with_tool(outer)
                .with_tool(counting("effect", "Has an effect.", &effects)),
        )
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert!(
        texts(&conversation)[0].contains("in time"),
        "{:?}",
        texts(&conversation)
    );
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("dropped");
        }
    }
}

#[tokio::test]
async fn what_panics_when_it_is_given_up_takes_no_run_with_it() {
    let hanging = RuntimeTool::new("hanging", "Hangs.", strings(&[]), |_| async {
        let _bomb = Bomb;
        std::future::pending().await
    });
    let throwing = RuntimeTool::new("throwing", "Panics.", strings(&[]), |_| async {
        std::panic::panic_any(Bomb)
    });
    let policy = Policy::new().timeout(Duration::from_millis(20));
    let calls = || vec![vec![("hanging", json!({})), ("throwing", json!({}))]];
    let agent = |policy| {
        Agent::builder(calling(calls()))
            .repertoire(
                Toolset::new()
                    .with_tool(hanging.clone().policy(policy))
                    .with_tool(throwing.clone()),
            )
            .build()
            .unwrap()
    };
    let mut conversation = Conversation::new();
    agent(policy).run_in(&mut conversation, "go").await.unwrap();
    let texts = texts(&conversation);
    assert!(
        texts[0].starts_with("R0007") && texts[1].starts_with("R0010"),
        "{texts:?}"
    );

    let cancel = Cancel::new();
    let used = cancel.clone();
    let mut conversation = Conversation::new();
    let agent = agent(Policy::new());
    let run = agent.run_until(&mut conversation, "go", &cancel);
    let stop = async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        used.cancel();
    };
    let (reply, ()) = tokio::join!(run, stop);
    assert_eq!(reply.unwrap().stop(), Stop::Cancelled);
}

#[tokio::test]
async fn what_happens_in_a_sub_agent_is_told_while_it_happens() {
    let slow = RuntimeTool::with_context("slow", "Is slow.", strings(&[]), |_, cx| async move {
        cx.progress("begun");
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok("slow".into())
    });
    let inner = Agent::builder(calling(vec![vec![("slow", json!({}))]]))
        .repertoire(Toolset::new().with_tool(slow))
        .build()
        .unwrap();
    let outer = Agent::builder(calling(vec![vec![("sub", json!({"task": "go"}))]]))
        .repertoire(Toolset::new().with_tool(inner.as_tool("sub", "Does it.")))
        .build()
        .unwrap();
    let begun = std::time::Instant::now();
    let mut run = outer.run_stream("go");
    let mut told = Vec::new();
    while let Some(event) = run.next().await {
        if let RunEvent::Happened(Event::Within { tool, event }) = event.unwrap() {
            told.push((begun.elapsed(), tool, event));
        }
    }
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(matches!(*told[0].2, Event::Progress { .. }));
    assert!(told[0].0 < Duration::from_millis(250), "{told:?}");
    assert!(matches!(*told[1].2, Event::ToolCalled { .. }));
}

/// Blocks for a while.
#[tool(blocking)]
fn blocks() -> String {
    std::thread::sleep(Duration::from_millis(80));
    "blocked".to_owned()
}

#[tokio::test]
async fn a_function_that_blocks_may_still_run_after_a_cancellation() {
    let agent = Agent::builder(calling(vec![vec![
        ("blocks", json!({})),
        ("hangs", json!({})),
    ]]))
    .repertoire(Toolset::new().with::<blocks>().with_tool(RuntimeTool::new(
        "hangs",
        "Hangs.",
        strings(&[]),
        |_| std::future::pending(),
    )))
    .build()
    .unwrap();
    let cancel = Cancel::new();
    let mut conversation = Conversation::new();
    let run = agent.run_until(&mut conversation, "go", &cancel);
    let stop = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cancel.cancel();
    };
    let (reply, ()) = tokio::join!(run, stop);
    assert_eq!(reply.unwrap().stop(), Stop::Cancelled);
    let texts = texts(&conversation);
    assert!(
        texts[0].starts_with("R0009") && texts[0].contains("may still run"),
        "{texts:?}"
    );
    assert!(texts[1].starts_with("R0008"), "{texts:?}");
}

#[tokio::test]
async fn a_tool_gets_all_that_another_one_returns() {
    let rows = RuntimeTool::new("rows", "Lists.", strings(&[]), |_| async {
        Ok(serde_json::to_string(&vec!["row"; 40]).unwrap().into())
    });
    let policy = Policy::new()
        .max_output(20)
        .post_process(|output| format!("shown: {}", output.to_text()).into())
        .once(Once::new());
    let flow = RuntimeTool::with_context("flow", "Counts.", strings(&[]), |_, cx| async move {
        let rows: Vec<String> = cx.call("rows", ()).await?.decode()?;
        Ok(rows.len().to_string().into())
    });
    let calls = vec![vec![("flow", json!({}))], vec![("rows", json!({}))]];
    let agent = Agent::builder(calling(calls))
        .repertoire(
            Toolset::new()
                .with_tool(rows.policy(policy))
                .with_tool(flow),
        )
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let texts = texts(&conversation);
    assert_eq!(texts[0], "40");
    // The model gets a part of it, also of what was remembered whole.
    assert!(
        texts[1].starts_with("shown: [\"row\",\"row\",\n[cut after"),
        "{texts:?}"
    );
}
