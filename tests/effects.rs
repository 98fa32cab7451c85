//! What has happened does not happen again: after a crash, after another try, through other tools.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, BoxFuture, Conversation, Stop, ToolError, Toolset,
    conversation::{ConversationStore, SessionError},
    testing::TestClock,
    tool::{ErrorKind, Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, counting, strings, texts};
use serde_json::json;

/// Keeps what was saved last, and fails where it is told to.
#[derive(Clone, Default)]
struct Saved {
    last: Arc<Mutex<String>>,
    /// Which of the next saves fails, counted from 1.
    fails: Arc<AtomicUsize>,
}

impl ConversationStore for Saved {
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move {
            let left = self.fails.load(Ordering::SeqCst);
            self.fails.store(left.saturating_sub(1), Ordering::SeqCst);
            if left == 1 {
                return Err(io::Error::other("disk full"));
            }
            *self.last.lock().unwrap() = conversation.to_json();
            Ok(())
        })
    }
}

/// An agent that calls `pay`, which needs approval, and `mail`, which does not.
fn paying(
    store: &Saved,
    pay: RuntimeTool,
    mailed: &Arc<AtomicUsize>,
    asked: &Arc<AtomicUsize>,
) -> Agent {
    let calls = vec![vec![
        ("pay", json!({"sku": "A"})),
        ("mail", json!({"sku": "B"})),
    ]];
    let asked = Arc::clone(asked);
    Agent::builder(calling(calls))
        .repertoire(
            Toolset::new()
                .with_tool(pay.requires_approval())
                .with_tool(counting("mail", "Mails.", mailed)),
        )
        .approve(move |_| {
            asked.fetch_add(1, Ordering::SeqCst);
            async { true }
        })
        .store(store.clone())
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_crash_in_the_middle_of_an_approved_step_does_not_begin_it_again() {
    let [paid, mailed, asked] = [(); 3].map(|()| Arc::new(AtomicUsize::new(0)));
    let counts = || [&paid, &mailed, &asked].map(|count| count.load(Ordering::SeqCst));
    let count = Arc::clone(&paid);
    let pay = RuntimeTool::new("pay", "Pays.", strings(&["sku"]), move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        std::future::pending()
    });
    let store = Saved::default();
    let agent = paying(&store, pay, &mailed, &asked);
    let run = agent.run("go");
    assert!(
        tokio::time::timeout(Duration::from_millis(50), run)
            .await
            .is_err()
    );
    assert_eq!(counts(), [1, 1, 1]);
    let left = store.last.lock().unwrap().clone();
    let mut conversation = Conversation::from_json(&left).unwrap();
    assert_eq!(conversation.waiting().count(), 0, "{left}");
    // Were it begun again, it would hang.
    let resumed = tokio::time::timeout(Duration::from_secs(5), agent.resume(&mut conversation));
    let reply = resumed.await.expect("nothing runs again").unwrap();
    assert_eq!(reply.stop(), Stop::Done);
    assert_eq!(
        counts(),
        [1, 1, 1],
        "nothing runs again, and nobody is asked again"
    );
    assert!(texts(&conversation)[0].contains("the program ended"));
}

#[tokio::test]
async fn what_was_decided_is_not_lost_where_it_could_not_be_saved() {
    let [paid, mailed, asked] = [(); 3].map(|()| Arc::new(AtomicUsize::new(0)));
    let store = Saved::default();
    let agent = paying(&store, counting("pay", "Pays.", &paid), &mailed, &asked);
    for again in [true, false] {
        let mut conversation = Conversation::new();
        let mut run = agent.start(&mut conversation, "go");
        // What the user said is saved, the calls are not.
        store.fails.store(2, Ordering::SeqCst);
        assert!(run.step().await.is_err());
        // In the same run, or in another one.
        if again {
            while run.step().await.unwrap().is_none() {}
        } else {
            drop(run);
            agent.resume(&mut conversation).await.unwrap();
        }
        assert!(
            texts(&conversation)
                .iter()
                .all(|text| text.starts_with("ran with"))
        );
    }
    let counts = [&paid, &mailed, &asked].map(|count| count.load(Ordering::SeqCst));
    assert_eq!(counts, [2, 2, 2]);
}

#[tokio::test]
async fn results_never_stand_behind_what_was_said_later() {
    let ran = Arc::new(AtomicUsize::new(0));
    let store = Saved::default();
    let agent = Agent::builder(calling(vec![vec![("clock", json!({"sku": "A"}))]]))
        .repertoire(Toolset::new().with_tool(counting("clock", "Tells.", &ran)))
        .store(store.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go");
    // What the user said is saved, the calls are not.
    store.fails.store(2, Ordering::SeqCst);
    assert!(run.step().await.is_err());
    run.conversation_mut().push_user("by the way");
    // The script refuses a request whose calls have no results.
    while run.step().await.unwrap().is_none() {}
    drop(run);
    assert_eq!(ran.load(Ordering::SeqCst), 0);
    assert!(
        texts(&conversation)[0].starts_with("R0008"),
        "{:?}",
        texts(&conversation)
    );
}

/// What the tries of a tool come to, one after the other, and then that it is done.
fn trying(name: &str, tries: Vec<ToolError>, ran: &Arc<AtomicUsize>) -> RuntimeTool {
    let ran = Arc::clone(ran);
    RuntimeTool::new(name, "Tries.", strings(&["sku"]), move |_| {
        let number = ran.fetch_add(1, Ordering::SeqCst);
        let failure = tries.get(number).cloned();
        async move { failure.map_or_else(|| Ok("done".into()), Err) }
    })
}

/// How often a tool ran whose call is repeated, and what the model read.
async fn repeated(tools: Toolset, name: &str, ran: &Arc<AtomicUsize>) -> (usize, Vec<String>) {
    let call = || vec![(name, json!({"sku": "A"}))];
    let clock = TestClock::new();
    let agent = Agent::builder(calling(vec![call(), call()]))
        .repertoire(tools)
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let runs = agent.run_in(&mut conversation, "go");
    clock.block_on(runs).unwrap();
    (ran.load(Ordering::SeqCst), texts(&conversation))
}

fn refused() -> ToolError {
    ToolError::new(ErrorKind::Transient, "refused")
}

fn reset() -> ToolError {
    let error: ToolError = io::Error::from(io::ErrorKind::ConnectionReset).into();
    error.with_code("E7").with_details("the second")
}

#[tokio::test]
async fn any_try_that_may_have_had_an_effect_counts() {
    let once = || Policy::new().once(Once::new()).retries(1);
    for (tries, expected) in [
        // What was refused twice has not happened.
        (vec![refused(), refused()], 3),
        (vec![reset(), refused()], 2),
        (vec![refused(), reset()], 2),
        // What was refused is known of the operation that failed, and not of the whole tool.
        (
            vec![
                refused(),
                io::Error::from(io::ErrorKind::ConnectionRefused).into(),
            ],
            2,
        ),
        (vec![io::Error::from(io::ErrorKind::NotFound).into()], 1),
    ] {
        let ran = Arc::new(AtomicUsize::new(0));
        let tool = trying("pay", tries, &ran).policy(once());
        let (ran, texts) = repeated(Toolset::new().with_tool(tool), "pay", &ran).await;
        assert_eq!(ran, expected, "{texts:?}");
        assert_eq!(texts[1].starts_with("R0009"), expected < 3, "{texts:?}");
    }
}

#[tokio::test]
async fn a_tool_that_stands_in_may_have_had_an_effect_too() {
    for (second, expected) in [(refused(), 2), (reset(), 1)] {
        let [first, ran] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let down = ToolError::new(ErrorKind::Transient, "down").with_details("the first");
        let pay =
            trying("pay", vec![down.clone(), down], &first).policy(Policy::new().once(Once::new()));
        let stands_in = trying("pay_b", vec![second], &ran);
        let tools = Toolset::new()
            .with_tool(pay.fallback("pay_b"))
            .with_tool(stands_in);
        let (ran, texts) = repeated(tools, "pay", &ran).await;
        assert_eq!(ran, expected, "{texts:?}");
    }
}

#[tokio::test]
async fn what_both_tools_said_is_kept_for_the_program() {
    let ran = Arc::new(AtomicUsize::new(0));
    let down = ToolError::new(ErrorKind::Transient, "down")
        .with_code("E1")
        .with_details("the first");
    let outer = RuntimeTool::with_context(
        "outer",
        "Calls.",
        strings(&["sku"]),
        |arguments, cx| async move {
            let error = cx.call("pay", arguments).await.unwrap_err();
            Ok(format!("{:?} {:?} {error}", error.code(), error.details()).into())
        },
    );
    let tools = Toolset::new()
        .with_tool(trying("pay", vec![down], &Arc::default()).fallback("pay_b"))
        .with_tool(trying("pay_b", vec![reset()], &Arc::default()))
        .with_tool(outer);
    let (_, texts) = repeated(tools, "outer", &ran).await;
    let expected = "Some(\"E1\") Some(\"the first; `pay_b`: the second\") E1: down; in its place `pay_b`: E7: ";
    assert!(texts[0].starts_with(expected), "{texts:?}");
}

#[tokio::test]
async fn what_the_calls_within_have_done_counts() {
    // The inner call succeeds, then the tool itself is refused something: that is no "nothing happened".
    for (read_only, expected) in [(false, 1), (true, 2)] {
        let ran = Arc::new(AtomicUsize::new(0));
        let mut pay = counting("pay", "Pays.", &ran);
        if read_only {
            pay = pay.read_only();
        }
        let flow = RuntimeTool::with_context(
            "flow",
            "Pays and mails.",
            strings(&["sku"]),
            |arguments, cx| async move { cx.call("middle", arguments).await },
        );
        let middle = RuntimeTool::with_context(
            "middle",
            "Pays and mails.",
            strings(&["sku"]),
            |arguments, cx| async move {
                cx.call("pay", arguments).await?;
                cx.call("no_such_tool", json!({})).await
            },
        );
        let flow = flow.policy(Policy::new().once(Once::new()));
        let tools = Toolset::new()
            .with_tool(flow)
            .with_tool(middle)
            .with_tool(pay);
        let (ran, texts) = repeated(tools, "flow", &ran).await;
        assert_eq!(ran, expected, "{texts:?}");
        assert!(texts[0].starts_with("R0002"), "{texts:?}");
    }
}

#[test]
fn waiting_for_a_turn_is_a_part_of_the_time() {
    let clock = TestClock::new();
    let slow = clock.clone();
    let tool = RuntimeTool::with_context(
        "slow",
        "Takes its time.",
        strings(&["sku"]),
        move |_, cx| {
            let (slow, left) = (slow.clone(), cx.remaining().unwrap());
            async move {
                repertoire::Clock::sleep(&slow, Duration::from_millis(800)).await;
                Ok(format!("{} ms left", left.as_millis()).into())
            }
        },
    );
    let tool = tool
        .serial()
        .policy(Policy::new().deadline(Duration::from_secs(1)));
    let wrapped = |name: &'static str| {
        RuntimeTool::with_context(name, "Calls.", strings(&[]), |_, cx| async move {
            cx.call("slow", json!({"sku": "A"})).await
        })
    };
    let agent = Agent::builder(calling(vec![vec![("a", json!({})), ("b", json!({}))]]))
        .repertoire(
            Toolset::new()
                .with_tool(tool)
                .with_tool(wrapped("a"))
                .with_tool(wrapped("b")),
        )
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    let texts = texts(&conversation);
    assert_eq!(texts[0], "1000 ms left");
    assert!(
        texts[1].contains("no result within 1 s in all"),
        "{texts:?}"
    );
    assert_eq!(repertoire::Clock::now(&clock), Duration::from_secs(1));
}

#[tokio::test]
async fn a_change_that_asks_for_another_value_is_an_error_and_no_standstill() {
    let sum = RuntimeTool::with_context("sum", "Sums.", strings(&[]), |_, cx| async move {
        cx.set("price", 2).unwrap();
        let mut inside = Vec::new();
        let total = cx.update("total", |total: Option<u32>| {
            cx.progress("may be told");
            inside.push(cx.get::<u32>("price").unwrap_err());
            inside.push(cx.set("price", 3).unwrap_err());
            inside.push(
                cx.update("price", |price: Option<u32>| price.unwrap_or(0))
                    .unwrap_err(),
            );
            total.unwrap_or(0) + 1
        });
        assert_eq!(total.unwrap(), 1);
        assert_eq!(inside.len(), 3);
        assert!(
            inside
                .iter()
                .all(|error| matches!(error, SessionError::Changing(_))),
            "{inside:?}"
        );
        assert_eq!(cx.get::<u32>("price").unwrap(), Some(2));
        Ok("done".into())
    });
    let agent = Agent::builder(calling(vec![vec![("sum", json!({}))]]))
        .repertoire(Toolset::new().with_tool(sum))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["done"]);
}
