//! Copies of the traps, changed in ways that mean nothing: the verdicts stay, and
//! places move by exactly what was added before them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use repertoire_skillmd::{Checked, Finding, Kind, Profile, parse};
use support::{Trap, traps};

/// Kind, severity and place of each finding, moved by `shift`.
fn places(
    checked: &Checked,
    shift: impl Fn(&Finding) -> (usize, usize),
) -> Vec<(Kind, String, usize, usize)> {
    let mut places: Vec<_> = checked
        .findings()
        .iter()
        .map(|finding| {
            let (line, column) = shift(finding);
            (finding.kind(), finding.severity().to_string(), line, column)
        })
        .collect();
    places.sort();
    places
}

fn unmoved(finding: &Finding) -> (usize, usize) {
    finding
        .span()
        .map_or((0, 0), |span| (span.line(), span.column()))
}

fn has_fences(trap: &Trap) -> bool {
    let kinds: Vec<Kind> = trap
        .check(Profile::Spec)
        .findings()
        .iter()
        .map(Finding::kind)
        .collect();
    !kinds.iter().any(|kind| {
        matches!(
            kind,
            Kind::MissingFrontmatter | Kind::UnclosedFrontmatter | Kind::NotUtf8
        )
    })
}

fn each(change: impl Fn(&Trap) -> Option<Vec<u8>>, compare: impl Fn(&Trap, &[u8], Profile)) {
    let mut changed_files = 0;
    for trap in traps() {
        let Some(changed) = change(&trap) else {
            continue;
        };
        changed_files += 1;
        for profile in Profile::ALL {
            compare(&trap, &changed, profile);
        }
    }
    assert!(
        changed_files > 70,
        "only {changed_files} files were changed"
    );
}

#[test]
fn windows_line_ends() {
    let change = |trap: &Trap| {
        let text = std::str::from_utf8(&trap.source).ok()?;
        (!text.contains('\r')).then(|| text.replace('\n', "\r\n").into_bytes())
    };
    each(change, |trap, changed, profile| {
        let (before, after) = (trap.check(profile), trap.check_bytes(changed, profile));
        assert_eq!(
            places(&before, unmoved),
            places(&after, unmoved),
            "{} {profile}",
            trap.id()
        );
        for (before, after) in before.findings().iter().zip(after.findings()) {
            let (Some(before), Some(after)) = (before.span(), after.span()) else {
                continue;
            };
            // One byte more for each line above.
            assert_eq!(
                after.bytes().start,
                before.bytes().start + before.line() - 1,
                "{}",
                trap.id()
            );
        }
        assert_same_values(trap, &before, &after, changed);
    });
}

fn assert_same_values(trap: &Trap, before: &Checked, after: &Checked, changed: &[u8]) {
    let (Some(before), Some(after)) = (before.skill(), after.skill()) else {
        assert_eq!(
            before.skill().is_some(),
            after.skill().is_some(),
            "{}",
            trap.id()
        );
        return;
    };
    assert_eq!(before.name(), after.name());
    assert_eq!(before.description(), after.description());
    assert_eq!(before.allowed_tools(), after.allowed_tools());
    assert_eq!(before.entries().len(), after.entries().len());
    let lines = |body: &str| body.replace("\r\n", "\n");
    assert_eq!(lines(before.body(&trap.source)), lines(after.body(changed)));
}

#[test]
fn a_byte_order_mark() {
    let change = |trap: &Trap| {
        let has_mark =
            trap.source.starts_with(&[0xEF, 0xBB, 0xBF]) || trap.source.starts_with(&[0xFF, 0xFE]);
        (!has_mark).then(|| [&[0xEF, 0xBB, 0xBF], trap.source.as_slice()].concat())
    };
    each(change, |trap, changed, profile| {
        let (before, after) = (trap.check(profile), trap.check_bytes(changed, profile));
        let mut after_places = places(&after, unmoved);
        // The mark itself is a lint where there is a frontmatter.
        after_places.retain(|(kind, ..)| *kind != Kind::Bom);
        assert_eq!(
            places(&before, unmoved),
            after_places,
            "{} {profile}",
            trap.id()
        );
        for (before, after) in before.findings().iter().zip(
            after
                .findings()
                .iter()
                .filter(|finding| finding.kind() != Kind::Bom),
        ) {
            if let (Some(before), Some(after)) = (before.span(), after.span()) {
                assert_eq!(
                    after.bytes(),
                    before.bytes().start + 3..before.bytes().end + 3,
                    "{}",
                    trap.id()
                );
            }
        }
    });
}

const COMMENTS: &str = "# one comment: with a colon\n\n# \"another\n";

#[test]
fn comment_lines() {
    let change = |trap: &Trap| {
        let first = trap.source.iter().position(|byte| *byte == b'\n')? + 1;
        has_fences(trap).then(|| {
            [
                &trap.source[..first],
                COMMENTS.as_bytes(),
                &trap.source[first..],
            ]
            .concat()
        })
    };
    each(change, |trap, changed, profile| {
        let (before, after) = (trap.check(profile), trap.check_bytes(changed, profile));
        let first = trap.source.iter().position(|byte| *byte == b'\n').unwrap();
        let below = |finding: &Finding| {
            let (line, column) = unmoved(finding);
            (
                if finding
                    .span()
                    .is_some_and(|span| span.bytes().start > first)
                {
                    line + 3
                } else {
                    line
                },
                column,
            )
        };
        assert_eq!(
            places(&before, below),
            places(&after, unmoved),
            "{} {profile}",
            trap.id()
        );
        for (before, after) in before.findings().iter().zip(after.findings()) {
            if let (Some(before), Some(after)) = (before.span(), after.span()) {
                let moved = if before.bytes().start > first {
                    COMMENTS.len()
                } else {
                    0
                };
                assert_eq!(
                    after.bytes().start,
                    before.bytes().start + moved,
                    "{}",
                    trap.id()
                );
            }
        }
    });
}

#[test]
fn blanks_after_the_fences() {
    let change = |trap: &Trap| {
        let text = std::str::from_utf8(&trap.source).ok()?;
        let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        has_fences(trap).then(|| {
            let mut fences = 0;
            let blank = |line: String| {
                fences += usize::from(line.trim_end_matches(['\n', '\r']) == "---");
                if fences <= 2 && line.starts_with("---") {
                    line.replacen("---", "--- \t", 1)
                } else {
                    line
                }
            };
            lines
                .into_iter()
                .map(blank)
                .collect::<String>()
                .into_bytes()
        })
    };
    each(change, |trap, changed, profile| {
        let (before, after) = (trap.check(profile), trap.check_bytes(changed, profile));
        let without = |checked: &Checked| {
            let mut places = places(checked, unmoved);
            places.retain(|(kind, ..)| *kind != Kind::FenceTrailingBlanks);
            places
        };
        assert_eq!(without(&before), without(&after), "{} {profile}", trap.id());
        assert!(
            after
                .findings()
                .iter()
                .any(|finding| finding.kind() == Kind::FenceTrailingBlanks),
            "{}",
            trap.id()
        );
    });
}

/// The entries of the frontmatter, whole lines each, the last one first.
fn reversed(source: &[u8]) -> Option<Vec<u8>> {
    let document = parse(source).ok()?;
    let line_start = |at: usize| {
        source[..at]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1)
    };
    let starts: Vec<usize> = document
        .entries()
        .iter()
        .map(|entry| line_start(entry.key_range().start))
        .collect();
    let (first, last) = (*starts.first()?, *starts.last()?);
    let close = source[last..]
        .windows(4)
        .position(|bytes| bytes == b"\n---")?
        + last
        + 1;
    let mut changed = source[..first].to_vec();
    let ends = starts.iter().skip(1).copied().chain([close]);
    let pieces: Vec<&[u8]> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &source[*start..end])
        .collect();
    changed.extend(pieces.into_iter().rev().flatten());
    changed.extend_from_slice(&source[close..]);
    Some(changed)
}

#[test]
fn keys_in_another_order() {
    each(
        |trap| reversed(&trap.source),
        |trap, changed, profile| {
            let (before, after) = (trap.check(profile), trap.check_bytes(changed, profile));
            // The order changes, so compare what stands at the places.
            let told = |checked: &Checked, source: &[u8]| {
                let mut told: Vec<_> = checked
                    .findings()
                    .iter()
                    .map(|finding| {
                        (
                            finding.kind(),
                            finding.severity(),
                            finding
                                .span()
                                .map(|span| (span.column(), source[span.bytes()].to_vec())),
                        )
                    })
                    .collect();
                told.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
                told
            };
            assert_eq!(
                told(&before, &trap.source),
                told(&after, changed),
                "{} {profile}",
                trap.id()
            );
            assert_same_values(trap, &before, &after, changed);
        },
    );
}

/// The skill and its folder get another name that breaks and keeps the same rules.
#[test]
fn another_name() {
    let mut changed_files = 0;
    for trap in traps() {
        let Ok(text) = std::str::from_utf8(&trap.source) else {
            continue;
        };
        let old = format!("name: {}\n", trap.directory());
        // A name of 64 letters would become too long.
        if !text.contains(&old) || trap.directory().len() > 60 {
            continue;
        }
        changed_files += 1;
        let directory = format!("q{}", trap.directory());
        // A hyphen at the start would move inwards.
        let directory = if trap.directory().starts_with('-') {
            format!("-q{}", &trap.directory()[1..])
        } else {
            directory
        };
        let changed = text.replace(&old, &format!("name: {directory}\n"));
        for profile in Profile::ALL {
            let options = repertoire_skillmd::CheckOptions::new()
                .profile(profile)
                .directory(&directory)
                .file_name(&trap.file)
                .files(trap.files.iter().map(String::as_str));
            let (before, after) = (
                trap.check(profile),
                repertoire_skillmd::check(changed.as_bytes(), &options),
            );
            let kinds = |checked: &Checked| {
                checked
                    .findings()
                    .iter()
                    .map(|finding| (finding.kind(), finding.severity()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(kinds(&before), kinds(&after), "{} {profile}", trap.id());
            if let (Some(before), Some(after)) = (before.skill(), after.skill()) {
                assert_eq!(
                    (before.name(), after.name()),
                    (trap.directory(), directory.as_str())
                );
            }
        }
    }
    assert!(
        changed_files > 60,
        "only {changed_files} files were changed"
    );
}
