//! Mends what needs no thought, and shows it as a diff.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use repertoire_skillmd::scan::CheckedSkill;
use repertoire_skillmd::{CheckOptions, check};
use similar::TextDiff;

use crate::Checked;
use crate::args::Args;

/// More rounds than a file can have mechanical faults, short of a hostile one.
const MAX_ROUNDS: usize = 1000;

pub(crate) fn run(checked: &[Checked], args: &Args) -> ExitCode {
    let (mut files, mut failed) = (0, false);
    for checked in checked {
        for skill in checked.set.skills() {
            let path = checked.shown(&skill.folder().skill_path());
            let renamed = rename(skill).map(|name| sibling(&path, name));
            let mended = mend(skill, &args.options());
            if mended == skill.source() && renamed.is_none() {
                continue;
            }
            files += 1;
            print!(
                "{}",
                diff(
                    &path,
                    renamed.as_deref().unwrap_or(&path),
                    skill.source(),
                    &mended
                )
            );
            if args.write
                && let Err(error) = write(&path, renamed.as_deref(), skill.source(), &mended)
            {
                eprintln!("error: {path}: {error}");
                failed = true;
            }
        }
    }
    match (files, args.write) {
        (0, _) => println!("nothing to mend"),
        (_, true) => println!("files mended: {files}"),
        (_, false) => {
            println!("files that can be mended: {files}; nothing was written, `--write` writes")
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The source after every fix of its text, one at a time: each may move the places of the others.
fn mend(skill: &CheckedSkill, options: &CheckOptions<'_>) -> Vec<u8> {
    let folder = skill.folder();
    let options = options
        .clone()
        .directory(folder.directory())
        .files(folder.files().iter().map(|file| file.path()));
    let mut source = skill.source().to_vec();
    for _ in 0..MAX_ROUNDS {
        let checked = check(&source, &options);
        let fix = checked
            .findings()
            .iter()
            .filter_map(|finding| finding.fix())
            .find(|fix| !fix.edits().is_empty());
        match fix.map(|fix| fix.apply(&source)) {
            Some(mended) if mended != source => source = mended,
            _ => break,
        }
    }
    source
}

fn rename(skill: &CheckedSkill) -> Option<&str> {
    skill
        .checked()
        .findings()
        .iter()
        .find_map(|finding| finding.fix()?.rename())
}

fn sibling(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}

fn diff(old_path: &str, new_path: &str, old: &[u8], new: &[u8]) -> String {
    let heading = if old_path == new_path {
        String::new()
    } else {
        format!("rename {old_path} to {new_path}\n")
    };
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let diff = TextDiff::from_lines(old.as_ref(), new.as_ref());
    format!(
        "{heading}{}",
        diff.unified_diff()
            .context_radius(2)
            .header(old_path, new_path)
    )
}

fn write(path: &str, renamed: Option<&str>, old: &[u8], new: &[u8]) -> std::io::Result<()> {
    if old != new {
        fs::write(path, new)?;
    }
    let Some(renamed) = renamed else {
        return Ok(());
    };
    // By way of a third name: a file system that does not tell cases apart may refuse the direct way.
    let between = PathBuf::from(format!("{renamed}.renaming"));
    fs::rename(path, &between)?;
    fs::rename(&between, Path::new(renamed))
}
