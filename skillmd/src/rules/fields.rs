//! `description`, `license`, `compatibility` and `metadata`.

use super::{Fields, length};
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::frame::short;
use crate::value::{Content, Entry, Value};
use crate::yaml::quote::quoted;

const MAX_DESCRIPTION: usize = 1024;
const MAX_COMPATIBILITY: usize = 500;
const SAY: &str = "say what the skill does and when to use it, in at most 1024 characters";

pub(super) fn description(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(entry) = fields.entry("description") else {
        drafts.extend(fields.complete.then(|| no_description(fields)));
        return;
    };
    let Some(text) = entry.value.as_text() else {
        drafts.push(not_text(fields, Kind::DescriptionNotString, entry));
        return;
    };
    let count = length(text);
    if count == 0 {
        let message = "`description` is empty";
        drafts.push(Draft::at(Kind::DescriptionEmpty, fields.place(entry), message).help(SAY));
    } else if count > MAX_DESCRIPTION {
        let message =
            format!("`description` has {count} characters, and may have at most {MAX_DESCRIPTION}");
        drafts.push(
            Draft::at(Kind::DescriptionTooLong, fields.place(entry), message)
                .help("move the details into the body, which the model reads when it needs them"),
        );
    }
}

fn no_description(fields: &Fields<'_>) -> Draft {
    let Some(entry) = fields.misspelt("description") else {
        return Draft::at(
            Kind::MissingDescription,
            fields.end.clone(),
            "`description` is missing",
        )
        .help(format!("add a `description: …` line; {SAY}"));
    };
    let key = short(&entry.key);
    let message =
        format!("`description` is missing; keys are case-sensitive, and this one is `{key}`");
    Draft::at(Kind::MissingDescription, entry.key_range(), message)
        .help("write the key as `description`")
        .fix(Fix::replace(entry.key_range(), "description"))
}

pub(super) fn license(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    if let Some(entry) = fields
        .entry("license")
        .filter(|entry| entry.value.as_text().is_none())
    {
        drafts.push(
            not_text(fields, Kind::LicenseNotString, entry).help(
                "write the name of the license, or of the file that holds it: `license: MIT`",
            ),
        );
    }
}

pub(super) fn compatibility(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(entry) = fields.entry("compatibility") else {
        return;
    };
    let Some(text) = entry.value.as_text() else {
        drafts.push(not_text(fields, Kind::CompatibilityNotString, entry));
        return;
    };
    let count = length(text);
    if count == 0 {
        let message = "`compatibility` is empty, and must have 1 to 500 characters if it is there";
        drafts.push(
            Draft::at(Kind::CompatibilityEmpty, fields.place(entry), message)
                .help("remove the key, or say what the skill needs"),
        );
    } else if count > MAX_COMPATIBILITY {
        let message = format!(
            "`compatibility` has {count} characters, and may have at most {MAX_COMPATIBILITY}"
        );
        drafts.push(
            Draft::at(Kind::CompatibilityTooLong, fields.place(entry), message)
                .help("move the details into the body"),
        );
    }
}

pub(super) fn metadata(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(entry) = fields.entry("metadata") else {
        return;
    };
    match entry.value.content() {
        // A key without a value is as good as no key.
        Content::Text { text, plain: true } if text.is_empty() => {}
        Content::Map(entries) => {
            drafts.extend(
                entries
                    .iter()
                    .filter(|entry| entry.value.as_text().is_none())
                    .map(|entry| nested(fields, entry)),
            );
        }
        _ => {
            let message = format!("`metadata` must be a map, and is {}", entry.value.noun());
            drafts.push(
                Draft::at(Kind::MetadataNotMapping, fields.place(entry), message)
                    .help("write `metadata:` and below it, indented, lines such as `author: …`"),
            );
        }
    }
}

fn nested(fields: &Fields<'_>, entry: &Entry) -> Draft {
    let key = short(&entry.key);
    let message = format!(
        "`metadata.{key}` must be a text, and is {}",
        entry.value.noun()
    );
    let help = match flat(&entry.value) {
        Some(text) => format!("write it as one text: `{key}: {}`", quoted(&text)),
        None => {
            "write each value as one text, or move the data into a file beside SKILL.md".to_owned()
        }
    };
    Draft::at(Kind::MetadataValueNotString, fields.place(entry), message).help(help)
}

/// A list of texts as one text.
fn flat(value: &Value) -> Option<String> {
    let items: Option<Vec<&str>> = value.as_list()?.iter().map(Value::as_text).collect();
    Some(items?.join(", "))
}

/// A list or a map where a text has to be.
fn not_text(fields: &Fields<'_>, kind: Kind, entry: &Entry) -> Draft {
    let key = &entry.key;
    let message = format!("`{key}` must be a text, and is {}", entry.value.noun());
    // `[draft] notes` and `{{ name }}` are meant as text.
    let inline = fields
        .text
        .get(entry.value.range())
        .filter(|source| source.starts_with(['[', '{']) && !source.contains('\n'));
    let draft = Draft::at(kind, fields.place(entry), message);
    match inline.map(quoted) {
        Some(text) => draft.help(format!("put the value in quotes: `{key}: {text}`")),
        None => draft.help(format!("write `{key}:` and one text after it")),
    }
}
