//! Models and tools to look at.

use repertoire::{
    Skills,
    testing::{Act, Rule, Script, Scriptable},
    toolset::RuntimeTool,
};
use repertoire_tests::{record::Fields, strings};
use serde_json::{Value, json};

/// A model that makes these calls one step after the other, then says something.
pub(crate) fn steps<P: Scriptable>(
    protocol: P,
    calls: Vec<Vec<(&'static str, Value)>>,
) -> Script<P> {
    Script::new(protocol).rule(Rule::new("next", move |seen| {
        let mut done = 0;
        let next = calls.iter().find(|step| {
            done += step.len();
            done > seen.calls().len()
        });
        match next {
            Some(step) => {
                let calls = step
                    .iter()
                    .map(|(tool, json)| ((*tool).to_owned(), json.clone()));
                Act::Call(calls.collect())
            }
            None => Act::Say("the end".to_owned()),
        }
    }))
}

pub(crate) fn skills() -> Skills {
    // A folder for each test: one that is being written is none that can be read.
    let test = std::thread::current().name().unwrap_or("main").to_owned();
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("observe-skills")
        .join(test);
    let folder = root.join("stock-check");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: stock-check\ndescription: Use to check the stock.\n---\nCheck it.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    Skills::from_roots([&root])
}

/// A tool that gives way once, so that calls of one step run in turns, then calls `leaf`.
pub(crate) fn outer(name: &'static str) -> RuntimeTool {
    let nest = move |_, context: repertoire::Context| async move {
        tokio::task::yield_now().await;
        let output = context.call("leaf", json!({"sku": name})).await;
        tokio::task::yield_now().await;
        output
    };
    RuntimeTool::with_context(name, "Calls.", strings(&[]), nest)
}

pub(crate) fn field<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).map_or("", String::as_str)
}

/// The messages of events, with their levels.
pub(crate) fn messages(events: &[Fields]) -> Vec<String> {
    let message = |event: &Fields| format!("{} {}", event["level"], field(event, "message"));
    events.iter().map(message).collect()
}
