//! Which tools there are.

use std::sync::Arc;

use repertoire::{Agent, Responses, Toolset};
use repertoire_tests::counting;

use super::support::*;

#[test]
fn a_second_tool_of_one_name_is_refused_with_both_places() {
    let mut tools = Toolset::new();
    tools.add::<send_letter>().unwrap();
    let line = line!() + 1;
    let second = counting("send_letter", "Sends it again.", &Arc::default());
    let error = tools.add_tool(second).unwrap_err();
    assert_eq!(error.name(), "send_letter");
    let [first, second] = error.places();
    assert!(first.starts_with("tests/life/support.rs:"), "{first}");
    // `counting` makes it; the place is where the tool was made.
    assert!(
        second.starts_with("tests/lib.rs:"),
        "{second} (called in line {line})"
    );
    assert!(error.to_string().contains(first) && error.to_string().contains(second));
    assert_eq!(tools.len(), 1);
    assert_eq!(tools.add::<send_letter>().unwrap_err().places()[0], first);

    // Where all are taken at first, building the agent says the same.
    let both = Toolset::new().with::<send_letter>().with_toolset(tools);
    let error = Agent::builder(obedient(Responses::new("m")))
        .repertoire(both)
        .build();
    let error = error.err().unwrap().to_string();
    assert!(
        error.contains("2 tools are named `send_letter`") && error.contains(first),
        "{error}"
    );
}

#[test]
fn tools_are_listed_by_name_tag_and_group() {
    let count = Arc::default();
    let mut tools = Toolset::new().with::<send_letter>();
    let read = |name| {
        counting(name, "Reads.", &count)
            .tag("read")
            .tag("mail")
            .group("post")
    };
    tools.add_tool(read("read_letter")).unwrap();
    tools
        .add_tool(counting("clock", "Tells the time.", &count).version("3"))
        .unwrap();

    let info = tools.get("send_letter").unwrap();
    assert_eq!(info.tags().collect::<Vec<_>>(), ["mail"]);
    assert_eq!(
        (info.version(), info.author()),
        (Some("2.0.1"), Some("ann"))
    );
    assert!(!info.is_enabled() && tools.get("clock").unwrap().is_enabled());
    assert!(tools.get("send_Letter").is_none());
    let names = |tools: Vec<repertoire::toolset::ToolInfo<'_>>| -> Vec<String> {
        tools.iter().map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(
        names(tools.tagged("mail").collect()),
        ["send_letter", "read_letter"]
    );
    assert_eq!(names(tools.tagged("read").collect()), ["read_letter"]);
    assert_eq!(
        names(tools.in_group("post").collect()),
        ["send_letter", "read_letter"]
    );

    tools.enable("send_letter").unwrap();
    tools.disable("clock").unwrap();
    assert!(tools.enable("none").is_err());
    assert!(tools.remove("read_letter") && !tools.remove("read_letter"));
    let agent = Agent::builder(obedient(Responses::new("m")))
        .repertoire(tools)
        .build()
        .unwrap();
    assert_eq!(
        names(agent.tools().iter().collect()),
        ["clock", "send_letter"]
    );
    assert_eq!(
        names(agent.tools().tagged("mail").collect()),
        ["send_letter"]
    );
    assert_eq!(
        names(agent.tools().in_group("post").collect()),
        ["send_letter"]
    );
    assert!(!agent.tools().get("clock").unwrap().is_enabled());
    assert!(agent.tools().get("send_letter").unwrap().is_enabled());
    assert_eq!(agent.tools().get("clock").unwrap().version(), Some("3"));
}
