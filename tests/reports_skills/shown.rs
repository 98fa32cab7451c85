//! What the model is shown of skills, and what it gets when it reads one.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Skills,
    conversation::Item,
    skill::SkillCatalog,
    testing::{Act, Rule, Script, Scriptable},
};
use serde_json::{Value, json};

use super::support::Folder;

fn calling<P: Scriptable>(protocol: P, calls: Vec<Value>) -> Arc<Script<P>> {
    let left = Mutex::new(calls.into_iter());
    Arc::new(Script::new(protocol).rule(Rule::new(
        "next",
        move |_| match left.lock().unwrap().next() {
            Some(arguments) => Act::call("read_skill", arguments),
            None => Act::Say("done".to_owned()),
        },
    )))
}

/// Has a model read, and returns what it read and the requests it got.
async fn read(skills: Skills, calls: Vec<Value>) -> (Vec<String>, Vec<String>) {
    let mut conversation = Conversation::new();
    read_in(&mut conversation, skills, calls).await
}

async fn read_in(
    conversation: &mut Conversation,
    skills: Skills,
    calls: Vec<Value>,
) -> (Vec<String>, Vec<String>) {
    let model = calling(Anthropic::new("m"), calls);
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(skills)
        .build()
        .unwrap();
    let before = conversation.items().len();
    agent.run_in(conversation, "go").await.unwrap();
    let results = conversation
        .items()
        .iter()
        .skip(before)
        .filter_map(|item| match item {
            Item::Results(results) => Some(results),
            _ => None,
        });
    let texts = results
        .flatten()
        .map(|result| result.output().to_text())
        .collect();
    (texts, model.bodies())
}

/// deepagents#5416, #5415, #1494
#[tokio::test]
async fn a_conversation_that_goes_on_sees_the_skills_of_today() {
    let folder = Folder::new("public-thread");
    folder.skill("old", "", "x");
    let skills = folder.load();
    let mut conversation = Conversation::new();
    read_in(
        &mut conversation,
        skills.clone(),
        vec![json!({"name": "old"})],
    )
    .await;
    fs::remove_dir_all(folder.0.join("old")).unwrap();
    folder.skill("new", "", "fresh");
    let (texts, bodies) = read_in(
        &mut conversation,
        skills.rescan(),
        vec![json!({"name": "new"}), json!({"name": "old"})],
    )
    .await;
    assert!(bodies[0].contains("Helps with new") && !bodies[0].contains("Helps with old"));
    assert!(
        texts[0].contains("fresh") && texts[1].contains("there is no skill `old`"),
        "{texts:?}"
    );
}

/// deepagents#3235
#[tokio::test]
async fn the_first_request_lists_the_skills() {
    let folder = Folder::new("public-first");
    folder.skill("notes", "", "x");
    let (_, bodies) = read(folder.load(), Vec::new()).await;
    assert!(
        bodies[0].contains("- notes: Helps with notes."),
        "{}",
        bodies[0]
    );
}

/// deepagents#798
#[tokio::test]
async fn agents_of_one_set_do_not_change_each_other() {
    let folder = Folder::new("public-agents");
    folder.skill("parent", "", "x").skill("child", "", "x");
    let skills = folder.load();
    let agent = |name: &str| {
        let model = calling(Anthropic::new("m"), Vec::new());
        let agent = Agent::builder(Arc::clone(&model))
            .repertoire(skills.clone())
            .extensions([SkillCatalog::new().allow([name]).into()])
            .build()
            .unwrap();
        (agent, model)
    };
    let ((parent, seen), (child, seen_by_child)) = (agent("parent"), agent("child"));
    parent.run("go").await.unwrap();
    child.run("go").await.unwrap();
    parent.run("go").await.unwrap();
    let bodies = seen.bodies();
    assert_eq!(bodies[0], bodies[1]);
    assert!(bodies[0].contains("Helps with parent") && !bodies[0].contains("Helps with child"));
    assert!(!seen_by_child.bodies()[0].contains("Helps with parent"));
}

fn tools(body: &str) -> Vec<Value> {
    let body: Value = serde_json::from_str(body).unwrap();
    body["tools"].as_array().cloned().unwrap_or_default()
}

/// adk-python#6281
#[tokio::test]
async fn nothing_is_offered_for_files_where_there_are_none() {
    let folder = Folder::new("public-no-scripts");
    folder.skill("notes", "", "x");
    let (_, bodies) = read(folder.load(), Vec::new()).await;
    let offered = tools(&bodies[0]);
    assert_eq!(offered.len(), 1, "one tool reads, and none runs scripts");
    assert!(
        offered[0]["input_schema"]["properties"]
            .get("file")
            .is_none()
    );
    // Without a skill there is no tool for them at all.
    let (_, bodies) = read(Skills::new(), Vec::new()).await;
    assert!(!bodies[0].contains("read_skill"), "{}", bodies[0]);
}

/// adk-go#912
#[tokio::test]
async fn the_parameters_that_are_told_are_those_of_the_schema() {
    let folder = Folder::new("public-parameters");
    folder.skill("notes", "", "x").write("notes/a.md", "inside");
    let (texts, bodies) = read(
        folder.load(),
        vec![
            json!({"name": "notes"}),
            json!({"name": "notes", "file": "a.md"}),
        ],
    )
    .await;
    assert!(
        texts[0].contains("`read_skill` with name=\"notes\" and file"),
        "{}",
        texts[0]
    );
    let schema = &tools(&bodies[0])[0]["input_schema"];
    let keys: Vec<&str> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["file", "name"]);
    assert_eq!(texts[1], "inside");
}

/// agno#6304, #7482
#[tokio::test]
async fn a_reference_is_read_and_never_run() {
    let folder = Folder::new("public-reference");
    folder
        .skill("notes", "", "x")
        .write("notes/references/a.sh", "exit 1");
    let call = json!({"name": "notes", "file": "references/a.sh"});
    let (texts, _) = read(folder.load(), vec![call.clone(), call]).await;
    assert_eq!(texts, ["exit 1", "exit 1"]);
}

/// agent-framework#7008
#[tokio::test]
async fn a_file_is_asked_for_as_it_is_listed() {
    let folder = Folder::new("public-extension");
    folder
        .skill("notes", "", "x")
        .write("notes/style.md", "short");
    let calls =
        ["style.md", "./style.md", "style"].map(|file| json!({"name": "notes", "file": file}));
    let (texts, _) = read(folder.load(), calls.into()).await;
    assert_eq!(texts[..2], ["short", "short"]);
    assert!(texts[2].ends_with("Files: style.md."), "{}", texts[2]);
}

async fn body<P: Scriptable>(protocol: P, skills: Skills) -> String {
    let model = calling(protocol, Vec::new());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(skills)
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    model.bodies()[0].clone()
}

/// agent-framework#5883
#[tokio::test]
async fn every_protocol_shows_the_skills() {
    let folder = Folder::new("public-protocols");
    folder.skill("notes", "", "x");
    let skills = || folder.load();
    for body in [
        body(Anthropic::new("m"), skills()).await,
        body(Responses::new("m"), skills()).await,
        body(Chat::new("m"), skills()).await,
        body(Gemini::new("m"), skills()).await,
        body(Ollama::new("m"), skills()).await,
    ] {
        assert!(
            body.contains("Helps with notes") && body.contains("read_skill"),
            "{body}"
        );
    }
}

/// strands harness-sdk#2133, #3492: the catalog keeps the cache points, and lies within what is cached.
#[tokio::test]
async fn the_catalog_is_part_of_the_cached_prefix() {
    let folder = Folder::new("public-cache");
    folder.skill("notes", "", "x");
    let (_, bodies) = read(folder.load(), vec![json!({"name": "notes"})]).await;
    let parsed: Vec<Value> = bodies
        .iter()
        .map(|body| serde_json::from_str(body).unwrap())
        .collect();
    assert_eq!(parsed[0]["system"], parsed[1]["system"]);
    assert_eq!(parsed[0]["tools"], parsed[1]["tools"]);
    assert!(parsed[0]["system"].to_string().contains("Helps with notes"));
    assert!(
        !parsed[1]["messages"]
            .to_string()
            .contains("Helps with notes")
    );
    let points = |body: &str| body.matches("cache_control").count();
    let (_, without) = read(Skills::new(), Vec::new()).await;
    assert!(points(&bodies[0]) >= points(&without[0]));
}

/// claude-code#21891, codex#41445, opencode#11257
#[tokio::test]
async fn a_skill_that_was_read_is_not_read_in_again() {
    let folder = Folder::new("public-again");
    folder.skill("notes", "", &"Take notes. ".repeat(200));
    let call = json!({"name": "notes"});
    let (texts, _) = read(folder.load(), vec![call.clone(), call.clone(), call]).await;
    assert!(
        texts[0].len() > 2_000 && texts[1].len() < 200 && texts[2].len() < 200,
        "{texts:?}"
    );
}

/// claude-code#74990, #25994, #73280
#[tokio::test]
async fn a_conversation_that_was_cut_has_one_catalog_and_reads_anew() {
    let folder = Folder::new("public-compaction");
    folder.skill("notes", "", "Take notes.");
    let mut conversation = Conversation::new();
    let call = || vec![json!({"name": "notes"})];
    read_in(&mut conversation, folder.load(), call()).await;
    conversation.forget_before(conversation.items().len());
    let (texts, bodies) = read_in(&mut conversation, folder.load(), call()).await;
    assert_eq!(bodies[0].matches("Helps with notes").count(), 1);
    assert_eq!(texts, ["<skill name=\"notes\">\nTake notes.\n</skill>"]);
}
