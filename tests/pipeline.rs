//! Every call ends in exactly one result, whatever the tool does and however it is to be run.

use std::{
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, Cancel, Clock, Conversation, Event, Stop, ToolError, ToolOutput, Toolset,
    conversation::{Item, ToolResult},
    once::{Begun, MemoryOnce, OnceStore},
    testing::{Act, Rule, Script, TestClock},
    tool::{ErrorKind, Once, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::strings;
use serde_json::{Value, json};

type Outcome = Result<ToolOutput, ToolError>;

/// The times, in seconds, at which a tool was tried.
type Tries = Arc<Mutex<Vec<u64>>>;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A tool that writes down when it is tried and then does what `outcome` says.
fn tool<F, Fut>(name: &str, clock: &TestClock, tries: &Tries, outcome: F) -> RuntimeTool
where
    F: Fn(usize) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Outcome> + Send + 'static,
{
    let (clock, tries) = (clock.clone(), Arc::clone(tries));
    RuntimeTool::new(name, "Does it.", strings(&["key"]), move |_| {
        let mut tries = tries.lock().unwrap();
        tries.push(clock.now().as_secs());
        outcome(tries.len())
    })
}

fn failing(kind: ErrorKind) -> impl Fn(usize) -> std::future::Ready<Outcome> + Send + Sync {
    move |_| {
        std::future::ready(Err(
            ToolError::new(kind, "search service down").with_code("E1001")
        ))
    }
}

/// A model that makes these calls in one step, then ends.
fn script(calls: Vec<(&str, Value)>) -> Script<Anthropic> {
    let calls: Vec<(String, Value)> = calls.into_iter().map(|(n, a)| (n.to_owned(), a)).collect();
    Script::new(Anthropic::new("m")).rule(Rule::new("call", move |seen| {
        if seen.calls().is_empty() {
            Act::Call(calls.clone())
        } else {
            Act::Say("done".to_owned())
        }
    }))
}

fn results(conversation: &Conversation) -> Vec<ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results.clone()),
        _ => None,
    });
    results.flatten().collect()
}

/// Runs the calls and returns the results and events.
fn run(
    clock: &TestClock,
    tools: Toolset,
    calls: Vec<(&str, Value)>,
) -> (Vec<ToolResult>, Vec<Event>) {
    let agent = Agent::builder(script(calls))
        .repertoire(tools)
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    assert_eq!(reply.stop(), Stop::Done);
    (results(&conversation), reply.events().to_vec())
}

fn one_call() -> Vec<(&'static str, Value)> {
    vec![("work", json!({"key": "a"}))]
}

fn text(result: &ToolResult) -> String {
    result.output().to_text()
}

#[test]
fn a_passing_fault_is_tried_at_0_1_3_and_7_seconds() {
    for (kind, expected) in [
        (ErrorKind::Transient, vec![0, 1, 3, 7]),
        (ErrorKind::Timeout, vec![0, 1, 3, 7]),
        (ErrorKind::Invalid, vec![0]),
        (ErrorKind::Denied, vec![0]),
        (ErrorKind::NotFound, vec![0]),
        (ErrorKind::Unknown, vec![0]),
        (ErrorKind::Failed, vec![0]),
    ] {
        let (clock, tries) = (TestClock::new(), Tries::default());
        let tools = Toolset::new().with_tool(
            tool("work", &clock, &tries, failing(kind)).policy(Policy::new().retries(3)),
        );
        let (results, events) = run(&clock, tools, one_call());
        assert_eq!(*tries.lock().unwrap(), expected, "{kind:?}");
        assert_eq!(text(&results[0]), "E1001: search service down");
        let retried = events
            .iter()
            .filter(|event| matches!(event, Event::Retried { .. }));
        assert_eq!(retried.count(), expected.len() - 1);
    }
}

#[test]
fn what_may_not_run_twice_is_not_tried_again() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let policy = Policy::new().retries(3).repeatable(false);
    let tools = Toolset::new()
        .with_tool(tool("work", &clock, &tries, failing(ErrorKind::Transient)).policy(policy));
    run(&clock, tools, one_call());
    assert_eq!(*tries.lock().unwrap(), [0]);
}

#[test]
fn a_retry_that_succeeds_is_a_success() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let work = tool("work", &clock, &tries, |attempt| {
        std::future::ready(if attempt < 3 {
            Err(ToolError::new(ErrorKind::Transient, "not yet"))
        } else {
            Ok("there".into())
        })
    });
    let tools = Toolset::new().with_tool(work.policy(Policy::new().retries(5)));
    let (results, _) = run(&clock, tools, one_call());
    assert_eq!(*tries.lock().unwrap(), [0, 1, 3]);
    assert!(!results[0].is_failed());
}

#[test]
fn a_timeout_bounds_one_try_and_a_deadline_all_of_them() {
    let hang = |_| pending::<Outcome>();
    for (policy, expected, says, ended) in [
        (
            Policy::new().timeout(seconds(5)),
            vec![0],
            "R0007: no result within 5 s",
            5,
        ),
        (
            Policy::new().timeout(seconds(5)).retries(2),
            vec![0, 6, 13],
            "within 5 s",
            18,
        ),
        (
            Policy::new()
                .timeout(seconds(5))
                .retries(9)
                .deadline(seconds(12)),
            vec![0, 6],
            "within 12 s in all",
            12,
        ),
        (
            Policy::new().timeout(Duration::from_millis(1500)),
            vec![0],
            "within 1500 ms",
            1,
        ),
    ] {
        let (clock, tries) = (TestClock::new(), Tries::default());
        let tools = Toolset::new().with_tool(tool("work", &clock, &tries, hang).policy(policy));
        let (results, _) = run(&clock, tools, one_call());
        assert_eq!(*tries.lock().unwrap(), expected, "{says}");
        assert!(text(&results[0]).contains(says), "{}", text(&results[0]));
        assert_eq!(clock.now().as_secs(), ended, "{says}");
    }
}

#[test]
fn another_tool_stands_in_for_one_that_is_down() {
    for (kind, stands_in) in [
        (ErrorKind::Transient, true),
        (ErrorKind::Failed, true),
        (ErrorKind::Timeout, true),
        (ErrorKind::Invalid, false),
        (ErrorKind::Denied, false),
        (ErrorKind::NotFound, false),
        (ErrorKind::Unknown, false),
    ] {
        let (clock, first, second) = (TestClock::new(), Tries::default(), Tries::default());
        let tools = Toolset::new()
            .with_tool(tool("work", &clock, &first, failing(kind)).fallback("spare"))
            .with_tool(tool("spare", &clock, &second, |_| {
                std::future::ready(Ok("spare".into()))
            }));
        let (results, events) = run(&clock, tools, one_call());
        assert_eq!(
            second.lock().unwrap().len(),
            usize::from(stands_in),
            "{kind:?}"
        );
        assert_eq!(results[0].is_failed(), !stands_in);
        assert_eq!(results[0].name(), "work");
        let fell = events
            .iter()
            .any(|event| matches!(event, Event::FellBack { to, .. } if to == "spare"));
        assert_eq!(fell, stands_in);
    }
}

#[test]
fn a_stand_in_passes_its_own_gate_and_approval() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let spare = || {
        tool("spare", &clock, &tries, |_| {
            std::future::ready(Ok("spare".into()))
        })
    };
    let work = || {
        tool(
            "work",
            &clock,
            &Tries::default(),
            failing(ErrorKind::Failed),
        )
        .fallback("spare")
    };
    for spare in [spare().deferred(), spare().requires_approval()] {
        let tools = Toolset::new().with_tool(work()).with_tool(spare);
        let (results, _) = run(&clock, tools, one_call());
        assert!(results[0].is_failed());
        assert!(
            text(&results[0]).starts_with("E1001: search service down; in its place `spare`: ")
        );
        assert!(tries.lock().unwrap().is_empty());
    }
}

#[test]
fn a_fallback_that_is_missing_or_goes_in_a_circle_is_refused() {
    let clock = TestClock::new();
    let work = |name: &str, to: &str| {
        tool(name, &clock, &Tries::default(), failing(ErrorKind::Failed)).fallback(to)
    };
    let tools = Toolset::new()
        .with_tool(work("a", "b"))
        .with_tool(work("b", "a"))
        .with_tool(work("c", "none"))
        .with_tool(work("d", "d"));
    let error = Agent::builder(script(Vec::new()))
        .repertoire(tools)
        .build()
        .err()
        .unwrap();
    let text = error.to_string();
    for says in [
        "a -> b -> a",
        "`none`, which this agent does not have",
        "d -> d",
    ] {
        assert!(text.contains(says), "{says}\n{text}");
    }
}

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

#[test]
fn an_output_is_shaped_and_cut_between_characters_and_lines() {
    let long = |_| std::future::ready(Ok(ToolOutput::from("zeile ä\n".repeat(100))));
    let cut = |policy: Policy| {
        let (clock, tries) = (TestClock::new(), Tries::default());
        let tools = Toolset::new().with_tool(tool("work", &clock, &tries, long).policy(policy));
        text(&run(&clock, tools, one_call()).0[0])
    };
    let text = cut(Policy::new().max_output(50));
    assert_eq!(
        text,
        format!(
            "{}\n[cut after 44 of 900 bytes; ask for a smaller part to see the rest]",
            "zeile ä\n".repeat(5).trim_end()
        )
    );
    assert!(cut(Policy::new().max_output(7)).starts_with("zeile \n[cut after 6 of"));
    assert!(cut(Policy::new().max_output(0)).starts_with("\n[cut after 0 of 900"));
    assert_eq!(cut(Policy::new()).len(), 900);
    let upper = cut(Policy::new().post_process(|output| output.to_text().to_uppercase().into()));
    assert!(upper.starts_with("ZEILE Ä"));
}

#[test]
fn calls_run_together_in_order_and_serial_ones_alone() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let slow = |name: &str| {
        let sleeper = clock.clone();
        tool(name, &clock, &tries, move |_| {
            let sleep = sleeper.sleep(seconds(10));
            async move {
                sleep.await;
                Ok("slept".into())
            }
        })
    };
    let calls = |name: &'static str| {
        (0..3)
            .map(|n| (name, json!({"key": n.to_string()})))
            .collect()
    };
    let tools = || {
        Toolset::new()
            .with_tool(slow("work"))
            .with_tool(slow("alone").serial())
    };
    let (results, _) = run(&clock, tools(), calls("work"));
    assert_eq!(clock.now(), seconds(10), "together");
    assert_eq!(results.len(), 3);
    run(&clock, tools(), calls("alone"));
    assert_eq!(clock.now(), seconds(40), "one after the other");

    // No more at a time than the agent allows.
    let agent = Agent::builder(script(calls("work")))
        .repertoire(tools())
        .clock(clock.clone())
        .concurrency(2)
        .build()
        .unwrap();
    clock.block_on(agent.run("go")).unwrap();
    assert_eq!(clock.now(), seconds(60));
}

#[test]
fn a_cancelled_run_has_a_result_for_every_call() {
    let (clock, cancel) = (TestClock::new(), Cancel::new());
    let quick = tool("quick", &clock, &Tries::default(), |_| {
        std::future::ready(Ok("in time".into()))
    });
    let stopper = cancel.clone();
    let hang = tool("hang", &clock, &Tries::default(), move |_| {
        stopper.cancel();
        pending::<Outcome>()
    });
    let agent = Agent::builder(script(vec![
        ("quick", json!({"key": "a"})),
        ("hang", json!({"key": "a"})),
    ]))
    .repertoire(Toolset::new().with_tool(quick).with_tool(hang))
    .clock(clock.clone())
    .build()
    .unwrap();
    let mut conversation = Conversation::new();
    let reply = clock
        .block_on(agent.run_until(&mut conversation, "go", &cancel))
        .unwrap();
    assert_eq!(reply.stop(), Stop::Cancelled);
    let results = results(&conversation);
    assert_eq!(text(&results[0]), "in time");
    assert!(results[1].is_failed() && text(&results[1]).starts_with("R0008"));
    // The conversation goes on as if nothing had been.
    let reply = clock
        .block_on(agent.run_in(&mut conversation, "more"))
        .unwrap();
    assert_eq!(reply.text(), "done");
}

#[test]
fn a_policy_can_be_changed_where_the_program_is_deployed() {
    let (clock, tries) = (TestClock::new(), Tries::default());
    let tools = Toolset::new()
        .with_tool(tool("work", &clock, &tries, failing(ErrorKind::Transient)))
        .policy("work", |policy| policy.retries(1))
        .unwrap();
    run(&clock, tools.clone(), one_call());
    assert_eq!(*tries.lock().unwrap(), [0, 1]);
    let error = tools.policy("wrok", |policy| policy).unwrap_err();
    assert!(error.to_string().contains("no tool `wrok`"), "{error}");
}
