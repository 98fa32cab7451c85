//! Symbolic links: followed within the folder, refused beyond it, each folder visited once.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::fs;

use repertoire_skillmd::scan::{ScanOptions, folder};
use repertoire_skillmd::{CheckOptions, Kind};
use support::folders::{fresh, loaded, paths, problems, skill, write};

use std::os::unix::fs::symlink;

#[test]
fn links_inside_the_boundary_are_followed_once() {
    let root = fresh("links");
    skill(&root, "shared/linked-dir", "linked-dir");
    skill(&root, "shared/one", "linked-file");
    skill(&root, "skills/plain-one", "plain-one");
    fs::create_dir_all(root.join("skills/linked-file")).unwrap();
    fs::create_dir_all(root.join("skills/loop")).unwrap();
    symlink(
        "../../shared/one/SKILL.md",
        root.join("skills/linked-file/SKILL.md"),
    )
    .unwrap();
    symlink("../shared/linked-dir", root.join("skills/linked-dir")).unwrap();
    symlink("../shared/nowhere", root.join("skills/dangling")).unwrap();
    symlink("..", root.join("skills/loop/again")).unwrap();
    symlink("plain-one", root.join("skills/another-way")).unwrap();
    let skills = root.join("skills");

    let scan = folder(&skills, &ScanOptions::new().boundary(&root));
    let set = scan.check(&CheckOptions::new());
    assert_eq!(loaded(&set), ["linked-dir", "linked-file", "plain-one"]);
    let refused = [
        ("dangling", Kind::SymlinkRefused),
        ("loop", Kind::FolderWithoutSkill),
        ("loop/again", Kind::SymlinkRefused),
    ];
    assert_eq!(problems(&scan), refused);

    // By itself the scanned folder is the boundary.
    let scan = folder(&skills, &ScanOptions::new());
    assert_eq!(paths(&scan), ["plain-one"]);
    let outside: Vec<&str> = problems(&scan)
        .into_iter()
        .filter(|(_, kind)| *kind == Kind::SymlinkRefused)
        .map(|(path, _)| path)
        .collect();
    assert_eq!(
        outside,
        [
            "dangling",
            "linked-dir",
            "linked-file/SKILL.md",
            "loop/again"
        ]
    );
}

#[test]
fn files_do_not_leave_through_links() {
    let root = fresh("outward");
    write(&root, "secret.txt", "secret");
    write(&root, "other/a.md", "a");
    skill(&root, "skills/a", "a");
    symlink("../../secret.txt", root.join("skills/a/notes.txt")).unwrap();
    symlink("../../other", root.join("skills/a/references")).unwrap();
    symlink("/", root.join("skills/a/assets")).unwrap();
    let scan = folder(&root.join("skills"), &ScanOptions::new());
    assert_eq!(scan.skills()[0].files().len(), 1);
    assert!(
        problems(&scan)
            .iter()
            .all(|(_, kind)| *kind == Kind::SymlinkRefused)
    );
    assert_eq!(scan.problems().len(), 3);
}

#[test]
fn two_skills_may_share_a_linked_folder() {
    let root = fresh("shared");
    write(&root, "shared/a.md", "a");
    for name in ["x", "y"] {
        skill(&root, &format!("skills/{name}"), name);
        symlink(
            "../../shared",
            root.join(format!("skills/{name}/references")),
        )
        .unwrap();
    }
    let scan = folder(&root.join("skills"), &ScanOptions::new().boundary(&root));
    for skill in scan.skills() {
        let files: Vec<&str> = skill.files().iter().map(|file| file.path()).collect();
        assert_eq!(files, ["SKILL.md", "references/a.md"]);
    }
    assert!(scan.problems().is_empty(), "{:?}", problems(&scan));
}

#[test]
fn loops_end() {
    let root = fresh("loops");
    skill(&root, "a", "a");
    fs::create_dir_all(root.join("a/x")).unwrap();
    fs::create_dir_all(root.join("a/y")).unwrap();
    symlink("../y", root.join("a/x/to-y")).unwrap();
    symlink("../x", root.join("a/y/to-x")).unwrap();
    symlink("self", root.join("a/self")).unwrap();
    symlink(".", root.join("a/here")).unwrap();
    let scan = folder(&root, &ScanOptions::new());
    assert_eq!(paths(&scan), ["a"]);
    assert_eq!(
        problems(&scan),
        [
            ("a/here", Kind::SymlinkRefused),
            ("a/self", Kind::SymlinkRefused)
        ]
    );
}

#[test]
fn names_that_are_not_unicode_are_told() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let root = fresh("bytes");
    skill(&root, "a", "a");
    // Some file systems refuse such names.
    if fs::write(root.join("a").join(OsStr::from_bytes(b"\xff.md")), "x").is_ok() {
        let scan = folder(&root, &ScanOptions::new());
        assert_eq!(problems(&scan), [("a/\u{fffd}.md", Kind::Unreadable)]);
    }
}
