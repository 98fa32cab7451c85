//! Finds and checks the skills of all folders. Every finding of every skill becomes one error or
//! one warning.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use proc_macro2::Span;
use repertoire_skillmd::{
    Finding, Kind, Profile, build, render,
    scan::{CheckedSkill, ScanOptions, folder},
};

use super::input::Input;
use crate::diagnostics::Diagnostics;

/// What was found, ready to be written out.
#[derive(Default)]
pub(super) struct Set {
    pub(super) skills: Vec<Found>,
    pub(super) warnings: Vec<Warning>,
}

/// A skill without an error.
pub(super) struct Found {
    /// The folder that the macro call names, whole.
    pub(super) root: String,
    pub(super) checked: CheckedSkill,
}

/// Advice, with the text that it is about.
pub(super) struct Warning {
    pub(super) span: Span,
    pub(super) text: String,
}

pub(super) fn scan(input: &Input, found: &mut Diagnostics) -> Set {
    let mut set = Set::default();
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
        found.at_span(
            Span::call_site(),
            "`skills!` needs the environment variable `CARGO_MANIFEST_DIR`, which Cargo sets",
        );
        return set;
    };
    let mut taken: HashMap<String, String> = HashMap::new();
    for literal in &input.folders {
        let span = literal.span();
        let written = literal.value();
        if Path::new(&written).is_absolute() {
            found.at_span(
                span,
                "expected a folder relative to `Cargo.toml`, so that the package builds elsewhere",
            );
            continue;
        }
        if written.trim().is_empty() {
            found.at_span(
                span,
                "expected a folder of skills, for example `\"skills/\"`",
            );
            continue;
        }
        // Without a slash at the end, behind which a file would look like nothing at all.
        let root = plain(&package.join(&written));
        if !root.is_dir() {
            let what = if root.exists() {
                "is not a folder"
            } else {
                "does not exist"
            };
            found.at_span(
                span,
                format!(
                    "`{}` {what}; the path is relative to `Cargo.toml`",
                    shown(&root)
                ),
            );
            continue;
        }
        let shown = shown(&root);
        let checked = folder(&root, &ScanOptions::new()).check(&input.options.check);
        let mut report = |finding: &Finding, path: &str, source: &[u8]| {
            let text = render(finding, &join(&shown, path), source);
            if finding.is_error() {
                found.at_span(span, text);
            } else {
                set.warnings.push(Warning { span, text });
            }
        };
        for problem in checked.problems() {
            report(problem.finding(), problem.path(), b"");
        }
        for skill in checked.skills() {
            let path = skill.folder().skill_path();
            for finding in skill.checked().findings() {
                report(finding, &path, skill.source());
            }
        }
        if checked.skills().is_empty() && !checked.has_errors() {
            found.at_span(
                span,
                format!("`{shown}` holds no skill; a skill is a folder in it with a `SKILL.md`"),
            );
        }
        for skill in checked.into_parts().0 {
            let Some(name) = skill.checked().skill().map(|skill| skill.name().to_owned()) else {
                continue;
            };
            let path = join(&shown, &skill.folder().skill_path());
            if let Some(earlier) = taken.get(&name) {
                // Within one folder the check has said so already; the first skill counts.
                let said = skill.checked().findings().iter();
                if said
                    .map(Finding::kind)
                    .any(|kind| kind == Kind::DuplicateName)
                {
                    continue;
                }
                let text = format!(
                    "duplicate-name: the name `{name}` is taken\n --> {path}\n  |\n  = note: \
                         `{earlier}` has it too\n  = help: give one of the two another name, and \
                         its folder too"
                );
                if input.options.profile == Profile::Lenient {
                    set.warnings.push(Warning { span, text });
                } else {
                    found.at_span(span, text);
                }
                continue;
            }
            taken.insert(name, path);
            set.skills.push(Found {
                // As Cargo and the compiler both write it: what is no Unicode cannot be included.
                root: package
                    .join(&written)
                    .to_string_lossy()
                    .trim_end_matches('/')
                    .to_owned(),
                checked: skill,
            });
        }
        untracked(input, &written, span, &mut set.warnings);
    }
    set
}

/// A folder's new files are seen only where a build script has Cargo look at it.
fn untracked(input: &Input, folder: &str, span: Span, warnings: &mut Vec<Warning>) {
    if input.options.untracked || std::env::var_os(build::variable(folder)).is_some() {
        return;
    }
    warnings.push(Warning {
        span,
        text: format!(
            "a new skill in `{folder}` will not be noticed\n  = help: put this into `build.rs`, \
             with `repertoire-skillmd` under `[build-dependencies]`:\n\n      fn main() {{\n          \
             repertoire_skillmd::build::track(\"{folder}\");\n      }}\n\n  = note: or write \
             `skills!(…, untracked)` to go without"
        ),
    });
}

/// A path as it is read best: relative to where the compiler runs, which is the workspace's root.
fn shown(path: &Path) -> String {
    let plain = plain(path);
    let here = std::env::current_dir().unwrap_or_default();
    let relative = plain.strip_prefix(&here).unwrap_or(&plain);
    let text = relative.to_string_lossy();
    // Elsewhere a backslash is a letter like others.
    let text = if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.into_owned()
    };
    text.trim_end_matches('/').to_owned()
}

/// The path without `.` and `name/..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

fn join(root: &str, path: &str) -> String {
    match (root, path) {
        (root, "" | ".") => root.to_owned(),
        ("", path) => path.to_owned(),
        (root, path) => format!("{root}/{path}"),
    }
}
