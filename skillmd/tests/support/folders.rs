//! Folders that a test writes, and what a scan says of them.

use std::fs;
use std::path::{Path, PathBuf};

use repertoire_skillmd::Kind;
use repertoire_skillmd::scan::{CheckedSet, Scan};

/// A folder of its own for a test, empty.
pub fn fresh(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("scan")
        .join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A skill that has nothing wrong with it but, perhaps, its name.
pub fn skill(root: &Path, path: &str, name: &str) {
    let text =
        format!("---\nname: {name}\ndescription: Does things. Use when asked.\n---\nSteps.\n");
    write(root, &format!("{path}/SKILL.md"), &text);
}

pub fn paths(scan: &Scan) -> Vec<&str> {
    scan.skills().iter().map(|skill| skill.path()).collect()
}

pub fn problems(scan: &Scan) -> Vec<(&str, Kind)> {
    scan.problems()
        .iter()
        .map(|problem| (problem.path(), problem.finding().kind()))
        .collect()
}

/// The names of the skills that load.
pub fn loaded(set: &CheckedSet) -> Vec<&str> {
    set.skills()
        .iter()
        .filter_map(|skill| skill.checked().skill())
        .map(|skill| skill.name())
        .collect()
}
