//! Skills as a model meets them: listed, found, read, refused.

mod odd;
mod refused;
mod sets;
mod support;

use std::fs;

use repertoire::{
    Agent, Anthropic,
    agent::{Extension, ToolSearch},
    skill::{SkillCatalog, SkillForm},
    testing::{Act, Rule, Script},
};
use serde_json::{Value, json};
use support::*;

#[tokio::test]
async fn a_skill_is_read_once_and_its_files_by_their_list() {
    let folder = Folder::new("read");
    folder
        .skill("notes", "", "Take notes.")
        .write("notes/references/style.md", "Short sentences.")
        .write("notes/logo.png", b"\x89PNG\r\n\x1a\n\0\xff")
        .write("secret.txt", "not a part of any skill");
    let name = "notes";
    let results = read_simply(
        folder.load(),
        vec![
            ("read_skill", json!({"name": name})),
            ("read_skill", json!({"name": name})),
            (
                "read_skill",
                json!({"name": name, "file": "references/style.md"}),
            ),
            ("read_skill", json!({"name": name, "file": "logo.png"})),
            ("read_skill", json!({"name": name, "file": "../secret.txt"})),
            (
                "read_skill",
                json!({"name": name, "file": "references/../../secret.txt"}),
            ),
            ("read_skill", json!({"name": "../../etc/passwd"})),
            ("read_skill", json!({"name": "notes/../notes"})),
            ("read_skill", json!({"skill": name})),
            ("read_skill", json!(["notes"])),
            ("notes", json!({})),
            ("Notes", json!({"name": name})),
            ("skill_notes", json!({})),
            ("skills:notes", json!({})),
            ("skill_note", json!({})),
        ],
    )
    .await;
    let texts: Vec<String> = results.iter().map(text).collect();
    assert_eq!(
        texts[0],
        "<skill name=\"notes\">\nTake notes.\n</skill>\n\nFiles of this skill (`read_skill` with \
         name=\"notes\" and file):\n- logo.png (10 bytes)\n- references/style.md (16 bytes)"
    );
    assert!(
        texts[1].contains("already") && !texts[1].contains("Take notes"),
        "{}",
        texts[1]
    );
    assert_eq!(texts[2], "Short sentences.");
    assert_eq!(
        texts[3],
        "`logo.png` is a PNG image of 10 bytes, not text, and is not shown."
    );
    for (index, says) in [
        (4, "has no file `../secret.txt`"),
        (5, "has no file"),
        (6, "there is no skill `../../etc/passwd`. Skills: notes"),
        (7, "there is no skill"),
        (8, "unknown field `skill`"),
        (9, "expected"),
        (10, "`notes` is a skill, not a tool"),
        (11, "`notes` is a skill, not a tool"),
        (12, "`notes` is a skill, not a tool"),
        (13, "`notes` is a skill, not a tool"),
        (14, "there is no tool `skill_note`"),
    ] {
        assert!(results[index].is_failed(), "{index}");
        assert!(texts[index].contains(says), "{index}: {}", texts[index]);
    }
    assert!(texts.iter().all(|text| !text.contains("not a part")));
}

#[tokio::test]
async fn a_body_on_disk_is_read_again_and_may_have_vanished() {
    let folder = Folder::new("edited");
    folder.skill("notes", "", "First.");
    folder.skill("gone", "", "Gone.");
    folder.skill("broken", "", "Broken.");
    let skills = folder.load();
    let path = folder.0.clone();
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
        match seen.calls().len() {
            0 => Act::call("read_skill", json!({"name": "notes"})),
            1 => {
                let again = Folder(path.clone());
                again
                    .skill("notes", "", "Second.")
                    .write("broken/SKILL.md", "no frontmatter");
                fs::remove_dir_all(path.join("gone")).unwrap();
                Act::call("read_skill", json!({"name": "notes"}))
            }
            2 => Act::call("read_skill", json!({"name": "gone"})),
            3 => Act::call("read_skill", json!({"name": "broken"})),
            _ => Act::Say(
                seen.results()
                    .iter()
                    .map(|r| r.text())
                    .collect::<Vec<_>>()
                    .join("|"),
            ),
        }
    }));
    let agent = Agent::builder(model).repertoire(skills).build().unwrap();
    let reply = agent.run("go").await.unwrap();
    let texts: Vec<&str> = reply.text().split('|').collect();
    assert!(texts[0].contains("First."));
    assert!(
        texts[1].contains("Second."),
        "an edit is no repeat: {}",
        texts[1]
    );
    assert!(texts[2].contains("cannot be read any more"), "{}", texts[2]);
    assert!(texts[3].contains("no longer valid"), "{}", texts[3]);
    assert!(
        !reply.text().contains(env!("CARGO_TARGET_TMPDIR")),
        "no path of the host: {}",
        reply.text()
    );
}

#[tokio::test]
async fn a_long_text_comes_in_pages_that_end_at_characters() {
    let folder = Folder::new("long");
    let line = "Zeile mit Umlauten: äöü — 漢字.\n";
    let long = line.repeat(3000);
    let unbroken = "漢".repeat(30_000);
    folder
        .skill("long", "", &long)
        .write("long/one-line.txt", &unbroken);
    let skills = folder.load();
    for (file, whole) in [
        (None, long.trim()),
        (Some("one-line.txt"), unbroken.as_str()),
    ] {
        let mut joined = String::new();
        let mut offset = 0;
        for _ in 0..20 {
            let call = json!({"name": "long", "file": file, "offset": offset});
            let results = read_simply(skills.clone(), vec![("read_skill", call)]).await;
            let page = text(&results[0]);
            assert!(page.len() < 41_000, "{}", page.len());
            let page = page.trim_start_matches("<skill name=\"long\">\n");
            match page.split_once("\n[cut here; read on with offset=") {
                Some((part, rest)) => {
                    joined.push_str(part);
                    if file.is_none() {
                        joined.push('\n');
                    }
                    offset = rest.split(',').next().unwrap().parse().unwrap();
                }
                None => {
                    joined.push_str(page.split("\n</skill>").next().unwrap());
                    break;
                }
            }
        }
        assert!(joined == whole, "{} bytes of {}", joined.len(), whole.len());
    }
    // An offset in the middle of a character or beyond the end is no fault.
    let calls = vec![
        (
            "read_skill",
            json!({"name": "long", "file": "one-line.txt", "offset": 1}),
        ),
        ("read_skill", json!({"name": "long", "offset": usize::MAX})),
    ];
    let results = read_simply(skills, calls).await;
    assert!(!results[0].is_failed() && !results[1].is_failed());
    assert!(text(&results[1]).starts_with("[nothing at offset="));
}

#[tokio::test]
async fn the_catalog_has_three_forms() {
    let folder = Folder::new("forms");
    folder
        .skill("finance/invoices", "", "a")
        .skill("finance/taxes", "", "b")
        .skill("notes", "metadata:\n  group: writing\n", "c")
        .skill("loose", "", "d");
    let form = |form| -> Vec<Box<dyn Extension>> { vec![SkillCatalog::new().form(form).into()] };

    let (_, bodies, _) = read(
        Anthropic::new("m"),
        folder.load(),
        form(SkillForm::List),
        vec![],
    )
    .await;
    assert!(system(&bodies[0]).ends_with(
        "- invoices: Helps with invoices. Use when asked.\n- loose: Helps with loose. Use when \
         asked.\n- notes: Helps with notes. Use when asked.\n- taxes: Helps with taxes. Use when asked."
    ));
    assert!(!bodies[0].contains("find_skill"));

    let calls = vec![
        ("find_skill", json!({"queries": ["finance", "notes"]})),
        ("find_skill", json!({"queries": []})),
        ("find_skill", json!({"queries": ["zzzz"]})),
        ("read_skill", json!({"name": "taxes"})),
    ];
    let (results, bodies, _) = read(
        Anthropic::new("m"),
        folder.load(),
        form(SkillForm::Groups),
        calls,
    )
    .await;
    assert!(
        system(&bodies[0]).ends_with("- finance: 2 skills\n- other: 1 skill\n- writing: 1 skill")
    );
    assert_eq!(
        text(&results[0]),
        "- invoices: Helps with invoices. Use when asked.\n- taxes: Helps with taxes. Use when \
         asked.\n- notes: Helps with notes. Use when asked."
    );
    assert!(results[1].is_failed());
    assert!(text(&results[2]).contains("no skill matches"));
    assert!(text(&results[3]).contains("b\n</skill>"));

    let calls = vec![("find_skill", json!({"queries": ["help with taxes"]}))];
    let (results, bodies, _) = read(
        Anthropic::new("m"),
        folder.load(),
        form(SkillForm::Search),
        calls,
    )
    .await;
    let system = system(&bodies[0]);
    assert!(
        system.contains("There are 4 skills") && !system.contains("taxes"),
        "{system}"
    );
    assert!(
        text(&results[0]).starts_with("- taxes: "),
        "{}",
        text(&results[0])
    );
}

#[tokio::test]
async fn what_is_hidden_does_not_exist() {
    let folder = Folder::new("hidden");
    folder
        .skill("open", "", "a")
        .skill("denied", "", "b")
        .skill("manual", "disable-model-invocation: true\n", "c");
    let extensions: Vec<Box<dyn Extension>> = vec![
        SkillCatalog::new().deny(["denied"]).into(),
        ToolSearch::new().into(),
    ];
    let calls = vec![
        ("read_skill", json!({"name": "denied"})),
        ("read_skill", json!({"name": "manual"})),
        ("denied", json!({})),
    ];
    let (results, bodies, _) = read(Anthropic::new("m"), folder.load(), extensions, calls).await;
    assert!(
        !bodies[0].contains("denied") && !bodies[0].contains("manual"),
        "{}",
        bodies[0]
    );
    let body: Value = serde_json::from_str(&bodies[0]).unwrap();
    let tools = body["tools"].as_array().unwrap();
    let reader = tools
        .iter()
        .find(|tool| tool["name"] == "read_skill")
        .unwrap();
    assert_eq!(
        reader["input_schema"]["properties"]["name"]["enum"],
        json!(["open"])
    );
    assert!(
        text(&results[0]).ends_with("Skills: open."),
        "{}",
        text(&results[0])
    );
    assert!(text(&results[1]).ends_with("Skills: open."));
    assert!(
        text(&results[2]).contains("no tool `denied`"),
        "{}",
        text(&results[2])
    );

    let skills = folder.load();
    assert_eq!(skills.len(), 3);
    assert!(!skills.get("manual").unwrap().is_model_invocable());

    // A name that no skill has is a mistake in the program.
    let model = Script::new(Anthropic::new("m"));
    let error = Agent::builder(model)
        .repertoire(skills)
        .extensions([SkillCatalog::new().allow(["opne"]).into()])
        .build()
        .err()
        .unwrap();
    assert!(error.to_string().contains("`opne`"), "{error}");
}
