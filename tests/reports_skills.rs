//! What users of other libraries ran into with skills. Each test is named after public reports (project
//! and number) and shows that it cannot happen here.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Skills,
    conversation::Item,
    skill::{Profile, SkillCatalog, SkillRoots},
    testing::{Act, Rule, Script, Scriptable},
};
use serde_json::{Value, json};

repertoire::skills!(static OWN = "../skills", untracked);
repertoire::skills!(static OTHERS = "../skillmd/tests/traps/26-prefix-names/skills", untracked, allow(description-no-when));

/// A folder of skills that is written anew for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("reports")
            .join(name);
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn skill(&self, name: &str, body: &str) -> &Self {
        let text = format!(
            "---\nname: {name}\ndescription: Helps with {name}. Use when asked.\n---\n{body}\n"
        );
        self.write(&format!("{name}/SKILL.md"), &text)
    }

    fn load(&self) -> Skills {
        Skills::from_roots([&self.0])
    }
}

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

fn names(skills: &Skills) -> Vec<&str> {
    skills.iter().map(|skill| skill.name()).collect()
}

/// mattpocock/skills#908, BuilderIO/skills#38, obra/superpowers#955, omnigent#6125
#[test]
fn an_unquoted_colon_drops_no_skill_in_silence() {
    let folder = Folder::new("colon");
    folder.write(
        "a/SKILL.md",
        "---\nname: a\ndescription: Use when: asked\n---\nx\n",
    );
    let skills = folder.load();
    assert_eq!(skills.get("a").unwrap().description(), "Use when: asked");
    let findings = skills.reports()[0].findings();
    assert_eq!(findings[0].kind().name(), "unquoted-colon");
    let strict = SkillRoots::new([&folder.0]).profile(Profile::Spec).load();
    let skipped = &strict.skipped()[0];
    assert_eq!((skipped.line(), skipped.column()), (3, 22));
    assert!(
        skipped.help().unwrap().contains("\"Use when: asked\""),
        "{skipped}"
    );
}

/// agentscope#2732, cline#12151, deer-flow#5587: a byte-order mark.
#[test]
fn a_byte_order_mark_hides_no_skill() {
    let folder = Folder::new("bom");
    folder.write(
        "a/SKILL.md",
        "\u{feff}---\nname: a\ndescription: Use when asked.\n---\nText.\n",
    );
    let skills = folder.load();
    let skill = skills.get("a").unwrap();
    assert_eq!(
        (skill.description(), skill.body().unwrap().as_ref()),
        ("Use when asked.", "Text.")
    );
}

/// SkVM#122, qwen-code#1512: CRLF.
#[test]
fn windows_line_ends_lose_nothing() {
    let folder = Folder::new("crlf");
    folder.write(
        "a/SKILL.md",
        "---\r\nname: a\r\ndescription: Use when asked.\r\n---\r\nText.\r\n",
    );
    let skills = folder.load();
    let skill = skills.get("a").unwrap();
    assert_eq!(
        (skill.description(), skill.body().unwrap().as_ref()),
        ("Use when asked.", "Text.")
    );
}

/// kimi-code#3673
#[test]
fn a_skipped_skill_is_named_with_the_reason() {
    let folder = Folder::new("skipped");
    folder
        .write("bad/SKILL.md", "---\nname: bad\n---\nx\n")
        .skill("good", "x");
    let skills = folder.load();
    assert_eq!(names(&skills), ["good"]);
    let text = skills.skipped()[0].to_string();
    assert!(
        text.contains("bad/SKILL.md:3:1: missing-description"),
        "{text}"
    );
}

/// deepagents#5416, #5415, #1494
#[tokio::test]
async fn a_conversation_that_goes_on_sees_the_skills_of_today() {
    let folder = Folder::new("thread");
    folder.skill("old", "x");
    let skills = folder.load();
    let mut conversation = Conversation::new();
    read_in(
        &mut conversation,
        skills.clone(),
        vec![json!({"name": "old"})],
    )
    .await;
    fs::remove_dir_all(folder.0.join("old")).unwrap();
    folder.skill("new", "fresh");
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
    let folder = Folder::new("first");
    folder.skill("notes", "x");
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
    let folder = Folder::new("agents");
    folder.skill("parent", "x").skill("child", "x");
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
    let folder = Folder::new("no-scripts");
    folder.skill("notes", "x");
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
    let folder = Folder::new("parameters");
    folder.skill("notes", "x").write("notes/a.md", "inside");
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
    let folder = Folder::new("reference");
    folder
        .skill("notes", "x")
        .write("notes/references/a.sh", "exit 1");
    let call = json!({"name": "notes", "file": "references/a.sh"});
    let (texts, _) = read(folder.load(), vec![call.clone(), call]).await;
    assert_eq!(texts, ["exit 1", "exit 1"]);
}

/// agent-framework#7008
#[tokio::test]
async fn a_file_is_asked_for_as_it_is_listed() {
    let folder = Folder::new("extension");
    folder.skill("notes", "x").write("notes/style.md", "short");
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
    let folder = Folder::new("protocols");
    folder.skill("notes", "x");
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
    let folder = Folder::new("cache");
    folder.skill("notes", "x");
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

/// spring-ai-agent-utils#28, #50
#[test]
fn several_sets_are_in_the_binary_with_all_their_files() {
    let skills = Skills::from(&OWN).with(Skills::from(&OTHERS));
    assert!(
        names(&skills).contains(&"using-jj-workspaces"),
        "{:?}",
        names(&skills)
    );
    assert!(skills.skipped().is_empty());
    for skill in skills.iter() {
        assert!(!skill.body().unwrap().is_empty(), "{}", skill.name());
        for file in skill.files() {
            assert!(skill.read_file(file.path()).is_ok(), "{}", file.path());
        }
    }
    let dirs = OTHERS
        .dirs()
        .map(|(name, dir)| (name, dir.get_file("SKILL.md").is_some()));
    assert_eq!(
        dirs.collect::<Vec<_>>(),
        [("using-jj", true), ("using-jj-workspaces", true)]
    );
}

/// claude-code#21891, codex#41445, opencode#11257
#[tokio::test]
async fn a_skill_that_was_read_is_not_read_in_again() {
    let folder = Folder::new("again");
    folder.skill("notes", &"Take notes. ".repeat(200));
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
    let folder = Folder::new("compaction");
    folder.skill("notes", "Take notes.");
    let mut conversation = Conversation::new();
    let call = || vec![json!({"name": "notes"})];
    read_in(&mut conversation, folder.load(), call()).await;
    conversation.forget_before(conversation.items().len());
    let (texts, bodies) = read_in(&mut conversation, folder.load(), call()).await;
    assert_eq!(bodies[0].matches("Helps with notes").count(), 1);
    assert_eq!(texts, ["<skill name=\"notes\">\nTake notes.\n</skill>"]);
}

/// opencode#46327, hermes-agent#112179, codex#31592: symbolic links.
#[cfg(unix)]
#[test]
fn links_are_followed_once_and_never_out() {
    use std::os::unix::fs::symlink;

    let (folder, outside) = (Folder::new("links"), Folder::new("links-outside"));
    outside.skill("secret", "x");
    folder.skill("real", "x").write(
        "shared/text.md",
        "---\nname: file\ndescription: Use when asked.\n---\nx\n",
    );
    symlink("real", folder.0.join("same")).unwrap();
    fs::create_dir(folder.0.join("file")).unwrap();
    symlink("../shared/text.md", folder.0.join("file/SKILL.md")).unwrap();
    symlink(outside.0.join("secret"), folder.0.join("secret")).unwrap();
    let skills = folder.load();
    assert_eq!(names(&skills), ["file", "real"]);
    let refused: Vec<String> = skills.skipped().iter().map(ToString::to_string).collect();
    assert!(
        refused
            .iter()
            .any(|text| text.contains("symlink-refused") && text.contains("secret")),
        "{refused:?}"
    );
    assert!(
        !refused.iter().any(|text| text.contains("is taken")),
        "seen twice: {refused:?}"
    );
    // A file that becomes a link out of the folder after it was found is not read.
    folder.write("real/a.md", "inside");
    let skills = folder.load();
    fs::remove_file(folder.0.join("real/a.md")).unwrap();
    symlink(
        outside.0.join("secret/SKILL.md"),
        folder.0.join("real/a.md"),
    )
    .unwrap();
    let error = skills.get("real").unwrap().read_file("a.md").unwrap_err();
    assert!(error.to_string().contains("a link out of"), "{error}");
}

/// OpenMontage#192
#[test]
fn a_name_in_another_spelling_is_told() {
    let folder = Folder::new("spelling");
    folder.write(
        "video_gen/SKILL.md",
        "---\nname: video-gen\ndescription: Use when asked.\n---\nSee [it](references/shot_list.md).\n",
    );
    folder.write("video_gen/references/shot-list.md", "x");
    let skills = folder.load();
    let kinds: Vec<&str> = skills.reports()[0]
        .findings()
        .iter()
        .map(|finding| finding.kind().name())
        .collect();
    assert_eq!(kinds, ["name-directory-mismatch", "link-missing"]);
}
