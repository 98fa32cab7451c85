//! Tries, and the time that they have.

use std::{future::pending, time::Duration};

use repertoire::{
    Clock, Event, ToolError, Toolset,
    testing::TestClock,
    tool::{ErrorKind, Policy},
};

use super::support::*;

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
