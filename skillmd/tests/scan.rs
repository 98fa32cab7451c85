//! Walking folders: what is found, in which order, and what is passed over with a word.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::path::PathBuf;

use repertoire_skillmd::scan::{ScanOptions, folder};
use repertoire_skillmd::{CheckOptions, Kind, Profile, render};
use support::folders::{fresh, loaded, paths, problems, skill, write};
use support::traps_root;

fn trap(name: &str) -> PathBuf {
    traps_root().join(name).join("skills")
}

#[test]
fn a_skill_file_inside_a_skill_is_one_of_its_files() {
    let scan = folder(&trap("27-nested-skill-files"), &ScanOptions::new());
    assert_eq!(paths(&scan), ["skill-maker"]);
    let files: Vec<&str> = scan.skills()[0]
        .files()
        .iter()
        .map(|file| file.path())
        .collect();
    assert_eq!(
        files,
        [
            "SKILL.md",
            "assets/starter/SKILL.md",
            "references/styles/plain/SKILL.md"
        ]
    );
    assert_eq!(
        problems(&scan),
        [
            ("skill-maker/assets/starter/SKILL.md", Kind::NestedSkill),
            (
                "skill-maker/references/styles/plain/SKILL.md",
                Kind::NestedSkill
            ),
        ]
    );
}

#[test]
fn groups_are_walked_and_other_folders_passed_over() {
    let scan = folder(&trap("28-grouped-and-flat-layouts"), &ScanOptions::new());
    assert_eq!(paths(&scan), ["", "ops/net/ping-all", "ops/restart-db"]);
    let files: Vec<&str> = scan.skills()[0]
        .files()
        .iter()
        .map(|file| file.path())
        .collect();
    assert_eq!(
        files,
        ["README.md", "SKILL.md", "code-review.md"],
        "other skills are no files of the outer one"
    );
    let told = [
        (".hidden/secret/SKILL.md", Kind::HiddenSkill),
        ("code-review.md", Kind::FlatSkillFile),
        ("empty-dir", Kind::FolderWithoutSkill),
    ];
    assert_eq!(problems(&scan), told);

    // Without a skill of its own the root is a group, in which the flat file is told apart.
    let root = fresh("flat");
    write(
        &root,
        "code-review.md",
        "---\nname: code-review\ndescription: Flat.\n---\n",
    );
    write(&root, "README.md", "# About\n");
    skill(&root, "a", "a");
    let scan = folder(&root, &ScanOptions::new());
    assert_eq!(problems(&scan), [("code-review.md", Kind::FlatSkillFile)]);
}

#[test]
fn names_that_begin_alike_are_two() {
    let set = folder(&trap("26-prefix-names"), &ScanOptions::new()).check(&CheckOptions::new());
    assert_eq!(loaded(&set), ["using-jj", "using-jj-workspaces"]);
    assert!(!set.has_errors());
}

#[test]
fn one_name_twice_names_both_paths() {
    let scan = folder(&trap("25-same-name-twice"), &ScanOptions::new());
    let set = scan.check(&CheckOptions::new());
    let second = &set.skills()[1];
    let finding = second.checked().errors().next().unwrap();
    assert_eq!(finding.kind(), Kind::DuplicateName);
    assert_eq!(
        render(finding, "skills/b/deploy/SKILL.md", second.source()),
        "duplicate-name: the name `deploy` is taken: `b/deploy/SKILL.md` and `a/deploy/SKILL.md` both have it
 --> skills/b/deploy/SKILL.md:2:7
  |
2 | name: deploy
  |       ^^^^^^
  |
  = help: give one of the two another name, and its folder too
  = note: under the profile `lenient` this is a warning"
    );
    assert_eq!(loaded(&set), ["deploy"]);
    // The third one is found too, besides the name of its folder.
    let kinds: Vec<Kind> = set.skills()[2]
        .checked()
        .errors()
        .map(|finding| finding.kind())
        .collect();
    assert_eq!(kinds, [Kind::NameDirectoryMismatch, Kind::DuplicateName]);

    let lenient = scan.check(&CheckOptions::new().profile(Profile::Lenient));
    assert!(!lenient.has_errors());
}

#[test]
fn file_names_are_exact() {
    let scan = folder(&trap("10-file-name-case"), &ScanOptions::new());
    assert_eq!(paths(&scan), ["lower-name", "title-name", "upper-ext"]);
    let loads = |profile| loaded(&scan.check(&CheckOptions::new().profile(profile))).len();
    assert_eq!(loads(Profile::Spec), 0);
    assert_eq!(loads(Profile::Lenient), 1);
    for skill in scan.check(&CheckOptions::new()).skills() {
        assert_eq!(
            skill.checked().errors().next().unwrap().kind(),
            Kind::FileNameCase
        );
    }
    // The exact name wins over another spelling beside it.
    let root = fresh("both-spellings");
    skill(&root, "a", "a");
    write(&root, "a/skill.md", "not it");
    let scan = folder(&root, &ScanOptions::new());
    if scan.skills()[0].files().len() == 2 {
        assert_eq!(scan.skills()[0].file_name(), "SKILL.md");
    }
}

#[test]
fn hidden_and_foreign_folders_are_passed_over() {
    let root = fresh("hidden");
    skill(&root, ".git/a", "a");
    skill(&root, ".hidden/b", "b");
    skill(&root, "node_modules/c", "c");
    skill(&root, "d", "d");
    write(&root, "d/.env", "secret");
    write(&root, "d/__pycache__/x.pyc", "x");
    write(&root, "d/scripts/x.py", "x");
    let scan = folder(&root, &ScanOptions::new());
    assert_eq!(paths(&scan), ["d"]);
    assert_eq!(problems(&scan), [(".hidden/b/SKILL.md", Kind::HiddenSkill)]);
    let files: Vec<(&str, u64)> = scan.skills()[0]
        .files()
        .iter()
        .map(|file| (file.path(), file.bytes()))
        .collect();
    assert_eq!((files[0].0, files[1]), ("SKILL.md", ("scripts/x.py", 1)));
    assert_eq!(files.len(), 2);
}

#[test]
fn the_order_is_that_of_the_paths() {
    let root = fresh("order");
    for name in ["b", "a/z", "a-b", "a/b", "c", "B"] {
        skill(&root, name, "x");
    }
    let scan = folder(&root, &ScanOptions::new());
    let mut sorted = paths(&scan);
    sorted.sort_unstable();
    assert_eq!(paths(&scan), sorted);
}

#[test]
fn limits_are_told() {
    let root = fresh("limits");
    skill(&root, "a/b/c", "c");
    skill(&root, "d", "d");
    write(&root, "d/references/big.txt", &"x".repeat(5000));
    let of = |options: ScanOptions| {
        let scan = folder(&root, &options);
        let limits: Vec<String> = problems(&scan)
            .into_iter()
            .filter(|(_, kind)| *kind == Kind::ScanLimit)
            .map(|(path, _)| path.to_owned())
            .collect();
        (scan.skills().len(), limits)
    };
    assert_eq!(of(ScanOptions::new()), (2, vec![]));
    assert_eq!(of(ScanOptions::new().depth(3)), (2, vec![]));
    assert_eq!(of(ScanOptions::new().depth(2)), (1, vec!["a/b".to_owned()]));
    assert_eq!(
        of(ScanOptions::new().directories(2)),
        (0, vec!["a/b".to_owned()])
    );
    assert_eq!(of(ScanOptions::new().files(1)), (2, vec!["d".to_owned()]));
    assert_eq!(
        of(ScanOptions::new().file_bytes(4999)),
        (2, vec!["d/references/big.txt".to_owned()])
    );

    let set = folder(&root, &ScanOptions::new().skill_bytes(10)).check(&CheckOptions::new());
    assert!(set.skills().is_empty());
    assert_eq!(set.problems().len(), 2);
    assert_eq!(set.problems()[0].path(), "a/b/c/SKILL.md");
}

#[test]
fn a_folder_that_is_not_there_is_a_problem() {
    let scan = folder(&fresh("missing").join("nowhere"), &ScanOptions::new());
    assert_eq!(problems(&scan), [(".", Kind::Unreadable)]);
    let problem = &scan.problems()[0];
    let text = render(problem.finding(), "skills", &[]);
    assert!(
        text.starts_with("unreadable: the folder cannot be read: "),
        "{text}"
    );
    assert!(
        text.contains("\n --> skills\n  = help: check the path"),
        "{text}"
    );
}

/// The folder may be one skill, with templates of skills in it.
#[test]
fn the_scanned_folder_may_be_a_skill() {
    let root = fresh("root-skill/maker");
    skill(&root, ".", "maker");
    skill(&root, "assets/starter", "starter");
    write(&root, "references/a.md", "a");
    write(
        &root,
        "templates/b/c.md",
        "---\nname: c\ndescription: A template.\n---\n",
    );
    let set = folder(&root, &ScanOptions::new()).check(&CheckOptions::new());
    assert_eq!(loaded(&set), ["maker"]);
    let files: Vec<&str> = set.skills()[0]
        .folder()
        .files()
        .iter()
        .map(|file| file.path())
        .collect();
    assert_eq!(
        files,
        [
            "SKILL.md",
            "assets/starter/SKILL.md",
            "references/a.md",
            "templates/b/c.md"
        ]
    );
    let nested: Vec<Kind> = set
        .problems()
        .iter()
        .map(|problem| problem.finding().kind())
        .collect();
    assert_eq!(nested, [Kind::NestedSkill]);
}

/// Scan problems are weighed by the profile and by `allow`, like all findings.
#[test]
fn problems_are_weighed() {
    let root = fresh("weighed");
    skill(&root, "a", "a");
    write(&root, "drafts/notes.txt", "x");
    let scan = folder(&root, &ScanOptions::new());
    assert!(!scan.check(&CheckOptions::new()).has_errors());
    assert!(scan.check(&CheckOptions::new().deny_lints()).has_errors());
    assert!(
        scan.check(&CheckOptions::new().allow(Kind::FolderWithoutSkill))
            .problems()
            .is_empty()
    );
}
