//! Tools that follow a plan and write down what happens to them.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Clock, ToolError, ToolOutput,
    testing::TestClock,
    tool,
    tool::{Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::strings;

use super::world::*;

/// One try of a tool, as the tool saw it.
#[derive(Clone, Debug)]
pub(crate) struct Try {
    pub(crate) tool: usize,
    pub(crate) key: String,
    pub(crate) deed: Deed,
    pub(crate) call: String,
    pub(crate) started: Duration,
    /// None while it runs, and for good if it was dropped in the middle.
    pub(crate) ended: Option<Duration>,
}

#[derive(Default)]
pub(crate) struct Log {
    pub(crate) tries: Mutex<Vec<Try>>,
    /// Tries whose future exists.
    pub(crate) alive: AtomicUsize,
}

/// Lives as long as a try.
pub(crate) struct Alive {
    pub(crate) log: Arc<Log>,
    pub(crate) clock: TestClock,
    pub(crate) index: usize,
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.log.alive.fetch_sub(1, Ordering::SeqCst);
        self.log.tries.lock().unwrap()[self.index].ended = Some(self.clock.now());
    }
}

pub(crate) fn name(index: usize) -> String {
    format!("tool_{index}")
}

pub(crate) fn policy(plan: &Plan) -> Policy {
    let mut policy = Policy::new()
        .retries(plan.retries)
        .repeatable(plan.repeatable)
        .max_output(plan.max_output);
    policy.timeout = plan.timeout.map(Duration::from_secs);
    policy.deadline = plan.deadline.map(Duration::from_secs);
    if plan.once {
        policy = policy.once(Once::new().key(&["key"]));
    }
    match plan.post_process {
        1 => policy.post_process(|output| format!("<{}>", output.to_text()).into()),
        2 => policy.post_process(|_| panic!("post_process has had enough")),
        _ => policy,
    }
}

pub(crate) fn tool(index: usize, plans: &[Plan], clock: &TestClock, log: &Arc<Log>) -> RuntimeTool {
    let plan = plans[index].clone();
    let (clock, log) = (clock.clone(), Arc::clone(log));
    let deeds = plan.deeds.clone();
    let run = move |arguments: serde_json::Value, context: repertoire::Context| {
        let mut tries = log.tries.lock().unwrap();
        let so_far = tries.iter().filter(|a_try| a_try.tool == index).count();
        let deed = deeds[so_far % deeds.len()];
        tries.push(Try {
            tool: index,
            key: arguments["key"].as_str().unwrap().to_owned(),
            deed,
            call: context.call_id().to_owned(),
            started: clock.now(),
            ended: None,
        });
        log.alive.fetch_add(1, Ordering::SeqCst);
        let alive = Alive {
            log: Arc::clone(&log),
            clock: clock.clone(),
            index: tries.len() - 1,
        };
        drop(tries);
        assert!(deed != Deed::PanicAtOnce, "panicked at once");
        let clock = clock.clone();
        let secs = Duration::from_secs;
        let fail = |kind| Err(ToolError::new(kind, "it\nfailed").with_code("E1"));
        async move {
            let _alive = alive;
            match deed {
                Deed::Succeed | Deed::PanicAtOnce => Ok("done".into()),
                Deed::SucceedAfter(after) => {
                    clock.sleep(secs(after)).await;
                    Ok("done later".into())
                }
                Deed::Fail(kind) => fail(kind),
                Deed::FailAfter(after, kind) => {
                    clock.sleep(secs(after)).await;
                    fail(kind)
                }
                Deed::Hang => pending().await,
                Deed::PanicAfter(after) => {
                    clock.sleep(secs(after)).await;
                    panic!("panicked later")
                }
                Deed::Huge => Ok("große Zeile\n".repeat(20_000).into()),
                Deed::Odd => Ok("\u{0}\u{1b}[31m\u{2028}\"}]\\\r\n\u{feff}\u{202e}".into()),
                Deed::Nothing => Ok(ToolOutput::default()),
            }
        }
    };
    let mut tool = RuntimeTool::with_context(name(index), "Does it.", strings(&["key"]), run)
        .policy(policy(&plan));
    if plan.serial {
        tool = tool.serial();
    }
    if plan.fallback && index + 1 < plans.len() {
        tool = tool.fallback(name(index + 1));
    }
    tool
}

/// Cannot be written as JSON.
pub(crate) struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("no words for it")
    }
}

/// Return what nobody can write down.
#[tool]
pub(crate) fn unwritable(
    /// Anything.
    key: &str,
) -> Result<Unwritable, ToolError> {
    match key {
        "k0" => Err(ToolError::failed("not even tried")),
        _ => Ok(Unwritable),
    }
}
