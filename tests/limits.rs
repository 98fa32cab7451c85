//! A run ends at its limits, and its conversation is kept where the program says.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, Clock, Conversation, Stop, Toolset,
    agent::{AgentBuilder, Limits},
    conversation::{FileError, FileStore},
    testing::{Act, Rule, Script, TestClock},
};
use repertoire_tests::counting;
use serde_json::json;

/// A model that never stops calling; each call is ten seconds after the last.
fn endless(clock: &TestClock) -> AgentBuilder {
    let time = clock.clone();
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("again", move |seen| {
        time.advance(Duration::from_secs(10));
        Act::call("clock", json!({"sku": seen.calls().len().to_string()}))
    }));
    Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("clock", "Tells.", &Arc::default())))
        .clock(clock.clone())
}

#[test]
fn each_limit_ends_the_run_with_its_own_reason() {
    for (limits, stop, steps) in [
        (Limits::new().calls(4), Stop::CallLimit, 4),
        (
            Limits::new().time(Duration::from_secs(25)),
            Stop::TimeLimit,
            3,
        ),
        (Limits::new().tokens(1), Stop::TokenLimit, 1),
        (Limits::new(), Stop::MaxSteps, 6),
        (Limits::new().calls(0), Stop::CallLimit, 0),
    ] {
        let clock = TestClock::new();
        let agent = endless(&clock).max_steps(6).limits(limits).build().unwrap();
        let reply = clock.block_on(agent.run("go")).unwrap();
        assert_eq!((reply.stop(), reply.steps()), (stop, steps));
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("conversations")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_conversation_is_saved_after_every_step_and_loads_as_it_was() {
    let folder = folder("saved");
    let store = FileStore::new(&folder);
    let clock = TestClock::new();
    let agent = endless(&clock)
        .max_steps(3)
        .store(store.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("user/../42 ü");
    clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    let loaded = store.load("user/../42 ü").unwrap();
    assert_eq!(loaded.to_json(), conversation.to_json());
    let names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        names,
        ["user%2f%2e%2e%2f42%20%c3%bc.json"],
        "one file, in the folder"
    );
    // What was said is nobody else's.
    #[cfg(unix)]
    for (path, mode) in [(folder.clone(), 0o700), (folder.join(&names[0]), 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{}", path.display());
    }
    let error = store.load("none").unwrap_err();
    assert!(matches!(&error, FileError::Io { id, error, .. }
            if id == "none" && error.kind() == std::io::ErrorKind::NotFound));
    let file = folder.join("none.json").display().to_string();
    assert!(error.to_string().contains(&file), "{error}");
    fs::write(folder.join("torn.json"), "{\"version\": 1, \"it").unwrap();
    let error = store.load("torn").unwrap_err();
    assert!(matches!(error, FileError::Load { .. }));
    assert!(error.to_string().contains("torn.json"), "{error}");
    // A file that was copied is another conversation only if it says so.
    fs::copy(folder.join(&names[0]), folder.join("copy.json")).unwrap();
    let error = store.load("copy").unwrap_err().to_string();
    assert!(error.contains("user/../42 ü"), "{error}");
    fs::write(folder.join("none.json"), r#"{"version": 1, "items": []}"#).unwrap();
    assert_eq!(store.load("none").unwrap().id(), "none");
}

#[test]
fn a_store_that_fails_ends_the_run_with_the_reason() {
    let folder = folder("blocked");
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(&folder, "a file where the folder should be").unwrap();
    let clock = TestClock::new();
    let agent = endless(&clock)
        .store(FileStore::new(&folder))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let error = clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the conversation cannot be saved"),
        "{error}"
    );
    assert_eq!(conversation.items().len(), 1, "nobody was asked");
    assert_eq!(clock.now(), Duration::ZERO);
    let mut named = Conversation::new().with_id("x".repeat(201));
    let run = agent.run_in(&mut named, "go");
    let error = clock.block_on(run).unwrap_err().to_string();
    assert!(error.contains("201 bytes"), "{error}");
    assert_eq!(named.items().len(), 1, "nobody was asked");
    fs::remove_file(folder).unwrap();
}
