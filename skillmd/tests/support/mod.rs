//! What the integration tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses its own part")]

pub mod folders;

use std::fs;
use std::path::{Path, PathBuf};

use repertoire_skillmd::{CheckOptions, Checked, Profile, check};
use serde_json::Value;

/// One skill of the traps.
pub struct Trap {
    pub folder: String,
    pub dir: String,
    pub file: String,
    pub source: Vec<u8>,
    /// The files of the skill's folder, relative to it.
    pub files: Vec<String>,
    pub expected: Value,
}

impl Trap {
    pub fn id(&self) -> String {
        format!("{}/{}", self.folder, self.dir)
    }

    /// The name of the folder that the skill lies in.
    pub fn directory(&self) -> &str {
        self.dir.rsplit('/').next().unwrap()
    }

    pub fn check(&self, profile: Profile) -> Checked {
        self.check_bytes(&self.source, profile)
    }

    pub fn check_bytes(&self, source: &[u8], profile: Profile) -> Checked {
        let options = CheckOptions::new()
            .profile(profile)
            .directory(self.directory())
            .file_name(&self.file)
            .files(self.files.iter().map(String::as_str));
        check(source, &options)
    }
}

pub fn traps_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps")
}

/// Every skill of every trap whose file is there (links are made by the tests that need them).
pub fn traps() -> Vec<Trap> {
    let mut traps = Vec::new();
    let mut folders: Vec<_> = fs::read_dir(traps_root())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        let expected: Value =
            serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
        let root = folder.join(expected["root"].as_str().unwrap());
        for skill in expected["skills"].as_array().unwrap() {
            let dir = skill["dir"].as_str().unwrap();
            let file = skill["file"].as_str().unwrap();
            let Ok(source) = fs::read(root.join(dir).join(file)) else {
                continue;
            };
            let mut files = Vec::new();
            list(&root.join(dir), "", &mut files);
            traps.push(Trap {
                folder: folder.file_name().unwrap().to_str().unwrap().to_owned(),
                dir: dir.to_owned(),
                file: file.to_owned(),
                source,
                files,
                expected: skill.clone(),
            });
        }
    }
    traps
}

fn list(folder: &Path, within: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{within}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &format!("{path}/"), files);
        } else {
            files.push(path);
        }
    }
}

/// The names of the findings that are errors.
pub fn error_names(checked: &Checked) -> Vec<&'static str> {
    checked
        .errors()
        .map(|finding| finding.kind().name())
        .collect()
}

/// The names of all findings.
pub fn names(checked: &Checked) -> Vec<&'static str> {
    checked
        .findings()
        .iter()
        .map(|finding| finding.kind().name())
        .collect()
}

/// The shared data, or a printed line that says that `test` was skipped.
pub fn shared(test: &str) -> Option<PathBuf> {
    let root = std::env::var_os("REPERTOIRE_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        PathBuf::from,
    );
    if root.join("skills/oracle.jsonl").is_file() {
        return Some(root);
    }
    // Not by `println!`, which the test harness keeps to itself when a test passes.
    let line = format!("skipped: {test}: REPERTOIRE_SHARED not found\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    None
}
