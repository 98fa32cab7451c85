//! The thirteen further keys of Claude Code.

use super::Fields;
use crate::Kind;
use crate::draft::Draft;
use crate::value::{Content, Entry};

/// What a key may hold.
#[derive(Clone, Copy)]
enum Shape {
    Bool,
    Text,
    /// A text, or a list that is taken as it was written, such as `[file]`.
    Hint,
    Texts,
    Any,
}

const KEYS: [(&str, Shape); 13] = [
    ("agent", Shape::Text),
    ("argument-hint", Shape::Hint),
    ("arguments", Shape::Texts),
    ("context", Shape::Text),
    ("disable-model-invocation", Shape::Bool),
    ("disallowed-tools", Shape::Texts),
    ("effort", Shape::Text),
    ("hooks", Shape::Any),
    ("model", Shape::Text),
    ("paths", Shape::Texts),
    ("shell", Shape::Text),
    ("user-invocable", Shape::Bool),
    ("when_to_use", Shape::Text),
];

pub(super) fn is_known(key: &str) -> bool {
    shape(key).is_some()
}

/// The key that was meant by one that differs in case, or in `_` for `-`.
pub(crate) fn meant(key: &str) -> Option<&'static str> {
    let known = KEYS.iter().map(|(known, _)| *known);
    known
        .filter(|known| *known != key && known.contains('-'))
        .find(|known| super::is_alike(key, known))
}

fn shape(key: &str) -> Option<Shape> {
    KEYS.iter()
        .find(|(known, _)| *known == key)
        .map(|(_, shape)| *shape)
}

pub(super) fn run(fields: &Fields<'_>, drafts: &mut Vec<Draft>) {
    for entry in fields.entries {
        let Some(wanted) = shape(&entry.key).and_then(|shape| wanted(shape, entry)) else {
            continue;
        };
        let message = format!("`{}` must be {wanted}, and is {}", entry.key, found(entry));
        drafts.push(
            Draft::at(Kind::ClientKeyValue, entry.value.range(), message).help(help(wanted, entry)),
        );
    }
}

/// What the entry should have been, if it is not.
fn wanted(shape: Shape, entry: &Entry) -> Option<&'static str> {
    let value = &entry.value;
    let fits = match shape {
        Shape::Any => true,
        Shape::Bool => value.as_bool().is_some(),
        Shape::Text => value.as_text().is_some(),
        Shape::Hint => value.as_map().is_none(),
        Shape::Texts => match value.content() {
            Content::Text { .. } => true,
            Content::List(items) => items.iter().all(|item| item.as_text().is_some()),
            Content::Map(_) => false,
        },
    };
    (!fits).then_some(match shape {
        Shape::Bool => "`true` or `false`",
        Shape::Texts => "a text or a list of texts",
        Shape::Text | Shape::Hint | Shape::Any => "a text",
    })
}

fn found(entry: &Entry) -> String {
    match entry.value.as_text() {
        Some("") => "empty".to_owned(),
        Some(text) => format!("`{}`", crate::frame::short(text)),
        None => entry.value.noun().to_owned(),
    }
}

fn help(wanted: &str, entry: &Entry) -> String {
    match wanted {
        "`true` or `false`" => format!("write `{}: true` or `{0}: false`", entry.key),
        "a text" => format!("write one text: `{}: \"…\"`", entry.key),
        _ => format!(
            "write one text: `{}: \"…\"`, or a list with one `- …` line for each item",
            entry.key
        ),
    }
}
