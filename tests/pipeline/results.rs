//! The results of calls: their shape, their order, and that there is one for each.

use std::future::pending;

use repertoire::{
    Agent, Cancel, Clock, Conversation, Stop, ToolOutput, Toolset,
    testing::TestClock,
    tool::{ErrorKind, Policy},
};
use serde_json::json;

use super::support::*;

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
