//! Tools that stand in for others.

use repertoire::{Agent, Event, Toolset, testing::TestClock, tool::ErrorKind};

use super::support::*;

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
