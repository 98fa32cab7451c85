//! For build scripts: has Cargo look at a folder of skills.
//!
//! A macro that embeds files is run again when one of them changes, and not when
//! a new one appears. A build script that calls [`track`] closes the gap:
//!
//! ```no_run
//! // In `main` of build.rs, with `repertoire-skillmd` under [build-dependencies].
//! repertoire_skillmd::build::track("skills");
//! ```

use std::path::{Path, PathBuf};

use crate::scan::{ScanOptions, folder};

/// Tells Cargo to build the package again when anything below `folder` changes,
/// appears or vanishes. `folder` is relative to the package, as in `skills!`.
///
/// Prints `cargo::rerun-if-changed` and sets the environment variable
/// [`variable`] for the compiler, by which the macro sees that the folder is
/// tracked. Cargo does not follow symbolic links, so targets of links are printed
/// one by one.
#[allow(
    clippy::print_stdout,
    reason = "a build script speaks to Cargo on standard output"
)]
pub fn track(folder: &str) {
    for line in lines(folder, &package()) {
        println!("{line}");
    }
}

/// The environment variable that [`track`] sets for a folder, for example
/// `REPERTOIRE_SKILLS_TRACKED_skills`.
///
/// The path is taken without a leading `./` and trailing slashes; what is neither
/// a letter nor a digit of ASCII stands as `_` and two hexadecimal digits.
///
/// ```
/// use repertoire_skillmd::build::variable;
///
/// assert_eq!(variable("skills"), variable("./skills/"));
/// assert_eq!(variable("agent/skills"), "REPERTOIRE_SKILLS_TRACKED_agent_2Fskills");
/// ```
#[must_use]
pub fn variable(folder: &str) -> String {
    use std::fmt::Write as _;
    let mut name = "REPERTOIRE_SKILLS_TRACKED_".to_owned();
    for byte in plain(folder).bytes() {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(name, "_{byte:02X}");
        }
    }
    name
}

fn plain(folder: &str) -> String {
    let folder = folder.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/') {
        match part {
            "" if parts.is_empty() && folder.starts_with('/') => parts.push(""),
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

fn package() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default()
}

fn lines(path: &str, package: &Path) -> Vec<String> {
    let path = plain(path);
    let mut lines = vec![format!("cargo::rerun-if-changed={path}")];
    let scan = folder(&package.join(&path), &ScanOptions::new());
    for target in scan.link_targets() {
        lines.push(format!("cargo::rerun-if-changed={}", target.display()));
    }
    lines.push(format!("cargo::rustc-env={}=1", variable(&path)));
    lines
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_one_have_one_variable() {
        assert_eq!(variable("././skills//"), variable("skills"));
        assert_eq!(variable("."), variable(""));
        assert_eq!(variable("a/./b/.."), variable("a"));
        assert_eq!(variable("../x/."), variable("../x"));
        assert_ne!(variable("../x"), variable("x"));
        assert_ne!(variable("a-b"), variable("a_b"));
        assert_ne!(variable("a/b"), variable("a_b"));
    }

    /// Cargo follows no links; where they lead is printed if `skills!` follows them too.
    #[cfg(unix)]
    #[test]
    fn targets_of_links_are_printed() {
        use std::{fs, os::unix::fs::symlink};

        let package = std::env::temp_dir().join(format!("track-{}", std::process::id()));
        let _ = fs::remove_dir_all(&package);
        for folder in ["skills/real", "skills/linked", "outside"] {
            fs::create_dir_all(package.join(folder)).unwrap();
        }
        let text = "---\nname: real\ndescription: Use when asked.\n---\nx\n";
        fs::write(package.join("skills/real/SKILL.md"), text).unwrap();
        fs::write(package.join("skills/linked/SKILL.md"), text).unwrap();
        fs::write(package.join("outside/SKILL.md"), text).unwrap();
        fs::write(package.join("skills/shared.md"), "x").unwrap();
        symlink("../shared.md", package.join("skills/real/shared.md")).unwrap();
        symlink("../../outside", package.join("skills/out")).unwrap();
        let lines = lines("skills", &package);
        let target = package.canonicalize().unwrap().join("skills/shared.md");
        assert_eq!(
            lines,
            [
                "cargo::rerun-if-changed=skills".to_owned(),
                format!("cargo::rerun-if-changed={}", target.display()),
                "cargo::rustc-env=REPERTOIRE_SKILLS_TRACKED_skills=1".to_owned(),
            ]
        );
        fs::remove_dir_all(&package).unwrap();
    }

    #[test]
    fn prints_what_cargo_reads() {
        let lines = lines("./skills/", Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(
            lines,
            [
                "cargo::rerun-if-changed=skills",
                "cargo::rustc-env=REPERTOIRE_SKILLS_TRACKED_skills=1"
            ]
        );
    }
}
