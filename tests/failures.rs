//! What a tool's own errors are for its call: whether they pass, and what is kept of them.

use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use repertoire::{
    Agent, Conversation, ToolError, ToolOutput, Toolset,
    agent::ResultFormat,
    testing::{self, TestClock},
    tool,
    tool::{ErrorKind, code},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, results, strings, texts};
use serde_json::{Value, json};

#[derive(Debug, thiserror::Error)]
enum StoreError {
    #[error("the store cannot be read")]
    Read(#[from] io::Error),
    #[error("no such shelf")]
    Shelf,
}

/// Fail with an error of the system.
#[tool(unlinked, retries = 3)]
fn fail_plainly(
    /// How.
    kind: String,
) -> Result<String, io::Error> {
    Err(error(&kind))
}

/// Fail with an error that has a cause.
#[tool(unlinked, retries = 3)]
fn fail_for_a_reason(
    /// How.
    kind: String,
) -> Result<String, StoreError> {
    match kind.as_str() {
        "shelf" => Err(StoreError::Shelf),
        kind => Err(error(kind).into()),
    }
}

fn error(kind: &str) -> io::Error {
    let kind = match kind {
        "refused" => io::ErrorKind::ConnectionRefused,
        "reset" => io::ErrorKind::ConnectionReset,
        "slow" => io::ErrorKind::TimedOut,
        "missing" => io::ErrorKind::NotFound,
        "forbidden" => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, "as the system says")
}

#[test]
fn errors_of_the_system_say_whether_they_pass() {
    for (how, kind, seconds) in [
        ("refused", ErrorKind::Transient, 7),
        ("reset", ErrorKind::Transient, 7),
        ("slow", ErrorKind::Timeout, 7),
        ("missing", ErrorKind::NotFound, 0),
        ("forbidden", ErrorKind::Denied, 0),
        ("other", ErrorKind::Failed, 0),
    ] {
        let clock = TestClock::new();
        let call = testing::call::<fail_plainly>(json!({"kind": how})).clock(clock.clone());
        let called = clock.block_on(call);
        let error = called.error().unwrap();
        assert_eq!(
            (error.kind(), error.message()),
            (kind, "as the system says"),
            "{how}"
        );
        assert_eq!(
            repertoire::Clock::now(&clock),
            Duration::from_secs(seconds),
            "{how}"
        );

        let clock = TestClock::new();
        let call = testing::call::<fail_for_a_reason>(json!({"kind": how})).clock(clock.clone());
        let called = clock.block_on(call);
        let error = called.error().unwrap();
        let message = "the store cannot be read: as the system says";
        assert_eq!((error.kind(), error.message()), (kind, message), "{how}");
    }
}

#[tokio::test]
async fn what_the_model_is_not_told_is_kept_for_the_program() {
    let called = testing::call::<fail_for_a_reason>(json!({"kind": "shelf"})).await;
    let error = called.error().unwrap();
    assert_eq!(
        (error.to_string().as_str(), error.details()),
        ("no such shelf", Some("Shelf"))
    );
    let error = ToolError::failed("short").with_details("long");
    assert_eq!(
        (error.to_string().as_str(), error.details()),
        ("short", Some("long"))
    );
}

static SENT: AtomicUsize = AtomicUsize::new(0);

/// Send something that can be sent once.
#[tool(unlinked, once(key = kind))]
fn send(
    /// How it fails.
    kind: String,
) -> Result<String, io::Error> {
    SENT.fetch_add(1, Ordering::SeqCst);
    Err(error(&kind))
}

/// Send something that can be sent once, and say so when it was not.
#[tool(unlinked, once(key = kind))]
fn send_and_know(
    /// How it fails.
    kind: String,
) -> Result<String, ToolError> {
    SENT.fetch_add(1, Ordering::SeqCst);
    Err(ToolError::new(ErrorKind::Transient, error(&kind)))
}

/// An operation that was refused need not be the first thing that the tool did.
#[tokio::test]
async fn only_the_tool_knows_that_nothing_has_happened() {
    let failing = ["reset", "slow", "refused", "missing", "forbidden"].map(|how| ("send", how, 1));
    for (tool, how, times) in failing.into_iter().chain([("send_and_know", "refused", 2)]) {
        SENT.store(0, Ordering::SeqCst);
        let twice = vec![vec![(tool, json!({"kind": how}))]; 2];
        let agent = Agent::builder(calling(twice))
            .repertoire(Toolset::new().with::<send>().with::<send_and_know>())
            .build()
            .unwrap();
        agent.run("go").await.unwrap();
        assert_eq!(SENT.load(Ordering::SeqCst), times, "{tool} {how}");
    }
}

/// Sleep in a thread.
#[tool(unlinked, blocking, timeout = "10ms")]
fn sleep() {
    std::thread::sleep(Duration::from_millis(200));
}

/// Sleep in a thread, changing nothing.
#[tool(unlinked, blocking, read_only, timeout = "10ms")]
fn look() {
    std::thread::sleep(Duration::from_millis(200));
}

/// Panic in a thread.
#[tool(unlinked, blocking)]
fn panics() {
    panic!("out of paper");
}

#[tokio::test]
async fn what_blocks_and_is_late_may_still_run() {
    let late = testing::call::<sleep>(json!({})).await;
    let error = late.error().unwrap();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Unknown, Some(code::UNKNOWN))
    );
    let late = testing::call::<look>(json!({})).await;
    assert_eq!(late.error().unwrap().kind(), ErrorKind::Timeout);
    let panicked = testing::call::<panics>(json!({})).await;
    let text = panicked.error().unwrap().to_string();
    assert_eq!(text, "R0010: the tool panicked: out of paper");
}

/// Read from the copy.
#[tool(unlinked)]
fn read_copy(
    /// What.
    key: String,
) -> String {
    format!("copy of {key}")
}

/// Read.
#[tool(unlinked, fallback = read_copy, allow(repeated_name))]
fn read(
    /// What.
    key: String,
    #[state] down: &bool,
) -> Result<String, ToolError> {
    match down {
        true => Err(ToolError::failed("down")),
        false => Ok(key),
    }
}

#[tokio::test]
async fn a_tool_with_a_state_has_one_that_stands_in() {
    let agent = Agent::builder(calling(vec![vec![("read", json!({"key": "A"}))]]))
        .repertoire(Toolset::new().with::<read>().with::<read_copy>())
        .state(true)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["copy of A"]);
}

/// Count.
#[tool(unlinked, allow(repeated_name))]
fn count() -> Vec<u8> {
    vec![1, 2]
}

/// Greet.
#[tool(unlinked, allow(repeated_name))]
fn greet() -> ToolOutput {
    ToolOutput::text("hello").with_image("image/png", "AAAA")
}

#[tokio::test]
async fn every_result_can_have_one_form() {
    let steps = vec![vec![
        ("count", json!({})),
        ("greet", json!({})),
        ("send", json!({"kind": 1.5})),
        ("nothing", json!({})),
        ("long", json!({})),
    ]];
    let tools = Toolset::new()
        .with::<count>()
        .with::<greet>()
        .with::<send>()
        .with_tool(RuntimeTool::new(
            "long",
            "Counts far.",
            strings(&[]),
            |_| async { Ok(r#"{"z":12345678901234567890123,"a":1.10}"#.into()) },
        ));
    let agent = Agent::builder(calling(steps))
        .repertoire(tools)
        .result_format(ResultFormat::Envelope)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let results = results(&conversation);
    let value = |index: usize| -> Value {
        serde_json::from_str(&results[index].output().to_text()).unwrap()
    };
    assert_eq!(value(0), json!({"status": "ok", "data": [1, 2]}));
    assert_eq!(value(1), json!({"status": "ok", "data": "hello"}));
    assert_eq!(results[1].output().parts().len(), 2);
    assert_eq!(
        results[4].output().to_text(),
        r#"{"status":"ok","data":{"z":12345678901234567890123,"a":1.10}}"#
    );
    for (index, code) in [(2, "R0001"), (3, "R0002")] {
        assert_eq!(value(index)["status"], "failed");
        let message = value(index)["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(code), "{message}");
        assert!(results[index].is_failed());
    }
}
