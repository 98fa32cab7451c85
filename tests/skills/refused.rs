//! What is not read, however it is asked for: pipes, links out, files without end.

use std::{
    fs,
    path::Path,
    sync::{Arc, mpsc},
    time::Duration,
};

use super::support::*;
use futures_util::FutureExt;
use repertoire::{
    Agent, Anthropic, Skills,
    agent::Extension,
    skill::{ReadError, ScanOptions, SkillCatalog, SkillForm, SkillRoots},
    testing::{Act, Rule, Script},
};
use serde_json::json;

/// Loads on a thread of its own: who waits for a pipe waits for ever.
fn load_soon(load: impl FnOnce() -> Skills + Send + 'static) -> Skills {
    let (said, skills) = mpsc::channel();
    std::thread::spawn(move || said.send(load()));
    let skills = skills.recv_timeout(Duration::from_secs(30));
    skills.expect("loading waits for what is no file")
}

#[cfg(unix)]
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[cfg(unix)]
fn link(target: impl AsRef<Path>, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

/// A skill, with as many bytes of instructions as asked for.
fn good(name: &str, bytes: usize) -> String {
    let body = "x".repeat(bytes);
    format!("---\nname: {name}\ndescription: Helps with {name}. Use when asked.\n---\n{body}\n")
}

#[cfg(unix)]
#[test]
fn what_the_scan_refuses_is_reported_and_not_read() {
    let (outside, folder) = (Folder::new("refused-outside"), Folder::new("refused"));
    outside.write("SKILL.md", good("stolen", 1));
    pipe(&folder.0.join("pipe/SKILL.md"));
    link(outside.0.join("SKILL.md"), &folder.0.join("out/SKILL.md"));
    link("/dev/zero", &folder.0.join("endless/SKILL.md"));
    folder.write("large/SKILL.md", good("large", 4 << 20));
    let roots = SkillRoots::new([&folder.0]);
    let skills = load_soon(move || roots.load());
    assert!(skills.is_empty());
    let again = skills.clone();
    for skills in [&skills, &load_soon(move || again.rescan())] {
        assert_eq!(skills.skipped().len(), 4, "{:#?}", skills.skipped());
        let mut kinds = Vec::new();
        for report in skills.reports() {
            assert_eq!((report.name(), report.description()), (None, None));
            let [finding] = report.findings() else {
                panic!("more than why it was refused: {report:#?}")
            };
            kinds.push((
                report.path().rsplit('/').nth(1).unwrap(),
                finding.kind().name(),
            ));
        }
        assert_eq!(
            kinds,
            [
                ("endless", "symlink-refused"),
                ("large", "scan-limit"),
                ("out", "symlink-refused"),
                ("pipe", "unreadable"),
            ]
        );
    }
}

/// A good skill in the wrong place is looked at, so that a report can name it, under the same limits.
#[cfg(unix)]
#[test]
fn a_skill_in_the_wrong_place_is_named_unless_it_is_refused() {
    let folder = Folder::new("misplaced");
    folder
        .skill("outer", "", "Outer.")
        .write("outer/small/SKILL.md", good("small", 1))
        .write("outer/large/SKILL.md", good("large", 4 << 20))
        .write(".hidden/SKILL.md", good("hidden", 1));
    link("SKILL.md", &folder.0.join("outer/linked/other.md"));
    let skills = folder.load();
    let named: Vec<Option<&str>> = skills
        .reports()
        .iter()
        .filter(|report| !report.is_loaded())
        .map(|report| report.name())
        .collect();
    assert_eq!(named, [Some("hidden"), None, Some("small")]);
}

/// What a scan accepts can be read: the limits of both are the same.
#[cfg(unix)]
#[test]
fn the_limits_of_the_search_are_those_of_reading() {
    let base = Folder::new("boundary");
    base.skill("inside/notes", "", "Notes.")
        .write("shared/style.md", "Short sentences.")
        .write("inside/notes/long.txt", "x".repeat(100));
    link(
        base.0.join("shared/style.md"),
        &base.0.join("inside/notes/style.md"),
    );
    let roots = SkillRoots::new([base.0.join("inside")]);
    let refused = roots.load();
    assert_eq!(refused.skipped().len(), 1, "{:?}", refused.skipped());
    let wide = roots.limits(ScanOptions::new().boundary(&base.0).file_bytes(100));
    let skills = wide.load();
    assert!(skills.skipped().is_empty(), "{:?}", skills.skipped());
    let notes = skills.get("notes").unwrap();
    assert_eq!(notes.read_file("style.md").unwrap(), "Short sentences.");
    assert_eq!(notes.read_file("long.txt").unwrap().len(), 100);
    base.write("inside/notes/long.txt", "x".repeat(101));
    let error = notes.read_file("long.txt").unwrap_err().to_string();
    assert!(error.contains("101 bytes"), "{error}");
}

#[test]
fn an_error_names_the_skill_the_file_and_what_to_do() {
    let folder = Folder::new("read-errors");
    folder
        .skill("notes", "", "Notes.")
        .skill("plain", "", "Plain.")
        .write("notes/style.md", "Short.")
        .write("notes/logo.png", b"\x89PNG\r\n\x1a\n\0\xff");
    for number in 0..40 {
        folder.write(&format!("notes/t/{number:02}.md"), "x");
    }
    let skills = folder.load();
    let notes = skills.get("notes").unwrap();
    let error = notes.read_file("stile.md").unwrap_err();
    assert!(matches!(&error, ReadError::NoSuchFile { known, .. } if known.len() == 42));
    let error = error.to_string();
    assert!(
        error.starts_with(
            "the skill `notes` has no file `stile.md`; its files are logo.png, style.md, t/00.md, "
        ) && error.ends_with("t/17.md, … (22 more)"),
        "{error}"
    );
    let none = skills.get("plain").unwrap().read_file("a.md").unwrap_err();
    assert_eq!(
        none.to_string(),
        "the skill `plain` has no file `a.md`; it has none beside its `SKILL.md`"
    );
    assert_eq!(
        notes.read_file("logo.png").unwrap_err().to_string(),
        "`logo.png` of the skill `notes` is a PNG image of 10 bytes, and only text can be read"
    );
    fs::remove_dir_all(folder.0.join("notes")).unwrap();
    for (error, file) in [
        (notes.body().unwrap_err(), "SKILL.md"),
        (notes.read_file("style.md").unwrap_err(), "style.md"),
    ] {
        let error = error.to_string();
        assert!(
            error.starts_with(&format!(
                "`{file}` of the skill `notes` cannot be read any more: "
            )) && error.ends_with("`Skills::rescan` finds what is there now"),
            "{error}"
        );
    }
}

/// The thread that runs everything else does not wait for a disk.
#[tokio::test]
async fn a_disk_holds_up_no_other_task() {
    let folder = Folder::new("slow");
    folder
        .skill("notes", "", "Notes.")
        .write("notes/long.txt", "x".repeat(8 << 20));
    let skills = folder.load();
    let ends_at_once = |name: &'static str| {
        let model =
            Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
                match seen.results().first() {
                    None => Act::call("read_skill", json!({"name": name, "file": "long.txt"})),
                    Some(_) => Act::Say("done".to_owned()),
                }
            }));
        let agent = Agent::builder(model).repertoire(skills.clone());
        agent.build().unwrap().run("go").now_or_never().is_some()
    };
    // What needs no disk ends without waiting, so that what waits does so for the disk.
    assert!(ends_at_once("no-such-skill"));
    assert!((0..20).any(|_| !ends_at_once("notes")));
}

#[tokio::test]
async fn a_large_group_is_cut_and_a_repeated_query_answered_once() {
    let folder = Folder::new("large-group");
    for number in 0..60 {
        folder.skill(&format!("sales/skill-{number:02}"), "", "x");
    }
    folder.skill("notes", "", "Notes.");
    let extensions: Vec<Box<dyn Extension>> =
        vec![SkillCatalog::new().form(SkillForm::Groups).into()];
    let queries = vec!["sales"; 16];
    let calls = vec![
        ("find_skill", json!({"queries": queries})),
        (
            "find_skill",
            json!({"queries": ["sales", "notes", "sales "]}),
        ),
    ];
    let (results, ..) = read(Anthropic::new("m"), folder.load(), extensions, calls).await;
    let first = text(&results[0]);
    assert_eq!(first.lines().count(), 51, "{first}");
    assert!(first.ends_with("skill-49. Use when asked.\n- … (10 more)"));
    let second = text(&results[1]);
    assert_eq!(second.lines().count(), 52, "{second}");
    assert!(second.contains("\n- notes: "));
}

#[test]
fn a_name_in_the_program_that_nothing_has_is_told_with_what_there_is() {
    let folder = Folder::new("known");
    folder.skill("open", "", "a").skill("denied", "", "b");
    let build = |catalog: SkillCatalog| {
        let agent = Agent::builder(Script::new(Anthropic::new("m")));
        let agent = agent
            .repertoire(repertoire_tests::warehouse(&Arc::default()))
            .repertoire(folder.load())
            .extensions([catalog.into()])
            .build();
        agent.err().unwrap().to_string()
    };
    let error = build(SkillCatalog::new().allow(["opne"]));
    assert!(error.contains("`opne`") && error.contains("is `open` meant?"));
    let error = build(SkillCatalog::new().deny(["zzzzzz"]));
    assert!(error.contains("there are denied, open"), "{error}");
    let error = build(SkillCatalog::new().tool_name("Bash", "clocc"));
    assert!(error.contains("is `clock` meant?"), "{error}");
}
