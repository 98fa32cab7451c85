//! Calls that may happen once: what makes two calls the same, and who waits for whom.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, BoxFuture, Conversation, ToolError, ToolOutput, Toolset,
    once::{Begun, MemoryOnce, OnceError, OnceStore},
    testing::TestClock,
    tool::{ErrorKind, Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, strings, texts};
use serde_json::{Value, json};

const HOUR: Duration = Duration::from_secs(3600);

fn once(key: &'static [&'static str]) -> Policy {
    Policy::new().once(Once::new().within(HOUR).key(key))
}

/// Pays an order; counts how often.
fn pay(paid: &Arc<AtomicUsize>) -> RuntimeTool {
    let paid = Arc::clone(paid);
    let schema = json!({
        "type": "object",
        "properties": {
            "order": {"type": "integer"},
            "currency": {"type": "string", "default": "EUR"},
            "note": {"type": "string"},
        },
        "required": ["order"],
        "additionalProperties": false,
    });
    RuntimeTool::new("pay", "Pays.", schema, move |arguments| {
        paid.fetch_add(1, Ordering::SeqCst);
        async move { Ok(format!("paid {}", arguments["order"]).into()) }
    })
}

/// How often an order was paid, and what the model was told, for these arguments one after the other.
async fn paid(policy: Policy, arguments: Vec<Value>) -> (usize, Vec<String>) {
    let count = Arc::default();
    let steps = arguments
        .into_iter()
        .map(|one| vec![("pay", one)])
        .collect();
    let agent = Agent::builder(calling(steps))
        .repertoire(Toolset::new().with_tool(pay(&count).policy(policy)))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    (count.load(Ordering::SeqCst), texts(&conversation))
}

#[tokio::test]
async fn other_arguments_are_another_call_in_every_spelling() {
    for policy in [once(&["order"]), once(&[])] {
        let (count, texts) = paid(
            policy,
            vec![json!(r#"{"order":7}"#), json!(r#"{"order":8}"#)],
        )
        .await;
        assert_eq!(
            (count, texts),
            (2, vec!["paid 7".to_owned(), "paid 8".to_owned()])
        );
    }
}

#[tokio::test]
async fn the_same_arguments_are_the_same_call_in_every_spelling() {
    let spellings = vec![
        json!({"order": 7}),
        json!({"order": "7"}),
        json!(r#"{"order":7.0}"#),
        json!(r#"{"order":7e0}"#),
        json!({"order": 7, "currency": "EUR"}),
        json!(r#"{"currency":"EUR","order":7}"#),
    ];
    for policy in [once(&["order"]), once(&[])] {
        let (count, texts) = paid(policy, spellings.clone()).await;
        assert_eq!(texts, vec!["paid 7".to_owned(); spellings.len()]);
        assert_eq!(count, 1);
    }
    let others = vec![json!({"order": 7}), json!({"order": 7, "currency": "USD"})];
    assert_eq!(paid(once(&[]), others).await.0, 2);
}

#[tokio::test]
async fn a_fallback_that_fails_does_not_undo_the_intent() {
    for first in [ErrorKind::Timeout, ErrorKind::Failed, ErrorKind::Unknown] {
        for second in [ErrorKind::Denied, ErrorKind::Transient, ErrorKind::Invalid] {
            let count = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&count);
            let pay = RuntimeTool::new("pay", "Pays.", strings(&[]), move |_| {
                counted.fetch_add(1, Ordering::SeqCst);
                async move { Err(ToolError::new(first, "connection lost after sending")) }
            })
            .policy(once(&[]))
            .fallback("other");
            let other = RuntimeTool::new("other", "Pays.", strings(&[]), move |_| async move {
                Err(ToolError::new(second, "not now"))
            });
            let steps = vec![vec![("pay", json!({}))], vec![("pay", json!({}))]];
            let agent = Agent::builder(calling(steps))
                .repertoire(Toolset::new().with_tool(pay).with_tool(other))
                .build()
                .unwrap();
            let mut conversation = Conversation::new();
            agent.run_in(&mut conversation, "go").await.unwrap();
            assert_eq!(
                count.load(Ordering::SeqCst),
                1,
                "{first:?}, then {second:?}"
            );
            let texts = texts(&conversation);
            assert!(texts[1].starts_with("R0009"), "{texts:?}");
        }
    }
}

/// A tool that calls another one.
fn through(name: &'static str, to: &'static str) -> RuntimeTool {
    RuntimeTool::with_context(name, "Calls.", strings(&[]), move |_, cx| async move {
        tokio::task::yield_now().await;
        cx.call(to, json!({})).await
    })
}

#[tokio::test]
async fn nobody_waits_for_itself_or_in_a_circle() {
    let serial = |tool: RuntimeTool| tool.serial();
    let once = |tool: RuntimeTool| tool.policy(once(&[]));
    for limit in [&serial as &dyn Fn(_) -> _, &once] {
        let tools = Toolset::new()
            .with_tool(limit(through("itself", "itself")))
            .with_tool(limit(through("p", "q")))
            .with_tool(limit(through("q", "p")));
        let both = vec![("p", json!({})), ("q", json!({}))];
        let agent = Agent::builder(calling(vec![vec![("itself", json!({}))], both]))
            .repertoire(tools)
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        let run = agent.run_in(&mut conversation, "go");
        tokio::time::timeout(Duration::from_secs(20), run)
            .await
            .expect("it ends")
            .unwrap();
        let texts = texts(&conversation);
        assert!(
            texts[0].contains("wait for a call that waits for it"),
            "{texts:?}"
        );
        assert_eq!(texts.len(), 3);
    }
}

#[tokio::test]
async fn equal_calls_of_two_agents_over_one_store_wait_for_each_other() {
    let memory = Arc::new(MemoryOnce::new());
    one_store(Arc::clone(&memory), memory).await;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("once_of_two.redb");
    let _ = std::fs::remove_file(&path);
    let durable = repertoire::durable::DurableStore::open(&path).unwrap();
    one_store(durable.clone(), durable).await;
}

async fn one_store<S: repertoire::once::OnceStore>(first: S, second: S) {
    let count = Arc::new(AtomicUsize::new(0));
    let agent = |store: S| {
        let count = Arc::clone(&count);
        let slow = RuntimeTool::new("slow", "Is slow.", strings(&["k"]), move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Ok("done".into())
            }
        })
        .policy(once(&["k"]));
        Agent::builder(calling(vec![vec![("slow", json!({"k": "same"}))]]))
            .repertoire(Toolset::new().with_tool(slow))
            .once_store(store)
            .build()
            .unwrap()
    };
    let (one, two) = (agent(first), agent(second));
    let (mut first, mut second) = (Conversation::new(), Conversation::new());
    let (a, b) = tokio::join!(one.run_in(&mut first, "go"), two.run_in(&mut second, "go"));
    assert!(a.is_ok() && b.is_ok());
    assert_eq!(
        (texts(&first), texts(&second)),
        (vec!["done".to_owned()], vec!["done".to_owned()])
    );
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn waiting_for_an_equal_call_counts_against_the_deadline() {
    let clock = TestClock::new();
    let sleeping = clock.clone();
    let slow = RuntimeTool::new("slow", "Is slow.", strings(&[]), move |_| {
        let sleeping = sleeping.clone();
        async move {
            repertoire::Clock::sleep(&sleeping, Duration::from_secs(100)).await;
            Ok("done".into())
        }
    })
    .policy(once(&[]).deadline(Duration::from_secs(10)));
    let both = vec![("slow", json!({})), ("slow", json!({}))];
    let agent = Agent::builder(calling(vec![both]))
        .repertoire(Toolset::new().with_tool(slow))
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    let texts = texts(&conversation);
    assert!(texts[0].contains("no result within 10 s"), "{texts:?}");
    assert!(texts[1].starts_with("R00"), "{texts:?}");
    assert_eq!(repertoire::Clock::now(&clock), Duration::from_secs(10));
}

#[tokio::test]
async fn what_may_happen_once_happens_once_within_a_sub_agent_too() {
    let count = Arc::default();
    let inner = Agent::builder(calling(vec![vec![("pay", json!({"order": 7}))]]))
        .repertoire(Toolset::new().with_tool(pay(&count).policy(once(&[]))))
        .build()
        .unwrap();
    let task = || vec![("payer", json!({"task": "pay order 7"}))];
    let outer = Agent::builder(calling(vec![task(), task()]))
        .repertoire(Toolset::new().with_tool(inner.as_tool("payer", "Pays.")))
        .build()
        .unwrap();
    outer.run("go").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1);
    outer.run("go").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 2, "another conversation");
}

#[tokio::test]
async fn a_call_without_its_key_is_told_apart_by_all_its_arguments() {
    let pay = |order: u32| json!({"order": order});
    let note = || once(&["note"]);
    assert_eq!(paid(note(), vec![pay(1), pay(2), pay(1)]).await.0, 2);
    let with = |order: u32| json!({"order": order, "note": "n"});
    assert_eq!(paid(note(), vec![with(1), with(2)]).await.0, 1);
    // A default is a value.
    assert_eq!(paid(once(&["currency"]), vec![pay(1), pay(2)]).await.0, 1);
}

#[test]
fn a_key_that_is_no_parameter_is_a_problem_of_the_build() {
    let tool = pay(&Arc::default()).policy(once(&["order", "nosuch"]));
    let error = Agent::builder(calling(Vec::new()))
        .repertoire(Toolset::new().with_tool(tool))
        .build()
        .unwrap_err()
        .to_string();
    assert!(error.contains("happens once for each `nosuch`"), "{error}");
}

#[test]
fn waiting_for_an_equal_call_ends_with_the_deadline() {
    let (clock, store) = (TestClock::new(), Arc::new(MemoryOnce::new()));
    let agent = |policy: Policy| {
        let sleeping = clock.clone();
        let slow = RuntimeTool::new("slow", "Is slow.", strings(&[]), move |_| {
            let sleeping = sleeping.clone();
            async move {
                repertoire::Clock::sleep(&sleeping, Duration::from_secs(100)).await;
                Ok("done".into())
            }
        });
        Agent::builder(calling(vec![vec![("slow", json!({}))]]))
            .repertoire(Toolset::new().with_tool(slow.policy(policy)))
            .clock(clock.clone())
            .once_store(Arc::clone(&store))
            .build()
            .unwrap()
    };
    // The one that runs has all the time there is, the one that waits has not.
    let (patient, hasty) = (
        agent(once(&[])),
        agent(once(&[]).deadline(Duration::from_secs(10))),
    );
    let mut first = Conversation::new().with_id("same");
    let mut second = first.clone();
    let both = async {
        let (a, b) = tokio::join!(patient.run_in(&mut first, "go"), async {
            let reply = hasty.run_in(&mut second, "go").await;
            (reply, repertoire::Clock::now(&clock))
        });
        (a, b)
    };
    let (a, (b, at)) = clock.block_on(both);
    assert!(a.is_ok() && b.is_ok());
    assert_eq!(texts(&first), ["done"]);
    assert!(
        texts(&second)[0].contains("no result within 10 s in all"),
        "{:?}",
        texts(&second)
    );
    assert_eq!(at, Duration::from_secs(10));
}

/// A store that is out of order.
struct Broken;

impl OnceStore for Broken {
    fn begin<'a>(&'a self, _: &'a str, _: u64, _: u64) -> BoxFuture<'a, Result<Begun, OnceError>> {
        Box::pin(async { Err(OnceError::new("`/var/lib/shop.store` is damaged")) })
    }

    fn finish<'a>(&'a self, _: &'a str, _: &'a ToolOutput) -> BoxFuture<'a, Result<(), OnceError>> {
        Box::pin(async { Ok(()) })
    }

    fn forget<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), OnceError>> {
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn a_store_that_fails_tells_the_model_no_path() {
    let count = Arc::new(AtomicUsize::new(0));
    let tool = repertoire_tests::counting("pay", "Pays.", &count).policy(once(&[]));
    let agent = Agent::builder(calling(vec![vec![("pay", json!({"sku": "a"}))]]))
        .repertoire(Toolset::new().with_tool(tool))
        .once_store(Broken)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 0);
    let told = &texts(&conversation)[0];
    assert!(told.contains("`pay` was not run"), "{told}");
    assert!(!told.contains("/var/lib"), "{told}");
}
