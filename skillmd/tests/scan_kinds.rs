//! What a scan says of a folder, as it is shown, and that no kind goes without being shown.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use expect_test::expect_file;
use repertoire_skillmd::scan::{ScanOptions, folder};
use repertoire_skillmd::{CheckOptions, Kind, render};
use support::folders::write;

fn skill(root: &Path, path: &str, body: &str) {
    let name = path.rsplit('/').next().unwrap();
    let text =
        format!("---\nname: {name}\ndescription: Does things. Use when asked.\n---\n{body}\n");
    write(root, &format!("{path}/SKILL.md"), &text);
}

#[test]
fn rendered() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scan-kinds");
    let _ = fs::remove_dir_all(&root);
    skill(&root, "a/deploy", "Steps.");
    skill(&root, "b/deploy", "Steps.");
    skill(&root, "large", &"Steps. ".repeat(100));
    skill(&root, ".hidden/secret", "Steps.");
    skill(&root, "a/deploy/assets/starter", "Steps.");
    write(&root, "drafts/notes.txt", "x");
    write(
        &root,
        "flat.md",
        "---\nname: flat\ndescription: Use when asked.\n---\nx\n",
    );
    write(&root, "no-file/SKILL.md/x.txt", "x");
    symlink("/", root.join("out")).unwrap();
    let scan = folder(&root, &ScanOptions::new().skill_bytes(500));
    let set = scan.check(&CheckOptions::new());
    let mut out = String::new();
    for problem in set.problems() {
        let path = format!("skills/{}", problem.path());
        out.push_str(&format!(
            "{}: {}\n\n",
            problem.finding().severity(),
            render(problem.finding(), &path, b"")
        ));
    }
    for skill in set.skills() {
        for finding in skill.checked().findings() {
            let path = format!("skills/{}", skill.folder().skill_path());
            out.push_str(&format!(
                "{}: {}\n\n",
                finding.severity(),
                render(finding, &path, skill.source())
            ));
        }
    }
    expect_file!["snapshots/scan.txt"].assert_eq(&out);
}

#[test]
fn every_kind_is_shown_somewhere() {
    let shown = [
        include_str!("snapshots/kinds.txt"),
        include_str!("snapshots/scan.txt"),
    ]
    .concat();
    let is_shown = |kind: &&Kind| {
        shown
            .lines()
            .any(|line| line.contains(&format!(": {kind}: ")))
    };
    let missing: Vec<&Kind> = Kind::ALL.iter().filter(|kind| !is_shown(kind)).collect();
    assert!(missing.is_empty(), "without a snapshot: {missing:?}");
}
