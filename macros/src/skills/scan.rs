//! Finds and checks the skills of all folders. Every finding of every skill becomes one error or
//! one warning.

use std::path::{Path, PathBuf};

use proc_macro2::Span;
use repertoire_skillmd::{
    Finding, Kind, build, render,
    scan::{CheckedSet, CheckedSkill, Scan, ScanOptions, check_together, folder},
};
use syn::LitStr;

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
    let mut roots = Vec::new();
    for literal in &input.folders {
        match root(literal, &package) {
            Ok(root) => roots.push(root),
            Err(error) => found.push(error),
        }
    }
    let scans = roots.iter().map(|root| (root.shown.as_str(), &root.scan));
    let checked = check_together(scans, &input.options.check);
    for (root, checked) in roots.iter().zip(checked) {
        report(root, &checked, &mut set.warnings, found);
        for skill in checked.into_parts().0 {
            // The first of a name counts; the findings of the second say so.
            let mut kinds = skill.checked().findings().iter().map(Finding::kind);
            let is_second = kinds.any(|kind| kind == Kind::DuplicateName);
            if skill.checked().skill().is_some() && !is_second {
                set.skills.push(Found {
                    // As Cargo and the compiler both write it: what is no Unicode cannot be included.
                    root: package
                        .join(&root.written)
                        .to_string_lossy()
                        .trim_end_matches('/')
                        .to_owned(),
                    checked: skill,
                });
            }
        }
        untracked(input, &root.written, root.span, &mut set.warnings);
    }
    set
}

/// One folder that the call names.
struct Root {
    span: Span,
    written: String,
    shown: String,
    scan: Scan,
}

fn root(literal: &LitStr, package: &Path) -> syn::Result<Root> {
    let (span, written) = (literal.span(), literal.value());
    let refuse = |message: &str| Err(syn::Error::new(span, message));
    if Path::new(&written).is_absolute() {
        return refuse(
            "expected a folder relative to `Cargo.toml`, so that the package builds elsewhere",
        );
    }
    if written.trim().is_empty() {
        return refuse("expected a folder of skills, for example `\"skills/\"`");
    }
    // Without a slash at the end, behind which a file would look like nothing at all.
    let path = plain(&package.join(&written));
    let shown = shown(&path);
    if !path.is_dir() {
        let what = if path.exists() {
            "is not a folder"
        } else {
            "does not exist"
        };
        let hint = if written.contains('\\') && !cfg!(windows) {
            ", with `/` between its parts"
        } else {
            ""
        };
        return refuse(&format!(
            "`{shown}` {what}; the path is relative to `Cargo.toml`{hint}"
        ));
    }
    Ok(Root {
        span,
        written,
        shown,
        scan: folder(&path, &ScanOptions::new()),
    })
}

/// Says everything that was found in one folder.
fn report(root: &Root, checked: &CheckedSet, warnings: &mut Vec<Warning>, found: &mut Diagnostics) {
    let Root { span, shown, .. } = root;
    let mut report = |finding: &Finding, path: &str, source: &[u8]| {
        let text = render(finding, &join(shown, path), source);
        if finding.is_error() {
            found.at_span(*span, text);
        } else {
            warnings.push(Warning { span: *span, text });
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
            *span,
            format!("`{shown}` holds no skill; a skill is a folder in it with a `SKILL.md`"),
        );
    }
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
