//! `description`, `license`, `compatibility` and `metadata`.

use super::{Fields, length};
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::frame::short;
use crate::value::Content;

const MAX_DESCRIPTION: usize = 1024;
const MAX_COMPATIBILITY: usize = 500;

pub(super) fn description(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    const SAY: &str = "say what the skill does and when to use it, in at most 1024 characters";
    let Some(value) = fields.get("description") else {
        if fields.complete {
            drafts.push(match fields.misspelt("description") {
                Some(entry) => {
                    let message = format!(
                        "`description` is missing; keys are case-sensitive, and this one is `{}`",
                        short(&entry.key)
                    );
                    Draft::at(Kind::MissingDescription, entry.key_range(), message)
                        .help("write the key as `description`")
                        .fix(Fix::replace(entry.key_range(), "description"))
                }
                None => Draft::at(
                    Kind::MissingDescription,
                    fields.end.clone(),
                    "`description` is missing",
                )
                .help(format!("add a `description: …` line; {SAY}")),
            });
        }
        return;
    };
    let Some(text) = value.as_text() else {
        let message = format!("`description` must be a text, and is {}", value.noun());
        drafts.push(
            Draft::at(Kind::DescriptionNotString, value.range(), message).help(in_quotes(
                fields,
                "description",
                value.range(),
            )),
        );
        return;
    };
    let count = length(text);
    if count == 0 {
        drafts.push(
            Draft::at(
                Kind::DescriptionEmpty,
                value.range(),
                "`description` is empty",
            )
            .help(SAY),
        );
    } else if count > MAX_DESCRIPTION {
        let message =
            format!("`description` has {count} characters, and may have at most {MAX_DESCRIPTION}");
        drafts.push(
            Draft::at(Kind::DescriptionTooLong, value.range(), message)
                .help("move the details into the body, which the model reads when it needs them"),
        );
    }
}

pub(super) fn license(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    if let Some(value) = fields
        .get("license")
        .filter(|value| value.as_text().is_none())
    {
        let message = format!("`license` must be a text, and is {}", value.noun());
        drafts.push(
            Draft::at(Kind::LicenseNotString, value.range(), message).help(
                "write the name of the license, or of the file that holds it: `license: MIT`",
            ),
        );
    }
}

pub(super) fn compatibility(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(value) = fields.get("compatibility") else {
        return;
    };
    let Some(text) = value.as_text() else {
        let message = format!("`compatibility` must be a text, and is {}", value.noun());
        drafts.push(
            Draft::at(Kind::CompatibilityNotString, value.range(), message).help(in_quotes(
                fields,
                "compatibility",
                value.range(),
            )),
        );
        return;
    };
    let count = length(text);
    if count == 0 {
        drafts.push(
            Draft::at(
                Kind::CompatibilityEmpty,
                value.range(),
                "`compatibility` is empty, and must have 1 to 500 characters if it is there",
            )
            .help("remove the key, or say what the skill needs"),
        );
    } else if count > MAX_COMPATIBILITY {
        let message = format!(
            "`compatibility` has {count} characters, and may have at most {MAX_COMPATIBILITY}"
        );
        drafts.push(
            Draft::at(Kind::CompatibilityTooLong, value.range(), message)
                .help("move the details into the body"),
        );
    }
}

pub(super) fn metadata(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(value) = fields.get("metadata") else {
        return;
    };
    match value.content() {
        // A key without a value is as good as no key.
        Content::Text { text, plain: true } if text.is_empty() => {}
        Content::Map(entries) => {
            for entry in entries
                .iter()
                .filter(|entry| entry.value.as_text().is_none())
            {
                let key = short(&entry.key);
                let message = format!(
                    "`metadata.{key}` must be a text, and is {}",
                    entry.value.noun()
                );
                let help = match flat(&entry.value) {
                    Some(text) => format!(
                        "write it as one text: `{key}: {}`",
                        crate::yaml::quote::quoted(&text)
                    ),
                    None => {
                        "write each value as one text, or move the data into a file beside SKILL.md"
                            .to_owned()
                    }
                };
                drafts.push(
                    Draft::at(Kind::MetadataValueNotString, entry.value.range(), message)
                        .help(help),
                );
            }
        }
        _ => {
            let message = format!("`metadata` must be a map, and is {}", value.noun());
            drafts.push(
                Draft::at(Kind::MetadataNotMapping, value.range(), message)
                    .help("write `metadata:` and below it, indented, lines such as `author: …`"),
            );
        }
    }
}

/// A list of texts as one text.
fn flat(value: &crate::Value) -> Option<String> {
    let items: Option<Vec<&str>> = value.as_list()?.iter().map(crate::Value::as_text).collect();
    Some(items?.join(", "))
}

/// The advice to quote a value that YAML took for a list or a map.
fn in_quotes(fields: &Fields<'_>, key: &str, range: std::ops::Range<usize>) -> String {
    match fields
        .text
        .get(range)
        .map(str::trim)
        .filter(|source| source.starts_with(['[', '{']) && !source.contains('\n'))
    {
        Some(source) => format!(
            "put the value in quotes: `{key}: {}`",
            crate::yaml::quote::quoted(source)
        ),
        None => format!("write `{key}:` and one text after it"),
    }
}
