//! Files for a test, and what is said of them.

use repertoire_skillmd::{CheckOptions, Checked, Profile, check};

use super::support::error_names;

pub(crate) fn with(header: &str) -> String {
    format!("---\n{header}---\nRead the invoice.\n")
}

/// A whole file around some keys; `name` and `description` are added where they are missing.
pub(crate) fn file(keys: &str) -> String {
    let has = |key: &str| {
        keys.lines()
            .any(|line| line.starts_with(&format!("{key}:")))
    };
    let name = if has("name") { "" } else { "name: invoices\n" };
    let description = if has("description") {
        ""
    } else {
        "description: Use when a bill is to be read.\n"
    };
    with(&format!("{name}{description}{keys}"))
}

pub(crate) fn judged(source: &str, profile: Profile) -> Checked {
    check(source.as_bytes(), &CheckOptions::new().profile(profile))
}

pub(crate) fn named(name: &str, directory: &str) -> Vec<&'static str> {
    let source = file(&format!("name: {name}\n"));
    error_names(&check(
        source.as_bytes(),
        &CheckOptions::new().directory(directory),
    ))
}
