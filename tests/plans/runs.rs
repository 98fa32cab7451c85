//! Random plans, carried out, and plans that once went wrong.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures_util::future::{Either, select};
use proptest::prelude::*;
use repertoire::{
    Agent, Anthropic, Cancel, Clock, Conversation, Stop, Toolset,
    testing::{Rule, Script, TestClock},
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::strings;
use serde_json::json;

use super::checks::*;
use super::model::*;
use super::tools::*;
use super::world::*;

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
