//! The keys that say how a tool is run, and the context of a call.

use std::time::Duration;

use repertoire::{
    Agent, Anthropic, Context, ToolOutput, Toolset,
    testing::{Act, Rule, Script},
    tool,
    tool::{Once, Policy},
};
use serde_json::json;

use crate::call;

fn shout(output: ToolOutput) -> ToolOutput {
    ToolOutput::text(output.to_text().to_uppercase())
}

/// Says all that can be said of a run.
#[tool(
    serial,
    timeout = "5s",
    deadline = "1m",
    retries = 3,
    backoff(first = "500ms", longest = "10s"),
    fallback = spare,
    once(key = [sku, day], within = "10m"),
    post_process = shout,
    max_output = 2_000,
    allow(undocumented),
)]
async fn reserve(sku: &str, day: Option<u8>) -> String {
    format!("{sku} {day:?}")
}

/// Takes the same and more.
#[tool(
    blocking,
    timeout = "1s",
    repeatable,
    once,
    backoff = "2s",
    allow(undocumented)
)]
fn spare(
    /// Described otherwise.
    sku: &str,
    day: Option<u8>,
    more: Option<u8>,
) -> String {
    format!("{sku} {day:?} {more:?}")
}

/// Says nothing.
#[tool]
fn plain() {}

/// Takes its context.
#[tool(allow(undocumented))]
async fn nested(#[context] cx: &Context, text: &str) -> Result<String, repertoire::ToolError> {
    let inner = cx.call_tool::<echo>(json!({"text": text})).await?;
    Ok(format!("{} said {}", cx.call_id(), inner.to_text()))
}

/// Says it again.
#[tool(allow(undocumented))]
fn echo(text: &str) -> String {
    text.to_owned()
}

/// Takes its context on another thread.
#[tool(blocking)]
fn aside(#[context] cx: &Context) -> String {
    cx.call_id().to_owned()
}

fn same(a: &Policy, b: &Policy) {
    assert_eq!((a.timeout, a.deadline), (b.timeout, b.deadline));
    assert_eq!((a.retries, a.repeatable), (b.retries, b.repeatable));
    assert_eq!(
        (a.backoff, a.once, a.max_output),
        (b.backoff, b.once, b.max_output)
    );
    assert_eq!(a.post_process.is_some(), b.post_process.is_some());
}

#[test]
fn keys_are_a_policy() {
    let spec = reserve::SPEC;
    let seconds = Duration::from_secs;
    let once = Once::new().key(&["sku", "day"]).within(seconds(600));
    let policy = Policy::new()
        .timeout(seconds(5))
        .deadline(seconds(60))
        .retries(3)
        .backoff(Duration::from_millis(500), seconds(10))
        .once(once)
        .post_process(shout)
        .max_output(2_000);
    same(&spec.policy, &policy);
    assert_eq!(spec.fallback, Some("spare"));
    let serial = spec.serial;
    assert!(serial);
    let change = spec.policy.post_process.unwrap();
    assert_eq!(change(ToolOutput::text("abc")).to_text(), "ABC");

    let policy = Policy::new()
        .timeout(seconds(1))
        .repeatable(true)
        .once(Once::new())
        .backoff(seconds(2), seconds(60));
    same(&spare::SPEC.policy, &policy);
    same(&plain::SPEC.policy, &Policy::new());
    assert_eq!(plain::SPEC.fallback, None);
}

#[tokio::test]
async fn a_tool_outside_of_an_agent_has_no_context() {
    let answer = call::<nested>(r#"{"text":"x"}"#).await;
    assert!(answer.starts_with("! R0004: "), "{answer}");
    assert!(!nested::SPEC.schema.contains("cx"));
}

#[tokio::test]
async fn a_tool_takes_its_context() {
    let script = Script::new(Anthropic::new("m")).rule(Rule::new("call", |seen| {
        match (seen.result_of("nested"), seen.result_of("aside")) {
            (Some(nested), Some(aside)) => Act::Say(format!("{nested}, {aside}")),
            _ => Act::Call(vec![
                ("nested".to_owned(), json!({"text": "hello"})),
                ("aside".to_owned(), json!({})),
            ]),
        }
    }));
    let tools = Toolset::new()
        .with::<nested>()
        .with::<echo>()
        .with::<aside>();
    let agent = Agent::builder(script).repertoire(tools).build().unwrap();
    let reply = agent.run("go").await.unwrap();
    let (nested, aside) = reply.text().split_once(", ").unwrap();
    let (id, _) = nested.split_once(" said hello").unwrap();
    assert!(!id.is_empty() && !aside.is_empty() && id != aside);
}
