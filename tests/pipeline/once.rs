//! Calls that must not run twice.

use std::{future::pending, sync::Arc};

use repertoire::{
    Agent, Conversation, Toolset,
    once::{Begun, MemoryOnce, OnceStore},
    testing::TestClock,
    tool::{ErrorKind, Once, Policy},
};
use serde_json::json;

use super::support::*;

#[test]
fn once_means_once_under_whatever_call_id() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let pay = tool("work", &clock, &tries, |n| {
        std::future::ready(Ok(format!("paid {n}").into()))
    });
    let policy = Policy::new().once(Once::new().within(seconds(600)));
    let tools = Toolset::new().with_tool(pay.policy(policy));
    let same = |key: &str| ("work", json!({"key": key}));
    let (results, _) = run(&clock, tools.clone(), vec![same("a"), same("a"), same("b")]);
    assert_eq!(
        tries.lock().unwrap().len(),
        2,
        "the same call at the same time waits"
    );
    assert_eq!(text(&results[0]), text(&results[1]));

    // Another conversation is another call; a key of arguments is the same call everywhere.
    run(&clock, tools, vec![same("a")]);
    assert_eq!(tries.lock().unwrap().len(), 3);
    tries.lock().unwrap().clear();
    let store = Arc::new(MemoryOnce::new());
    let policy = Policy::new().once(Once::new().key(&["key"]).within(seconds(600)));
    for (pause, expected) in [(0, 1), (0, 1), (599, 1), (2, 2)] {
        clock.advance(seconds(pause));
        let work = tool("work", &clock, &tries, |_| {
            std::future::ready(Ok("paid".into()))
        });
        let agent = Agent::builder(script(one_call()))
            .repertoire(Toolset::new().with_tool(work.policy(policy)))
            .clock(clock.clone())
            .once_store(Arc::clone(&store))
            .build()
            .unwrap();
        clock.block_on(agent.run("go")).unwrap();
        assert_eq!(tries.lock().unwrap().len(), expected, "after {pause} s");
    }
}

#[test]
fn a_call_that_may_have_run_is_not_run_again() {
    let once = Policy::new().once(Once::new().key(&["key"]));
    let hang = |_| pending::<Outcome>();
    for (policy, kind, runs_again) in [
        (once.timeout(seconds(1)), None, false),
        (once, Some(ErrorKind::Unknown), false),
        (once, Some(ErrorKind::Failed), false),
        (once, Some(ErrorKind::Transient), true),
        (once, Some(ErrorKind::Invalid), true),
    ] {
        let (clock, tries) = (TestClock::new(), Tries::default());
        let work = match kind {
            Some(kind) => tool("work", &clock, &tries, failing(kind)),
            None => tool("work", &clock, &tries, hang),
        };
        let tools = Toolset::new().with_tool(work.policy(policy));
        let same = ("work", json!({"key": "a"}));
        let (results, _) = run(&clock, tools, vec![same.clone(), same]);
        assert_eq!(
            tries.lock().unwrap().len(),
            1 + usize::from(runs_again),
            "{kind:?}"
        );
        if !runs_again {
            assert!(text(&results[1]).contains("R0009"), "{}", text(&results[1]));
            assert!(
                text(&results[1]).contains("may have run"),
                "{}",
                text(&results[1])
            );
        }
    }
}

#[test]
fn wrong_arguments_leave_no_trace_in_the_memory_of_calls() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let work = tool("work", &clock, &tries, |_| {
        std::future::ready(Ok("x".into()))
    });
    let tools = Toolset::new().with_tool(
        work.policy(Policy::new().once(Once::new().key(&["key"])))
            .requires_approval(),
    );
    let agent = Agent::builder(script(vec![("work", json!({"kye": "a"}))]))
        .repertoire(tools)
        .clock(clock.clone())
        .approve(|_| -> std::future::Ready<bool> { panic!("nobody is asked") })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    assert!(text(&results(&conversation)[0]).contains("did you mean `key`"));
    assert!(tries.lock().unwrap().is_empty());
}

#[test]
fn a_memory_of_calls_is_bounded_and_forgets_no_intent() {
    let clock = TestClock::new();
    clock.block_on(async {
        let store = MemoryOnce::with_limit(2);
        assert_eq!(store.begin("intent", 0, 100).await.unwrap(), Begun::New);
        for key in ["a", "b", "c"] {
            assert_eq!(store.begin(key, 0, 100).await.unwrap(), Begun::New);
            store.finish(key, &"x".into()).await.unwrap();
        }
        assert_eq!(
            store.begin("a", 0, 100).await.unwrap(),
            Begun::New,
            "the oldest is gone"
        );
        assert_eq!(
            store.begin("c", 0, 100).await.unwrap(),
            Begun::Done("x".into())
        );
        assert_eq!(
            store.begin("intent", 0, 100).await.unwrap(),
            Begun::Unfinished
        );
        assert_eq!(
            store.begin("intent", 100, 200).await.unwrap(),
            Begun::New,
            "its time is over"
        );
        store.forget("intent").await.unwrap();
        assert_eq!(store.begin("intent", 100, 200).await.unwrap(), Begun::New);
    });
}
