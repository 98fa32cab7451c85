//! `name`: letters and digits of any script in lower case, and hyphens.
//!
//! A name is compared and counted in normalisation form NFKC, so that a name
//! typed with decomposed accents equals one typed with composed ones. A combining
//! mark that follows a letter or digit is part of it: Hindi, Thai and Tamil words
//! cannot be written without them.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Fields;
use crate::Kind;
use crate::draft::Draft;
use crate::finding::{Fix, Severity};
use crate::frame::short;
use crate::value::Value;

pub(crate) const MAX_NAME: usize = 64;

/// A name as it is compared: trimmed, NFKC.
pub(crate) fn normal(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    if name.is_ascii() {
        Cow::Borrowed(name)
    } else {
        name.nfkc().collect()
    }
}

pub(super) fn run(fields: &Fields<'_>, directory: Option<&str>, drafts: &mut Vec<Draft>) {
    let Some(entry) = fields.entry("name") else {
        if fields.complete {
            drafts.push(missing(fields, directory));
        }
        return;
    };
    let value = &entry.value;
    let Some(text) = value.as_text() else {
        let message = format!("`name` must be a text, and is {}", value.noun());
        drafts.push(fallback(
            Draft::at(Kind::MissingName, value.range(), message).help("write `name: my-skill`"),
            directory,
        ));
        return;
    };
    let name = normal(text);
    if name.is_empty() {
        let draft = Draft::at(Kind::MissingName, value.range(), "`name` is empty")
            .help(suggestion(directory));
        drafts.push(fallback(draft, directory));
        return;
    }
    if super::is_blank(&name) {
        let message = "`name` holds nothing that can be seen";
        drafts
            .push(Draft::at(Kind::MissingName, value.range(), message).help(suggestion(directory)));
        return;
    }
    characters(fields, value, &name, drafts);
    if let Some(directory) = directory {
        mismatch(value, &name, directory, drafts);
    }
}

fn missing(fields: &Fields<'_>, directory: Option<&str>) -> Draft {
    let draft = match fields.misspelt("name") {
        Some(entry) => Draft::at(
            Kind::MissingName,
            entry.key_range(),
            format!(
                "`name` is missing; keys are case-sensitive, and this one is `{}`",
                short(&entry.key)
            ),
        )
        .help("write the key as `name`")
        .fix(Fix::replace(entry.key_range(), "name")),
        None => Draft::at(Kind::MissingName, fields.end.clone(), "`name` is missing")
            .help(suggestion(directory)),
    };
    fallback(draft, directory)
}

/// `lenient` takes the name of the folder, where it is known.
fn fallback(draft: Draft, directory: Option<&str>) -> Draft {
    if directory.is_some_and(|directory| !directory.trim().is_empty()) {
        draft.lenient(Some(Severity::Warning))
    } else {
        draft
    }
}

fn suggestion(directory: Option<&str>) -> String {
    match directory {
        Some(directory) => format!("add `name: {directory}`, the name of the skill's folder"),
        None => "add `name: my-skill`, the name of the skill's folder".to_owned(),
    }
}

fn characters(fields: &Fields<'_>, value: &Value, name: &str, drafts: &mut Vec<Draft>) {
    let rule = |kind, message: String| Draft::at(kind, value.range(), message);
    let length = name.chars().count();
    if length > MAX_NAME {
        drafts.push(
            rule(
                Kind::NameTooLong,
                format!("`name` has {length} characters, and may have at most {MAX_NAME}"),
            )
            .help("shorten it, and the name of the skill's folder with it"),
        );
    }
    let is_lower = if name.is_ascii() {
        !name.bytes().any(|byte| byte.is_ascii_uppercase())
    } else {
        name.to_lowercase() == name
    };
    if !is_lower {
        drafts.push(
            rule(
                Kind::NameCase,
                format!("`name` must be in lower case, and is `{}`", short(name)),
            )
            .help(format!("write `name: {}`", proposal(name))),
        );
    }
    if let Some(bad) = first_bad(name) {
        let shown = if bad.is_control() || bad.is_whitespace() {
            bad.escape_debug().to_string()
        } else {
            bad.to_string()
        };
        let shown = if bad == ' ' {
            "a blank".to_owned()
        } else {
            format!("`{shown}`")
        };
        let mut draft = rule(
            Kind::NameCharacters,
            format!("`name` may hold letters, digits and hyphens, and holds {shown}"),
        )
        .help(format!("write `name: {}`", proposal(name)));
        // Point at the character itself where it stands as such in the file.
        let range = value.range();
        if let Some(at) = fields
            .text
            .get(range.clone())
            .and_then(|source| source.find(bad))
        {
            draft.range = Some(range.start + at..range.start + at + bad.len_utf8());
        }
        drafts.push(draft);
    }
    if name.starts_with('-') || name.ends_with('-') {
        drafts.push(
            rule(
                Kind::NameEdgeHyphen,
                format!(
                    "`name` may not start or end with a hyphen, and is `{}`",
                    short(name)
                ),
            )
            .help(format!("write `name: {}`", proposal(name))),
        );
    }
    if name.contains("--") {
        drafts.push(
            rule(
                Kind::NameDoubleHyphen,
                format!(
                    "`name` may not hold two hyphens in a row, and is `{}`",
                    short(name)
                ),
            )
            .help(format!("write `name: {}`", proposal(name))),
        );
    }
}

/// The first character that no name may hold.
fn first_bad(name: &str) -> Option<char> {
    let mut after_letter = false;
    name.chars().find(|c| {
        let good = c.is_alphanumeric() || *c == '-' || (after_letter && is_combining_mark(*c));
        after_letter = good && *c != '-';
        !good
    })
}

/// A name near `name` that keeps the rules.
fn proposal(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars().take(MAX_NAME) {
        let good =
            c.is_alphanumeric() || (is_combining_mark(c) && !out.is_empty() && !out.ends_with('-'));
        if good {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() {
        "my-skill".to_owned()
    } else {
        out.to_owned()
    }
}

fn mismatch(value: &Value, name: &str, directory: &str, drafts: &mut Vec<Draft>) {
    if normal(directory) == name {
        return;
    }
    let message = format!(
        "`name` is `{}`, and the folder is `{}`; the two must be equal",
        short(name),
        short(directory)
    );
    let keeps_rules = |text: &str| text == proposal(text);
    let help = if keeps_rules(directory) && !keeps_rules(name) {
        format!("write `name: {directory}`")
    } else if keeps_rules(directory) {
        format!("write `name: {directory}`, or rename the folder to `{name}`")
    } else {
        format!("rename the folder to `{}`", proposal(name))
    };
    drafts.push(Draft::at(Kind::NameDirectoryMismatch, value.range(), message).help(help));
}
