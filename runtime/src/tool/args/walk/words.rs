//! How schemas and values are called.

use serde_json::{Map, Value};

use crate::tool::nearest::nearest;

/// The most values or names that one message lists.
const MOST: usize = 40;

/// What a schema asks for.
pub(super) fn expected(schema: &Value) -> String {
    if let Some(Value::Array(allowed)) = schema.get("enum") {
        return match allowed.as_slice() {
            [one] => cut(one),
            several => format!("one of {}", list(several)),
        };
    }
    if let Some(constant) = schema.get("const") {
        return cut(constant);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(choices)) = schema.get(key) {
            return either(choices.iter().map(expected));
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    match schema.get("type") {
        Some(Value::Array(kinds)) => either(kinds.iter().map(|one| kind(one.as_str(), required))),
        one => kind(one.and_then(Value::as_str), required),
    }
}

fn either(choices: impl Iterator<Item = String>) -> String {
    let mut choices: Vec<String> = choices.take(MOST).collect();
    choices.dedup();
    choices.join(" or ")
}

fn kind(kind: Option<&str>, required: Option<&Vec<Value>>) -> String {
    match (kind, required) {
        (Some("string"), _) => "a string".to_owned(),
        (Some("integer"), _) => "a whole number".to_owned(),
        (Some("number"), _) => "a number".to_owned(),
        (Some("boolean"), _) => "true or false".to_owned(),
        (Some("array"), _) => "an array".to_owned(),
        (Some("object"), Some(required)) => format!("an object with {}", list(required)),
        (Some("object"), None) => "an object".to_owned(),
        (Some("null"), _) => "null".to_owned(),
        _ => "a value".to_owned(),
    }
}

/// What was sent.
pub(super) fn got(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::String(_) => format!("the string {}", cut(value)),
        other => other.to_string(),
    }
}

/// A value as JSON; of a long text the beginning.
fn cut(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let mut shown: String = text.chars().take(40).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            Value::String(shown).to_string()
        }
        other => other.to_string(),
    }
}

/// Values with commas between.
pub(super) fn list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().take(MOST).map(cut).collect();
    shown.join(", ") + &more(values.len())
}

/// How many are not listed.
fn more(all: usize) -> String {
    match all.saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

/// The allowed value that was probably meant.
pub(super) fn near(value: &Value, allowed: &[Value]) -> String {
    value
        .as_str()
        .and_then(|text| nearest(text, allowed.iter().filter_map(Value::as_str)))
        .map_or_else(String::new, |hint| format!(", did you mean \"{hint}\"?"))
}

/// What to say of a key that is not among those known.
pub(super) fn unknown(key: &str, known: Option<&Map<String, Value>>) -> String {
    let mut names: Vec<&str> = known
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    if let Some(near) = nearest(key, names.iter().copied()) {
        return format!("unknown key, did you mean `{near}`?");
    }
    if names.is_empty() {
        return "unknown key, none is allowed here".to_owned();
    }
    let more = more(names.len());
    names.truncate(MOST);
    format!("unknown key, allowed are `{}`{more}", names.join("`, `"))
}
