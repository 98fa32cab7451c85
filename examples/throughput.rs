//! How many calls a toolset carries at once, and what the pipeline around a call costs.
//!
//! ```text
//! cargo run --release --example throughput -- [CALLS] [ROUNDS]
//! ```
//!
//! First one step of so many calls of a tool that takes a millisecond, all at once: every call has
//! its result, in order. Then a tool that does nothing and has no policy: called as the tool macro
//! dispatches it, called in the pipeline, and called by another tool through the agent, which adds the
//! look-up, the gate, the metrics with their two looks at the clock, the spans and the event.

use std::time::{Duration, Instant};

use repertoire::{
    Agent, BoxFuture, Context, Conversation, Result, Tool, ToolError, Toolset,
    agent::repeated,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
    tool,
    tool::{Invocation, States},
};
use serde_json::{json, value::RawValue};

/// Wait for a millisecond.
#[tool]
async fn wait(
    /// What to return.
    number: u64,
) -> u64 {
    tokio::time::sleep(Duration::from_millis(1)).await;
    number
}

/// Return a number.
#[tool]
fn echo(
    /// The number.
    number: u64,
) -> u64 {
    number
}

/// Call `echo` many times and return the nanoseconds of one call, in the pipeline alone and in all.
#[tool]
async fn measure(
    /// How many times.
    calls: u64,
    #[context] cx: &Context,
) -> Result<Vec<f64>, ToolError> {
    let arguments = RawValue::from_string(ARGUMENTS.to_owned()).map_err(ToolError::failed)?;
    let started = Instant::now();
    repeated(cx, echo::SPEC.name, ARGUMENTS, calls).await?;
    let pipeline = nanos(started.elapsed(), calls);
    let started = Instant::now();
    for _ in 0..calls {
        std::hint::black_box(cx.call_tool::<echo>(&arguments).await?);
    }
    Ok(vec![pipeline, nanos(started.elapsed(), calls)])
}

const ARGUMENTS: &str = r#"{"number": 7}"#;
/// Calls of one measurement. A run keeps an event for each of them, so they are few and the rounds many.
const MEASURED: u64 = 1_000;

/// A model that makes these calls in one step.
struct Caller(Vec<(&'static str, serde_json::Value)>);

impl Model for Caller {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let turn = match request.items().last() {
            Some(Item::Results(_)) => {
                let text = vec![ModelPart::Text("done".to_owned())];
                ModelTurn::new(text, StopReason::End, Usage::default())
            }
            _ => {
                let calls = self.0.iter().enumerate().map(|(index, (name, arguments))| {
                    let call = ToolCall::new(index.to_string(), *name, arguments.to_string());
                    ModelPart::Call(call)
                });
                ModelTurn::new(calls.collect(), StopReason::ToolCalls, Usage::default())
            }
        };
        Box::pin(std::future::ready(Ok(turn)))
    }
}

fn agent(calls: Vec<(&'static str, serde_json::Value)>) -> Result<Agent> {
    let tools = Toolset::new()
        .with::<wait>()
        .with::<echo>()
        .with::<measure>();
    Agent::builder(Caller(calls)).repertoire(tools).build()
}

/// The results of a conversation, as texts.
fn results(conversation: &Conversation) -> Vec<String> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    let texts = results.flatten().map(|result| result.output().to_text());
    texts.collect()
}

fn nanos(time: Duration, calls: u64) -> f64 {
    time.as_secs_f64() * 1e9 / calls as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn least(values: Vec<f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

async fn at_once(calls: u64) -> Result<Duration> {
    let wanted = (0..calls).map(|number| (wait::SPEC.name, json!({"number": number})));
    let agent = agent(wanted.collect())?;
    let mut conversation = Conversation::new();
    let started = Instant::now();
    agent.run_in(&mut conversation, "go").await?;
    let time = started.elapsed();
    let expected: Vec<String> = (0..calls).map(|number| number.to_string()).collect();
    assert_eq!(
        results(&conversation),
        expected,
        "a result is lost or out of place"
    );
    Ok(time)
}

/// Nanoseconds of a bare call as the tool macro dispatches it.
async fn bare() -> Result<f64, ToolError> {
    let (call, states) = (echo::REGISTRATION.call(), States::new());
    let started = Instant::now();
    for _ in 0..MEASURED {
        std::hint::black_box(call(Invocation::new(ARGUMENTS, &states)).await?);
    }
    Ok(nanos(started.elapsed(), MEASURED))
}

/// Nanoseconds of a call in the pipeline alone, and through the agent.
async fn through(agent: &Agent) -> Result<Vec<f64>> {
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await?;
    let texts = results(&conversation);
    let nanos = texts
        .first()
        .and_then(|text| serde_json::from_str(text).ok());
    Ok(nanos.unwrap_or_else(|| vec![f64::NAN; 2]))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1);
    let mut number = |default: u64| -> std::result::Result<u64, std::num::ParseIntError> {
        numbers.next().map_or(Ok(default), |number| number.parse())
    };
    let (calls, rounds) = (number(10_000)?, number(301)?);
    let mut times = Vec::new();
    for _ in 0..3 {
        times.push(at_once(calls).await?.as_secs_f64());
    }
    let time = median(times);
    println!(
        "{calls} calls of a 1 ms tool at once: all results in order in {:.1} ms, {:.0} calls a second",
        time * 1e3,
        calls as f64 / time
    );
    let agent = agent(vec![(measure::SPEC.name, json!({"calls": MEASURED}))])?;
    let (mut alone, mut within, mut around) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        alone.push(bare().await.map_err(|error| error.to_string())?);
        if let [pipeline, all] = through(&agent).await?[..] {
            within.push(pipeline);
            around.push(all);
        }
    }
    // The least of many rounds is what the code costs; the median has what else the machine did.
    for (name, of) in [("least", least as fn(Vec<f64>) -> f64), ("median", median)] {
        let alone = of(alone.clone());
        let (within, around) = (of(within.clone()) - alone, of(around.clone()) - alone);
        println!(
            "{name} of {rounds} rounds of {MEASURED} calls without a policy, nanoseconds a call:"
        );
        println!("  as the macro dispatches it: {alone:.0}");
        println!("  the pipeline adds:          {within:.0}");
        println!(
            "  with all around it:         {around:.0} (look-up, gate, metrics, spans, event)"
        );
    }
    Ok(())
}
