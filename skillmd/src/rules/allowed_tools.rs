//! `allowed-tools`: one text by the specification, other shapes in the wild.

use std::borrow::Cow;

use super::Fields;
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::value::{Content, Value};
use crate::yaml::quote::quoted;

pub(super) fn run(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    let Some(entry) = fields.entry("allowed-tools") else {
        return;
    };
    let value = &entry.value;
    match value.content() {
        Content::Text { text, plain } => {
            if has_commas(text) {
                let spaced = split(value).join(" ");
                let draft = Draft::at(
                    Kind::AllowedToolsCommas,
                    value.range(),
                    "the tools of `allowed-tools` are separated by commas; the specification wants blanks",
                )
                .help(format!("write `allowed-tools: {}`", written(&spaced)));
                // Only a text on one line without quotes can be replaced as it stands.
                let fixable = *plain && !text.contains('\n') && written(&spaced) == spaced;
                drafts.push(if fixable {
                    draft.fix(Fix::replace(value.range(), spaced))
                } else {
                    draft
                });
            }
        }
        _ => {
            let message = format!(
                "`allowed-tools` must be one text with blanks between the tools, and is {}",
                value.noun()
            );
            let tools = split(value).join(" ");
            let is_whole = value
                .as_list()
                .is_some_and(|items| items.iter().all(|item| item.as_text().is_some()));
            let help = if is_whole && !tools.is_empty() {
                format!("write `allowed-tools: {}`", written(&tools))
            } else {
                "write the tools in one line with blanks between them: `allowed-tools: Read Grep`"
                    .to_owned()
            };
            drafts.push(
                Draft::at(Kind::AllowedToolsNotString, fields.place(entry), message).help(help),
            );
        }
    }
}

/// A text as a value of YAML, in quotes where it needs them.
fn written(text: &str) -> Cow<'_, str> {
    let is_plain = text.starts_with(|c: char| c.is_alphanumeric())
        && ![": ", " #", "\n"].iter().any(|part| text.contains(part))
        && !text.ends_with(':');
    if is_plain {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(quoted(text))
    }
}

/// The tools that a value lists, whatever its shape. Blanks and commas inside
/// parentheses separate nothing.
pub(crate) fn split(value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    match value.content() {
        Content::Text { text, .. } => split_text(text, &mut out),
        Content::List(items) => items
            .iter()
            .filter_map(Value::as_text)
            .for_each(|text| split_text(text, &mut out)),
        Content::Map(_) => {}
    }
    out
}

fn split_text(text: &str, out: &mut Vec<String>) {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c.is_whitespace() || c == ',')
    });
    out.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
}

fn has_commas(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == ','
    })
}
