//! Our verdicts beside those of the reference library on 2,337 real files.
//!
//! Every difference belongs to a named class; `cargo test --test corpus -- --nocapture`
//! prints the table.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use repertoire_skillmd::{CheckOptions, Checked, Profile, check, parse};
use serde_json::Value;
use support::{error_names, shared};

struct Sample {
    path: String,
    directory: String,
    source: Vec<u8>,
    oracle: Value,
}

impl Sample {
    fn check(&self, profile: Profile) -> Checked {
        check(
            &self.source,
            &CheckOptions::new()
                .profile(profile)
                .directory(&self.directory)
                .file_name("SKILL.md"),
        )
    }

    fn oracle_kinds(&self) -> Vec<&str> {
        self.oracle["error_kinds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|kind| kind.as_str().unwrap())
            .collect()
    }
}

/// The corpus, unpacked once for each build folder.
fn corpus(shared: &Path) -> PathBuf {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    // Tests run side by side; only one of them unpacks.
    let unpack = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus");
        if !folder.join("unpacked").exists() {
            fs::create_dir_all(&folder).unwrap();
            let archive = shared.join("skills/corpus.tar.xz");
            let status = Command::new("tar")
                .arg("xJf")
                .arg(archive)
                .arg("-C")
                .arg(&folder)
                .status()
                .unwrap();
            assert!(status.success(), "tar: {status}");
            fs::write(folder.join("unpacked"), "").unwrap();
        }
        folder
    };
    ONCE.get_or_init(unpack).clone()
}

fn samples(shared: &Path) -> Vec<Sample> {
    let corpus = corpus(shared);
    let oracle = fs::read_to_string(shared.join("skills/oracle.jsonl")).unwrap();
    let read = |line: &str| {
        let oracle: Value = serde_json::from_str(line).unwrap();
        let path = oracle["path"].as_str().unwrap().to_owned();
        let directory = oracle["dir"].as_str().unwrap().to_owned();
        let source = fs::read(corpus.join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Sample {
            path,
            directory,
            source,
            oracle,
        }
    };
    oracle.lines().map(read).collect()
}

/// The reference library's name for what we call `kind`, where it has a rule for it.
fn reference_name(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "unexpected-field" => "unexpected-fields",
        "name-directory-mismatch" => "dir-name-mismatch",
        "name-characters" => "name-invalid-chars",
        "name-case" => "name-not-lowercase",
        "missing-frontmatter" => "no-frontmatter",
        "description-too-long" => "description-too-long",
        "compatibility-not-string" => "compatibility-not-string",
        "missing-description" => "missing-description",
        "missing-name" => "missing-name",
        "yaml-syntax" => "invalid-yaml",
        _ => return None,
    })
}

fn has_flow(sample: &Sample) -> bool {
    sample.oracle["errors"].to_string().contains("JSONesque")
}

/// Why a kind is reported by one side only.
fn class(
    sample: &Sample,
    ours: &BTreeSet<&str>,
    theirs: &BTreeSet<&str>,
    kind: &str,
) -> Option<&'static str> {
    let stopped = theirs.contains("invalid-yaml");
    match kind {
        "metadata-value-not-string" => Some("reference never looks into metadata"),
        "allowed-tools-not-string" => Some("reference never looks at allowed-tools"),
        "invalid-yaml" if has_flow(sample) => {
            Some("reference refuses flow style, which YAML allows")
        }
        _ if ours.contains(kind) && stopped && has_flow(sample) => {
            Some("found by us behind the flow style that stopped the reference")
        }
        _ if ours.contains(kind) && stopped && ours.contains("yaml-syntax") => {
            Some("found by us behind an unquoted colon that stopped both")
        }
        _ => None,
    }
}

/// Every kind that one side reports and the other does not.
#[test]
fn strict_against_the_reference_library() {
    let Some(shared) = shared("strict_against_the_reference_library") else {
        return;
    };
    let samples = samples(&shared);
    assert_eq!(samples.len(), 2337);
    let mut table: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut verdicts = Vec::new();
    for sample in &samples {
        let checked = sample.check(Profile::Strict);
        let ours: BTreeSet<&str> = error_names(&checked).into_iter().collect();
        let theirs: BTreeSet<&str> = sample.oracle_kinds().into_iter().collect();
        if ours.is_empty() != theirs.is_empty() {
            verdicts.push((sample.path.clone(), ours.clone()));
        }
        let common: BTreeSet<&str> = ours
            .iter()
            .filter_map(|kind| reference_name(kind))
            .collect();
        let ours_only = ours
            .iter()
            .filter(|kind| reference_name(kind).is_none_or(|name| !theirs.contains(name)));
        let theirs_only = theirs.difference(&common);
        for (side, kind) in ours_only
            .map(|kind| ("ours only", kind))
            .chain(theirs_only.map(|kind| ("reference only", kind)))
        {
            let class = class(sample, &ours, &theirs, kind).unwrap_or("UNEXPLAINED");
            let row = table
                .entry(format!("{class}: {kind} ({side})"))
                .or_default();
            row.0 += 1;
            row.1.clone_from(&sample.path);
        }
    }
    println!("files on which the verdicts differ: {}", verdicts.len());
    for (path, ours) in &verdicts {
        println!("       {path}: ours {ours:?}");
    }
    println!("kinds that one side alone reports:");
    for (class, (count, path)) in &table {
        println!("{count:6} {class}, e.g. {path}");
    }
    assert!(
        !table.keys().any(|class| class.starts_with("UNEXPLAINED")),
        "a difference has no explanation"
    );
    // The one file lists its tools as a YAML list, which the reference library does not look at.
    assert_eq!(verdicts.len(), 1);
    assert!(
        verdicts
            .iter()
            .all(|(_, ours)| ours.iter().eq(["allowed-tools-not-string"].iter()))
    );
}

/// `name` and `description` equal what a YAML 1.2 library reads, wherever both do.
#[test]
fn values_against_a_yaml_library() {
    let Some(shared) = shared("values_against_a_yaml_library") else {
        return;
    };
    let mut compared = 0;
    for sample in samples(&shared) {
        let Some(name) = sample.oracle["ru_name"].as_str() else {
            continue;
        };
        let Ok(document) = parse(&sample.source) else {
            continue;
        };
        let text = |key: &str| {
            document
                .entry(key)
                .and_then(|value| value.as_text())
                .map(str::trim)
        };
        assert_eq!(text("name"), Some(name.trim()), "{}", sample.path);
        assert_eq!(
            text("description"),
            sample.oracle["ru_description"].as_str().map(str::trim),
            "{}",
            sample.path
        );
        let keys: Vec<&str> = document.entries().iter().map(|entry| entry.key()).collect();
        let theirs: Vec<&str> = sample.oracle["keys"]
            .as_array()
            .unwrap()
            .iter()
            .map(|key| key.as_str().unwrap())
            .collect();
        assert_eq!(keys, theirs, "{}", sample.path);
        compared += 1;
    }
    println!("name, description and keys compared on {compared} files");
    assert!(compared > 2300, "{compared}");
}

/// How much of the corpus each profile loads. Nothing that a stricter profile
/// loads may fail under a laxer one.
#[test]
fn share_of_files_that_load() {
    let Some(shared) = shared("share_of_files_that_load") else {
        return;
    };
    let samples = samples(&shared);
    let mut loaded = BTreeMap::new();
    for sample in &samples {
        let loads = |profile| sample.check(profile).skill().is_some();
        let [spec, strict, claude, lenient] = Profile::ALL.map(loads);
        assert!(!strict || spec, "{}", sample.path);
        assert!(!spec || lenient, "{}", sample.path);
        assert!(!claude || lenient, "{}", sample.path);
        for (profile, loads) in Profile::ALL
            .into_iter()
            .zip([spec, strict, claude, lenient])
        {
            *loaded.entry(profile.name()).or_insert(0_u32) += u32::from(loads);
        }
        // What the verdict promises about another profile holds.
        for profile in Profile::ALL {
            let checked = sample.check(profile);
            if let Some(other) = checked.accepted_by() {
                assert!(
                    checked.skill().is_none() && loads(other),
                    "{} {profile} {other}",
                    sample.path
                );
            }
        }
    }
    for (profile, count) in &loaded {
        println!(
            "{profile:8} loads {count} of {} files ({:.2} %)",
            samples.len(),
            100.0 * f64::from(*count) / 2337.0
        );
    }
    assert!(loaded["lenient"] >= 2330);
}

/// Fixes end, and leave no fault that was not there; what they move keeps its text.
#[test]
fn fixes_make_nothing_worse() {
    let Some(shared) = shared("fixes_make_nothing_worse") else {
        return;
    };
    let (mut fixed_files, mut before_count, mut after_count) = (0, 0, 0);
    for sample in samples(&shared) {
        let options = CheckOptions::new()
            .profile(Profile::Strict)
            .directory(&sample.directory);
        let before = check(&sample.source, &options);
        let mut source = sample.source.clone();
        let mut rounds = 0;
        loop {
            let checked = check(&source, &options);
            let Some(fix) = checked.findings().iter().find_map(|finding| finding.fix()) else {
                break;
            };
            source = fix.apply(&source);
            rounds += 1;
            assert!(rounds < 50, "{}: fixes do not end", sample.path);
        }
        let after = check(&source, &options);
        let kinds = |checked: &Checked| error_names(checked).into_iter().collect::<BTreeSet<_>>();
        let new: Vec<_> = kinds(&after).difference(&kinds(&before)).copied().collect();
        assert!(new.is_empty(), "{}: {new:?}", sample.path);
        assert!(
            after.errors().count() <= before.errors().count(),
            "{}",
            sample.path
        );
        if let (Some(before), Some(after)) = (before.skill(), after.skill()) {
            assert_eq!(
                before.body(&sample.source),
                after.body(&source),
                "{}",
                sample.path
            );
            assert_eq!(before.description(), after.description(), "{}", sample.path);
        }
        fixed_files += usize::from(rounds > 0);
        before_count += before.errors().count();
        after_count += after.errors().count();
    }
    println!(
        "fixes in {fixed_files} files: {before_count} errors under `strict` before, {after_count} after"
    );
    assert!(fixed_files > 500);
}
