//! Mends what needs no thought, and shows it as a diff.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use repertoire_skillmd::scan::CheckedSkill;
use repertoire_skillmd::{CheckOptions, Checked as Judged, Edit, Fix, Kind, check};
use similar::TextDiff;

use crate::Checked;
use crate::args::Args;

/// More rounds than a file can have mechanical faults, short of a hostile one.
const MAX_ROUNDS: usize = 5_000;
/// So many fixes are tried alone in one round.
const MAX_TRIED: usize = 20;

/// What is to be printed, and how to end.
pub(crate) fn run(checked: &[Checked], args: &Args) -> (String, ExitCode) {
    let mut out = String::new();
    let (mut found, mut written, mut failed) = (0, 0, false);
    for checked in checked {
        for skill in checked.set.skills() {
            let path = checked.shown(&skill.folder().skill_path());
            let renamed = rename(skill).map(|name| sibling(&path, name));
            let mended = mend(skill, &args.options());
            if mended == skill.source() && renamed.is_none() {
                continue;
            }
            found += 1;
            let shown = renamed.as_deref().unwrap_or(&path);
            out.push_str(&diff(&path, shown, skill.source(), &mended));
            if !args.write {
                continue;
            }
            match write(&path, renamed.as_deref(), skill.source(), &mended) {
                Ok(()) => written += 1,
                Err(error) => {
                    eprintln!("error: {path}: {error}");
                    failed = true;
                }
            }
        }
    }
    out.push_str(&match (found, args.write) {
        (0, _) => "nothing to mend\n".to_owned(),
        (_, true) => format!("files mended: {written}\n"),
        (_, false) => {
            format!("files that can be mended: {found}; nothing was written, `--write` writes\n")
        }
    });
    let code = if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    };
    (out, code)
}

/// The source after every fix of its text. A fix that makes anything worse is not kept.
fn mend(skill: &CheckedSkill, options: &CheckOptions<'_>) -> Vec<u8> {
    let folder = skill.folder();
    let options = options
        .clone()
        .directory(folder.directory())
        .files(folder.files().iter().map(|file| file.path()));
    let mut source = skill.source().to_vec();
    let mut checked = check(&source, &options);
    for _ in 0..MAX_ROUNDS {
        let Some((mended, after)) = step(&source, &checked, &options) else {
            break;
        };
        (source, checked) = (mended, after);
    }
    source
}

/// The source after the first fixes that help: as many at once as lie apart, else one alone.
fn step(source: &[u8], checked: &Judged, options: &CheckOptions<'_>) -> Option<(Vec<u8>, Judged)> {
    let fixes: Vec<&Fix> = checked
        .findings()
        .iter()
        .filter_map(|finding| finding.fix())
        .filter(|fix| !fix.edits().is_empty())
        .collect();
    let tried = |mended: Vec<u8>| {
        let after = check(&mended, options);
        (mended != source && helps(checked, &after)).then_some((mended, after))
    };
    if fixes.len() > 1
        && let Some(better) = tried(together(source, &fixes))
    {
        return Some(better);
    }
    fixes
        .into_iter()
        .take(MAX_TRIED)
        .find_map(|fix| tried(fix.apply(source)))
}

/// The source after all fixes that lie apart. Insertions at one place follow each other.
fn together(source: &[u8], fixes: &[&Fix]) -> Vec<u8> {
    let mut taken: Vec<&Edit> = Vec::new();
    for fix in fixes {
        let apart = |edit: &Edit| {
            let (start, end) = (edit.range().start, edit.range().end);
            !taken
                .iter()
                .any(|other| other.range().start < end && start < other.range().end)
        };
        if fix.edits().iter().all(apart) {
            taken.extend(fix.edits());
        }
    }
    taken.sort_by_key(|edit| (edit.range().start, edit.range().end));
    let mut mended = Vec::with_capacity(source.len() + 64);
    let mut at = 0;
    for edit in taken {
        mended.extend_from_slice(source.get(at..edit.range().start).unwrap_or_default());
        mended.extend_from_slice(edit.text().as_bytes());
        at = edit.range().end;
    }
    mended.extend_from_slice(source.get(at..).unwrap_or_default());
    mended
}

/// Whether a file is better than it was: it is read further, or has fewer findings and no new error.
fn helps(before: &Judged, after: &Judged) -> bool {
    let unread = |checked: &Judged| {
        let mut errors = checked
            .errors()
            .filter(|error| error.kind() == Kind::YamlSyntax);
        errors
            .next()
            .map(|error| error.span().map_or(0, |span| span.line()))
    };
    match (unread(before), unread(after)) {
        (Some(_), None) => return true,
        (Some(before), Some(after)) if before != after => return after > before,
        (None, Some(_)) => return false,
        _ => {}
    }
    let count = |checked: &Judged, kind: Kind| {
        checked
            .errors()
            .filter(|error| error.kind() == kind)
            .count()
    };
    let no_worse = |kind: &Kind| count(after, *kind) <= count(before, *kind);
    after.findings().len() < before.findings().len() && Kind::ALL.iter().all(no_worse)
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
    let mut between = PathBuf::from(format!("{renamed}.renaming"));
    while between.symlink_metadata().is_ok() {
        between.as_mut_os_string().push("-");
    }
    fs::rename(path, &between)?;
    fs::rename(&between, Path::new(renamed))
}
