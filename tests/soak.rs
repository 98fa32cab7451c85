//! A thousand conversations under eight workers leave no byte behind.

use std::{
    alloc::System,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use repertoire::{
    Agent, BoxFuture, Clock, Context, Conversation, Stop, ToolError, Toolset,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
    tool,
};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CONVERSATIONS: usize = 1_000;
const WORKERS: usize = 8;

/// Keep a text among the values of the conversation.
#[tool(timeout = "5s", deadline = "20s")]
async fn keep(
    /// The text.
    text: String,
    #[context] cx: &Context,
) -> Result<usize, ToolError> {
    tokio::task::yield_now().await;
    cx.set("kept", &text).map_err(ToolError::failed)?;
    cx.progress("kept");
    Ok(text.len())
}

/// Read the text, by way of another tool's result.
#[tool]
async fn recall(#[context] cx: &Context) -> Result<String, ToolError> {
    let length = cx.call_tool::<keep>(json!({"text": "again"})).await?;
    let kept: Option<String> = cx.get("kept").map_err(ToolError::failed)?;
    Ok(format!("{} {}", kept.unwrap_or_default(), length.to_text()))
}

/// Fail in every way there is.
#[tool(fallback = recall_instead, max_output = 20)]
fn fail(
    /// 0 fails, 1 panics, everything else is far too long.
    how: u64,
) -> Result<String, ToolError> {
    match how {
        0 => Err(ToolError::failed("as told")),
        1 => panic!("as told"),
        _ => Ok("long ".repeat(1_000)),
    }
}

/// Stand in for a tool that fails.
#[tool]
fn recall_instead(
    /// The same number.
    how: u64,
) -> u64 {
    how
}

/// Have an effect that must happen once.
#[tool(once(within = "1h"))]
fn once_only(
    /// What for.
    key: &str,
) -> String {
    key.to_owned()
}

/// A model that calls everything, several steps long.
struct Caller;

impl Model for Caller {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let step = request.items().len();
        let call = |index: usize, name: &str, arguments: serde_json::Value| {
            let id = format!("call_{step}_{index}");
            ModelPart::Call(ToolCall::new(id, name, arguments.to_string()))
        };
        let (parts, stop) = if step < 9 {
            let calls = vec![
                call(
                    0,
                    keep::SPEC.name,
                    json!({"text": "words ".repeat(step * 10)}),
                ),
                call(1, recall::SPEC.name, json!({})),
                call(2, fail::SPEC.name, json!({"how": step % 4})),
                call(3, once_only::SPEC.name, json!({"key": "the same"})),
                call(4, "no_such_tool", json!({})),
                call(5, keep::SPEC.name, json!({"txt": 1})),
            ];
            (calls, StopReason::ToolCalls)
        } else {
            let text = ModelPart::Text("done".to_owned());
            (vec![text], StopReason::End)
        };
        let turn = ModelTurn::new(parts, stop, Usage::default());
        Box::pin(std::future::ready(Ok(turn)))
    }
}

/// Time as each worker's own runtime keeps it, so that it ends with the worker. The system's clock
/// has one thread of timers for the whole process, which keeps the room that it once needed.
struct WorkerClock(Instant);

impl Clock for WorkerClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn unix_millis(&self) -> u64 {
        u64::try_from(self.now().as_millis()).unwrap()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}

fn agent() -> Agent {
    let tools = Toolset::new()
        .with::<keep>()
        .with::<recall>()
        .with::<fail>()
        .with::<recall_instead>()
        .with::<once_only>();
    Agent::builder(Caller)
        .repertoire(tools)
        .clock(WorkerClock(Instant::now()))
        .build()
        .unwrap()
}

/// Bytes that are allocated and not given back.
fn live() -> i64 {
    let stats = HEAP.stats();
    let bytes = |count: usize| i64::try_from(count).unwrap();
    bytes(stats.bytes_allocated) - bytes(stats.bytes_deallocated)
}

/// So many conversations, saved and read again in the middle, shared out among the workers.
fn converse(conversations: usize) {
    let (agent, taken) = (agent(), Arc::new(AtomicUsize::new(0)));
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| {
            let (agent, taken) = (agent.clone(), Arc::clone(&taken));
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_time()
                    .build()
                    .unwrap();
                while taken.fetch_add(1, Ordering::SeqCst) < conversations {
                    let mut conversation = Conversation::new();
                    for prompt in ["go", "go on"] {
                        let run = agent.run_in(&mut conversation, prompt);
                        assert_eq!(runtime.block_on(run).unwrap().stop(), Stop::Done);
                        let json = conversation.to_json();
                        conversation = Conversation::from_json(&json).unwrap();
                    }
                    check(&conversation);
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
}

fn check(conversation: &Conversation) {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    let results: Vec<_> = results.flatten().collect();
    assert_eq!(results.len(), 4 * 6);
    let failed = results.iter().filter(|result| result.is_failed()).count();
    assert_eq!(
        failed,
        4 * 2,
        "the tool that is none, and the wrong arguments"
    );
}

#[test]
fn a_thousand_conversations_leave_nothing_behind() {
    // Panics are told to the log, which is not what is measured.
    std::panic::set_hook(Box::new(|_| {}));
    // What a program allocates once and keeps, such as tables of the standard library.
    converse(2 * WORKERS);
    let before = live();
    converse(CONVERSATIONS);
    let after = live();
    let all = HEAP.stats().bytes_allocated;
    println!("live bytes before {before}, after {after}, {all} allocated in all");
    assert_eq!(after, before);
}
