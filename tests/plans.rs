//! Whatever tools do and whenever a run is cancelled: exactly one result a call, in call order;
//! nothing runs twice that must not; nothing is left behind.

use std::{
    collections::HashMap,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::{Either, select};
use proptest::prelude::*;
use repertoire::{
    Agent, Anthropic, BoxFuture, Cancel, Clock, Conversation, Stop, ToolError, ToolOutput, Toolset,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
    testing::{Rule, Script, TestClock},
    tool,
    tool::{ErrorKind, Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::strings;
use serde_json::json;

/// What one try of a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Succeed,
    SucceedAfter(u64),
    Fail(ErrorKind),
    FailAfter(u64, ErrorKind),
    Hang,
    /// Panics before there is a future.
    PanicAtOnce,
    PanicAfter(u64),
    Huge,
    /// Characters that break lines, terminals and careless JSON.
    Odd,
    Nothing,
}

impl Deed {
    /// Whether the tool says that nothing has happened.
    fn is_harmless(self) -> bool {
        let (Self::Fail(kind) | Self::FailAfter(_, kind)) = self else {
            return false;
        };
        matches!(
            kind,
            ErrorKind::Transient | ErrorKind::Invalid | ErrorKind::Denied | ErrorKind::NotFound
        )
    }
}

#[derive(Clone, Debug)]
struct Plan {
    /// What the tries of the tool do, over and over.
    deeds: Vec<Deed>,
    timeout: Option<u64>,
    deadline: Option<u64>,
    retries: u32,
    repeatable: bool,
    once: bool,
    serial: bool,
    /// Whether the next tool stands in.
    fallback: bool,
    /// 0: none, 1: one that works, 2: one that panics.
    post_process: u8,
    max_output: usize,
}

#[derive(Clone, Debug)]
struct World {
    plans: Vec<Plan>,
    /// The calls of each step: a tool, and the argument. One past the last tool is a tool that does
    /// not exist, the next one a tool whose output cannot be written, then one with wrong arguments.
    steps: Vec<Vec<(usize, u8)>>,
    cancel_after: u64,
    concurrency: usize,
}

fn kinds() -> impl Strategy<Value = ErrorKind> {
    prop_oneof![
        3 => Just(ErrorKind::Transient),
        1 => Just(ErrorKind::Invalid),
        1 => Just(ErrorKind::Denied),
        1 => Just(ErrorKind::NotFound),
        1 => Just(ErrorKind::Timeout),
        1 => Just(ErrorKind::Cancelled),
        1 => Just(ErrorKind::Unknown),
        2 => Just(ErrorKind::Failed),
    ]
}

fn deeds() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => Just(Deed::Succeed),
        2 => (1_u64..20).prop_map(Deed::SucceedAfter),
        3 => kinds().prop_map(Deed::Fail),
        2 => ((1_u64..20), kinds()).prop_map(|(after, kind)| Deed::FailAfter(after, kind)),
        2 => Just(Deed::Hang),
        1 => Just(Deed::PanicAtOnce),
        1 => (1_u64..20).prop_map(Deed::PanicAfter),
        1 => Just(Deed::Huge),
        1 => Just(Deed::Odd),
        1 => Just(Deed::Nothing),
    ]
}

fn plans() -> impl Strategy<Value = Plan> {
    (
        prop::collection::vec(deeds(), 1..4),
        prop::option::of(1_u64..10),
        prop::option::of(1_u64..30),
        (0_u32..4, any::<bool>()),
        any::<bool>(),
        prop::bool::weighted(0.3),
        any::<bool>(),
        0_u8..3,
        prop_oneof![Just(0_usize), Just(7), Just(100), Just(100_000)],
    )
        .prop_map(
            |(
                deeds,
                timeout,
                deadline,
                (retries, repeatable),
                once,
                serial,
                fallback,
                post,
                max,
            )| {
                Plan {
                    deeds,
                    timeout,
                    deadline,
                    retries,
                    repeatable,
                    once,
                    serial,
                    fallback,
                    post_process: post,
                    max_output: max,
                }
            },
        )
}

fn worlds() -> impl Strategy<Value = World> {
    prop::collection::vec(plans(), 1..4)
        .prop_flat_map(|plans| {
            let call = (0..plans.len() + 3, 0_u8..3);
            let steps = prop::collection::vec(prop::collection::vec(call, 1..6), 1..5);
            (Just(plans), steps, 0_u64..120, 1_usize..5)
        })
        .prop_map(|(plans, steps, cancel_after, concurrency)| World {
            plans,
            steps,
            cancel_after,
            concurrency,
        })
}

/// One try of a tool, as the tool saw it.
#[derive(Clone, Debug)]
struct Try {
    tool: usize,
    key: String,
    deed: Deed,
    call: String,
    started: Duration,
    /// None while it runs, and for good if it was dropped in the middle.
    ended: Option<Duration>,
}

#[derive(Default)]
struct Log {
    tries: Mutex<Vec<Try>>,
    /// Tries whose future exists.
    alive: AtomicUsize,
}

/// Lives as long as a try.
struct Alive {
    log: Arc<Log>,
    clock: TestClock,
    index: usize,
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.log.alive.fetch_sub(1, Ordering::SeqCst);
        self.log.tries.lock().unwrap()[self.index].ended = Some(self.clock.now());
    }
}

fn name(index: usize) -> String {
    format!("tool_{index}")
}

fn policy(plan: &Plan) -> Policy {
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

fn tool(index: usize, plans: &[Plan], clock: &TestClock, log: &Arc<Log>) -> RuntimeTool {
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
struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("no words for it")
    }
}

/// Return what nobody can write down.
#[tool]
fn unwritable(
    /// Anything.
    key: &str,
) -> Result<Unwritable, ToolError> {
    match key {
        "k0" => Err(ToolError::failed("not even tried")),
        _ => Ok(Unwritable),
    }
}

/// A model that makes the planned calls, step by step, and then ends.
struct Planner(World);

impl Planner {
    fn call(&self, id: String, (index, key): (usize, u8)) -> ToolCall {
        let key = json!({"key": format!("k{key}")}).to_string();
        match index.checked_sub(self.0.plans.len()) {
            None => ToolCall::new(id, name(index), key),
            Some(0) => ToolCall::new(id, "no_such_tool", key),
            Some(1) => ToolCall::new(id, unwritable::SPEC.name, key),
            Some(_) => ToolCall::new(id, name(0), r#"{"kye": "#),
        }
    }
}

impl Model for Planner {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let turns = request.items().iter();
        let step = turns.filter(|item| matches!(item, Item::Model(_))).count();
        let turn = match self.0.steps.get(step) {
            Some(calls) => {
                let calls = calls.iter().enumerate();
                let parts = calls.map(|(index, call)| {
                    ModelPart::Call(self.call(format!("call_{step}_{index}"), *call))
                });
                ModelTurn::new(parts.collect(), StopReason::ToolCalls, Usage::default())
            }
            None => ModelTurn::new(
                vec![ModelPart::Text("done".to_owned())],
                StopReason::End,
                Usage::default(),
            ),
        };
        Box::pin(std::future::ready(Ok(turn)))
    }
}

/// One result for each call of each response, in call order.
fn check_pairing(conversation: &Conversation) {
    let items = conversation.items();
    for (index, item) in items.iter().enumerate() {
        let Item::Model(turn) = item else { continue };
        let calls: Vec<(&str, &str)> = turn.calls().map(|call| (call.id(), call.name())).collect();
        if calls.is_empty() {
            continue;
        }
        let Some(Item::Results(results)) = items.get(index + 1) else {
            panic!("calls without results: {calls:?}");
        };
        let results: Vec<(&str, &str)> = results
            .iter()
            .map(|result| (result.call_id(), result.name()))
            .collect();
        assert_eq!(calls, results);
    }
}

/// No output is longer than its tool allows, the notice of the cut aside.
fn check_outputs(world: &World, conversation: &Conversation) {
    for item in conversation.items() {
        let Item::Results(results) = item else {
            continue;
        };
        for result in results {
            let text = result.output().to_text();
            if result.is_failed() {
                assert!(!text.contains('\n') && !text.trim().is_empty(), "{text:?}");
                continue;
            }
            let most = world.plans.iter().map(|plan| plan.max_output).max();
            assert!(
                text.len() <= most.unwrap_or_default() + 200,
                "{}",
                text.len()
            );
        }
    }
}

/// Nothing ran more often than its policy allows.
fn check_tries(world: &World, tries: &[Try]) {
    let mut by_call: HashMap<(usize, &str), u32> = HashMap::new();
    for (index, a_try) in tries.iter().enumerate() {
        let plan = &world.plans[a_try.tool];
        let count = by_call.entry((a_try.tool, &a_try.call)).or_default();
        *count += 1;
        let most = if plan.repeatable { 1 + plan.retries } else { 1 };
        assert!(
            *count <= most,
            "more than {most} tries in one call: {tries:#?}"
        );
        if !plan.once {
            continue;
        }
        let later = tries[index + 1..].iter();
        let same = later.filter(|later| later.tool == a_try.tool && later.key == a_try.key);
        for later in same {
            // A tool that may be repeated is, within one call; another call waits for the end.
            if plan.repeatable && later.call == a_try.call {
                continue;
            }
            assert!(
                a_try.ended.is_some_and(|ended| ended <= later.started),
                "two at once: {tries:#?}"
            );
            assert!(
                plan.repeatable || a_try.deed.is_harmless(),
                "ran again after it may have had its effect: {tries:#?}"
            );
        }
    }
}

fn run(world: &World) {
    let (clock, log, cancel) = (TestClock::new(), Arc::new(Log::default()), Cancel::new());
    let tools = (0..world.plans.len()).fold(Toolset::new().with::<unwritable>(), |tools, index| {
        tools.with_tool(tool(index, &world.plans, &clock, &log))
    });
    let agent = Agent::builder(Planner(world.clone()))
        .repertoire(tools)
        .clock(clock.clone())
        .concurrency(world.concurrency)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = clock.block_on(async {
        let run = std::pin::pin!(agent.run_until(&mut conversation, "go", &cancel));
        match select(run, clock.sleep(Duration::from_secs(world.cancel_after))).await {
            Either::Left((reply, _)) => reply.unwrap(),
            Either::Right(((), run)) => {
                cancel.cancel();
                run.await.unwrap()
            }
        }
    });
    assert!(matches!(reply.stop(), Stop::Done | Stop::Cancelled));
    assert!(clock.now() <= Duration::from_secs(world.cancel_after));
    check_pairing(&conversation);
    check_outputs(world, &conversation);
    check_tries(world, &log.tries.lock().unwrap());
    assert_eq!(log.alive.load(Ordering::SeqCst), 0, "a try is left behind");
    // The conversation can be saved, read and continued by another agent.
    let mut saved = Conversation::from_json(&conversation.to_json()).unwrap();
    assert_eq!(saved.to_json(), conversation.to_json());
    let steps = World {
        steps: Vec::new(),
        ..world.clone()
    };
    drop(agent);
    assert_eq!(Arc::strong_count(&log), 1, "something is left behind");
    let other = Agent::builder(Planner(steps)).build().unwrap();
    let reply = clock.block_on(other.run_in(&mut saved, "more")).unwrap();
    assert_eq!(reply.text(), "done");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_ends_in_one_result_a_call(world in worlds()) {
        run(&world);
    }
}

/// A tool that was tried and may have had its effect is not run again because the tool that stands in
/// for it failed without one.
#[test]
fn a_stand_in_without_effect_does_not_free_the_call() {
    let plan = |deed, fallback| Plan {
        deeds: vec![deed],
        timeout: None,
        deadline: None,
        retries: 0,
        repeatable: false,
        once: fallback,
        serial: false,
        fallback,
        post_process: 0,
        max_output: 100,
    };
    run(&World {
        plans: vec![
            plan(Deed::Fail(ErrorKind::Failed), true),
            plan(Deed::Fail(ErrorKind::NotFound), false),
        ],
        steps: vec![vec![(0, 0)], vec![(0, 0)]],
        cancel_after: 100,
        concurrency: 1,
    });
}

/// A function that post-processes is part of the tool, and so is its panic.
#[test]
fn a_panic_of_post_process_is_a_failed_result() {
    let clock = TestClock::new();
    let policy = Policy::new().post_process(|_| panic!("had enough"));
    let tool = RuntimeTool::new("work", "Does it.", strings(&["key"]), |_| async {
        Ok("done".into())
    });
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("work", json!({"key": "a"})))
        .rule(Rule::answer("work", str::to_owned));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(tool.policy(policy)))
        .build()
        .unwrap();
    let reply = clock.block_on(agent.run("go")).unwrap();
    assert_eq!(
        reply.text(),
        "R0010: what the tool returned could not be shown: had enough"
    );
}

/// The names of this process's threads.
#[cfg(target_os = "linux")]
fn tool_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.flatten().filter_map(|task| {
        let name = std::fs::read_to_string(task.path().join("comm"));
        name.ok()
    });
    names.filter(|name| name.trim() == "tool").count()
}

#[cfg(target_os = "linux")]
mod threads {
    use super::*;
    use repertoire::testing::Act;

    /// Block for a while.
    #[tool(blocking, read_only)]
    fn block(
        /// For how many milliseconds; 0 panics.
        millis: u64,
    ) -> u64 {
        assert!(millis > 0, "no time");
        std::thread::sleep(Duration::from_millis(millis));
        millis
    }

    /// Blocking calls run on threads of their own, and those end, whether somebody still waits or not.
    #[tokio::test]
    async fn no_thread_is_left_behind() {
        let calls: Vec<_> = (0..40)
            .map(|n| ("block".to_owned(), json!({"millis": n * 5})))
            .collect();
        let model =
            Script::new(Anthropic::new("m")).rule(Rule::new("call", move |seen| {
                match seen.calls().len() {
                    0 => Act::Call(calls.clone()),
                    _ => Act::Say("done".to_owned()),
                }
            }));
        let tools = Toolset::new()
            .with::<block>()
            .policy("block", |policy| policy.timeout(Duration::from_millis(60)))
            .unwrap();
        let agent = Agent::builder(model).repertoire(tools).build().unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        check_pairing(&conversation);
        let Item::Results(results) = &conversation.items()[2] else {
            panic!()
        };
        let late = results.iter().filter(|result| result.is_failed()).count();
        assert!(
            (10..40).contains(&late),
            "{late} of 40 took too long or panicked"
        );
        for _ in 0..200 {
            if tool_threads() == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} threads are left behind", tool_threads());
    }
}
