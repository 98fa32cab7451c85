//! Odd folders that once were told wrongly.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::fs;
use std::path::Path;

use repertoire_skillmd::scan::{ScanOptions, check_together, folder};
use repertoire_skillmd::{CheckOptions, Kind};
use support::folders::{fresh, problems, skill, write};

fn told(root: &Path) -> Vec<String> {
    let set = folder(root, &ScanOptions::new()).check(&CheckOptions::new());
    let line = |problem: &repertoire_skillmd::scan::Problem| {
        let (kind, message) = (problem.finding().kind(), problem.finding().message());
        format!("{}: {kind}: {message}", problem.path())
    };
    set.problems().iter().map(line).collect()
}

const SKILL: &str = "---\nname: s\ndescription: Use when asked.\n---\n[a](references/a.md)\n";

#[test]
fn a_skill_md_that_is_a_folder_is_told_as_one() {
    let root = fresh("no-file");
    write(&root, "s/SKILL.md/notes.txt", "x");
    assert_eq!(
        told(&root),
        ["s/SKILL.md: unreadable: `SKILL.md` must be a file, and is a folder"]
    );
    #[cfg(unix)]
    {
        let root = fresh("pipe");
        fs::create_dir(root.join("s")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(root.join("s/SKILL.md"))
            .status();
        assert!(made.unwrap().success());
        assert_eq!(
            told(&root),
            [
                "s/SKILL.md: unreadable: `SKILL.md` must be a file, and is a pipe, a socket or a device"
            ]
        );
    }
}

#[test]
fn a_file_in_the_place_of_the_folder_is_told_as_one() {
    let root = fresh("root-is-file");
    write(&root, "s/SKILL.md", SKILL);
    write(&root, "notes.md", "x");
    for (path, help) in [
        ("s/SKILL.md", "name the folder that the file lies in"),
        ("notes.md", "name the folder that holds"),
    ] {
        let set = folder(&root.join(path), &ScanOptions::new()).check(&CheckOptions::new());
        let finding = set.problems()[0].finding();
        assert_eq!(
            finding.message(),
            "it is a file, and must be a folder of skills"
        );
        assert!(finding.help().unwrap().starts_with(help), "{finding:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_beside_a_folder_does_not_take_its_name() {
    let root = fresh("link-beside");
    write(&root, "s/SKILL.md", SKILL);
    write(&root, "s/references/a.md", "x");
    write(&root, "shared/b.md", "x");
    std::os::unix::fs::symlink("references", root.join("s/docs")).unwrap();
    std::os::unix::fs::symlink("../shared", root.join("s/aa")).unwrap();
    let set = folder(&root, &ScanOptions::new()).check(&CheckOptions::new());
    let files: Vec<&str> = set.skills()[0]
        .folder()
        .files()
        .iter()
        .map(|file| file.path())
        .collect();
    assert_eq!(files, ["SKILL.md", "aa/b.md", "references/a.md"]);
    assert!(set.skills()[0].checked().findings().is_empty());
}

#[test]
fn what_was_not_looked_into_is_not_called_empty() {
    let root = fresh("too-deep");
    write(&root, "a/b/c/s/SKILL.md", SKILL);
    let scan = folder(&root, &ScanOptions::new().depth(2));
    assert_eq!(problems(&scan), [("a/b", Kind::ScanLimit)]);
}

/// Of the folders that are checked together, a name belongs to the first that has it.
#[test]
fn a_name_is_unique_over_several_folders() {
    let root = fresh("together");
    for path in ["one/deploy", "two/deploy", "two/sub/deploy", "two/other"] {
        skill(&root, path, path.rsplit('/').next().unwrap());
    }
    let scans = ["one", "two"].map(|name| folder(&root.join(name), &ScanOptions::new()));
    let sets = check_together(
        [".", "there/"].into_iter().zip(&scans),
        &CheckOptions::new(),
    );
    let said = sets.iter().flat_map(|set| set.skills()).flat_map(|skill| {
        let findings = skill.checked().findings().iter();
        findings.map(|finding| finding.message().to_owned())
    });
    let taken = |path: &str| {
        format!("the name `deploy` is taken: `there/{path}` and `deploy/SKILL.md` both have it")
    };
    assert_eq!(
        said.collect::<Vec<_>>(),
        [taken("deploy/SKILL.md"), taken("sub/deploy/SKILL.md")]
    );
}
