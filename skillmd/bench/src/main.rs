//! Speed of the check beside two other readers of `SKILL.md`, in one run.
//!
//! ```text
//! cargo run --release --manifest-path skillmd/bench/Cargo.toml -- FOLDER
//! ```
//!
//! Reads every file named `SKILL.md` below the folder into memory, then lets each
//! reader go over all of them, in turns, and prints the median and the best of the
//! rounds. Finding and reading the files is timed by itself. A second argument keeps
//! the readers whose names contain it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use repertoire_skillmd::{CheckOptions, Profile, check, parse, scan};

const ROUNDS: usize = 21;

struct Sample {
    folder: PathBuf,
    directory: String,
    source: Vec<u8>,
    files: Vec<String>,
}

type Reader = (&'static str, fn(&Sample) -> bool);

const READERS: [Reader; 8] = [
    ("ours: check, no lints", without_lints),
    ("ours: check, spec", |sample| ours(sample, Profile::Spec)),
    ("ours: check, strict", |sample| {
        ours(sample, Profile::Strict)
    }),
    ("ours: check, lenient", |sample| {
        ours(sample, Profile::Lenient)
    }),
    ("ours: check with the files", with_files),
    ("ours: parse", |sample| parse(&sample.source).is_ok()),
    ("skref: parse and validate", skref_reader),
    ("agent-skills: parse", |sample| {
        std::str::from_utf8(&sample.source)
            .is_ok_and(|text| agent_skills::Skill::parse(text).is_ok())
    }),
];

fn ours(sample: &Sample, profile: Profile) -> bool {
    let options = CheckOptions::new()
        .profile(profile)
        .directory(&sample.directory)
        .file_name("SKILL.md");
    check(&sample.source, &options).skill().is_some()
}

fn without_lints(sample: &Sample) -> bool {
    let options = CheckOptions::new()
        .directory(&sample.directory)
        .file_name("SKILL.md")
        .without_lints();
    check(&sample.source, &options).skill().is_some()
}

fn with_files(sample: &Sample) -> bool {
    let options = CheckOptions::new()
        .directory(&sample.directory)
        .file_name("SKILL.md")
        .files(sample.files.iter().map(String::as_str));
    check(&sample.source, &options).skill().is_some()
}

fn skref_reader(sample: &Sample) -> bool {
    let Ok(text) = std::str::from_utf8(&sample.source) else {
        return false;
    };
    let Ok((header, body)) = skref::parse_frontmatter(text) else {
        return false;
    };
    std::hint::black_box(body);
    skref::validate_metadata(&header, Some(&sample.folder), false).is_empty()
}

fn main() {
    let root = std::env::args().nth(1).expect("name a folder");
    let start = Instant::now();
    let samples = read(Path::new(&root));
    let io = start.elapsed();
    let bytes: usize = samples.iter().map(|sample| sample.source.len()).sum();
    println!(
        "{} files, {:.1} MB; found and read in {:.1} ms",
        samples.len(),
        mega(bytes),
        milli(io)
    );

    let wanted = std::env::args().nth(2).unwrap_or_default();
    let readers: Vec<Reader> = READERS
        .into_iter()
        .filter(|(name, _)| name.contains(&wanted))
        .collect();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); readers.len()];
    let mut loaded = vec![0; readers.len()];
    for _ in 0..ROUNDS {
        for (index, (_, reader)) in readers.iter().enumerate() {
            let start = Instant::now();
            loaded[index] = samples.iter().filter(|sample| reader(sample)).count();
            times[index].push(start.elapsed());
        }
    }
    println!(
        "{:30} {:>10} {:>10} {:>8}",
        "", "median ms", "best ms", "accepts"
    );
    for ((name, _), (mut times, loaded)) in readers.iter().zip(times.into_iter().zip(loaded)) {
        times.sort_unstable();
        println!(
            "{name:30} {:10.2} {:10.2} {loaded:8}",
            milli(times[ROUNDS / 2]),
            milli(times[0])
        );
    }
}

/// Every `SKILL.md`, in hidden folders and at any depth.
fn read(root: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name() == "SKILL.md"
                && let Ok(source) = std::fs::read(entry.path())
            {
                let directory = folder
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                samples.push(Sample {
                    folder: folder.clone(),
                    directory,
                    source,
                    files: Vec::new(),
                });
            }
        }
    }
    for sample in &mut samples {
        let found = scan::folder(&sample.folder, &scan::ScanOptions::new());
        let own = found.skills().iter().find(|skill| skill.path().is_empty());
        sample.files = own
            .map(|skill| {
                skill
                    .files()
                    .iter()
                    .map(|file| file.path().to_owned())
                    .collect()
            })
            .unwrap_or_default();
    }
    samples
}

fn milli(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn mega(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
