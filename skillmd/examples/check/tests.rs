#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use expect_test::expect_file;

use super::*;

fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(' ')
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}

fn args(text: &str) -> Args {
    match args::parse(split(text)).unwrap() {
        Command::Check(args) => args,
        Command::Print(text) => panic!("{text}"),
    }
}

fn trap(name: &str) -> String {
    format!("{}/tests/traps/{name}/skills", env!("CARGO_MANIFEST_DIR"))
}

/// The output for a trap, under a path that is the same everywhere.
fn output(name: &str, options: &str) -> String {
    let folder = trap(name);
    let args = args(&format!("{options} {folder}"));
    output::write(&check(&args), args.format).replace(&folder, "skills")
}

#[test]
fn formats() {
    for format in ["text", "json", "github"] {
        let text = output(
            "17-client-only-keys",
            &format!("--profile strict --format {format}"),
        );
        expect_file![format!("../../tests/snapshots/check-{format}.txt")].assert_eq(&text);
    }
}

#[test]
fn sarif() {
    let text = output("33-yaml-dialects", "--format sarif");
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    assert_eq!(
        run["tool"]["driver"]["rules"].as_array().unwrap().len(),
        repertoire_skillmd::Kind::ALL.len()
    );
    let result = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|result| result["ruleId"] == "yaml-tag")
        .unwrap();
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "skills/bang/SKILL.md");
    assert_eq!(
        place["region"],
        serde_json::json!({ "startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 24 })
    );
    assert_eq!(result["level"], "error");
}

#[test]
fn fixes_are_written_only_when_told() {
    let folder = std::env::temp_dir().join(format!("check-fix-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a")).unwrap();
    let broken = "---\nname: a\ndescription: Use when: asked\ntags: [x, y]\n---\nSteps.\n";
    let file = folder.join("a/skill.md");
    let mended = folder.join("a/SKILL.md");
    let _ = std::fs::remove_file(&mended);
    std::fs::write(&file, broken).unwrap();
    let shown = args(&format!("--fix {}", folder.display()));
    fix::run(&check(&shown), &shown);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    let written = args(&format!("--fix --write {}", folder.display()));
    fix::run(&check(&written), &written);
    let text = std::fs::read_to_string(&mended).unwrap();
    assert_eq!(
        text,
        "---\nname: a\ndescription: \"Use when: asked\"\nmetadata:\n  tags: \"x, y\"\n---\nSteps.\n"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_command_lines_are_told() {
    let error = |text: &str| args::parse(split(text)).err().unwrap();
    assert_eq!(
        error("--profile loose x"),
        "unknown profile; expected `spec`, `strict`, `claude` or `lenient`"
    );
    assert_eq!(
        error("--allow nothing x"),
        "there is no finding `nothing`; `--list` names them all"
    );
    assert_eq!(
        error("--allow name-case x"),
        "`name-case` is a rule and not a lint; choose a profile that accepts it"
    );
    assert_eq!(error("--write x"), "`--write` goes with `--fix`");
    assert_eq!(error("--fix"), "name at least one folder");
    assert!(error("--fix --format sarif x").contains("does not go with it"));
    let folders = |names: &[&str]| {
        args::folders(
            &names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        folders(&["no/such"]),
        Err("there is no folder `no/such`".to_owned())
    );
    assert!(folders(&["Cargo.toml"]).unwrap_err().contains("is a file"));
    let skill = format!(
        "{}/one/SKILL.md",
        trap("29-symlinked-skills").replace("/skills", "/shared")
    );
    let folder = skill.trim_end_matches("/SKILL.md");
    assert_eq!(folders(&[&skill, folder]), Ok(vec![folder.to_owned()]));
}

#[test]
fn fixes_leave_no_file_worse() {
    let folder = std::env::temp_dir().join(format!("check-worse-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        std::fs::write(folder.join(name).join("SKILL.md"), text).unwrap();
    };
    let header = "description: Use when asked.";
    let many: String = (0..1_500).map(|n| format!("k{n}: v\n")).collect();
    write(
        "a",
        "---\nname: a\ndescription: Use when: asked\n  and more text\n---\nx\n",
    );
    write(
        "b",
        &format!("---\nname: b\n{header}\nallowed_tools:\n  - Read\n---\nx\n"),
    );
    write("c", &format!("---\nname: c\n{header}\n{many}---\nx\n"));
    let args = args(&format!("--fix --write {}", folder.display()));
    fix::run(&check(&args), &args);
    let checked = check(&args);
    let skills = checked[0].set.skills();
    assert!(skills.iter().all(|skill| skill.checked().skill().is_some()));
    let left = skills[2].checked().findings();
    assert!(left.is_empty(), "{} are left of 1,500", left.len());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A folder of its own for a test, with these files.
fn with_files(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("check-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn a_name_is_unique_over_all_folders_that_are_named() {
    let text = "---\nname: deploy\ndescription: Use when asked.\n---\nx\n";
    let folder = with_files(
        "twice",
        &[("a/deploy/SKILL.md", text), ("b/deploy/SKILL.md", text)],
    );
    let shown = folder.display();
    let args = args(&format!("{shown}/a/ {shown}/b"));
    let checked = check(&args);
    assert!(!checked[0].set.has_errors() && checked[1].set.has_errors());
    let said = output::write(&checked, args.format);
    // Both paths as they can be opened from here.
    assert!(
        said.contains(&format!(
            "`{shown}/b/deploy/SKILL.md` and `{shown}/a/deploy/SKILL.md` both have it"
        )),
        "{said}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    struct Closed(std::io::ErrorKind);
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let end = |kind| say_to(&mut Closed(kind), "text", ExitCode::from(7));
    assert_eq!(end(std::io::ErrorKind::BrokenPipe), ExitCode::from(7));
    assert_eq!(end(std::io::ErrorKind::StorageFull), ExitCode::FAILURE);
}

#[cfg(unix)]
#[test]
fn a_word_that_is_not_unicode_is_told() {
    use std::os::unix::ffi::OsStringExt as _;

    let line = ["--fix".into(), OsString::from_vec(vec![b'a', 0xff])];
    assert_eq!(
        words(line.into_iter()),
        Err("`a\u{fffd}` is not Unicode".to_owned())
    );
    assert_eq!(words(["b".into()].into_iter()), Ok(vec!["b".to_owned()]));
}

#[test]
fn only_files_that_were_written_are_counted() {
    let broken = |name: &str| format!("---\nname: {name}\ndescription: Use when: asked\n---\nx\n");
    let folder = with_files(
        "count",
        &[
            ("a/SKILL.md", &broken("a")),
            ("b/skill.md", &broken("b")),
            // The name that a rename goes by way of.
            ("b/SKILL.md.renaming", "keep me"),
        ],
    );
    let args = args(&format!("--fix --write {}", folder.display()));
    let checked = check(&args);
    // No file can be written there any more.
    std::fs::remove_dir_all(folder.join("a")).unwrap();
    let (said, code) = fix::run(&checked, &args);
    assert!(said.ends_with("files mended: 1\n"), "{said}");
    assert_eq!(code, ExitCode::FAILURE);
    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    assert!(read("b/SKILL.md").contains("\"Use when: asked\""));
    assert_eq!(read("b/SKILL.md.renaming"), "keep me");
    std::fs::remove_dir_all(&folder).unwrap();
}
