//! How schemas and values are called.

use serde_json::{Map, Value};

use crate::tool::nearest::nearest;

/// What a schema asks for.
pub(super) fn expected(schema: &Value) -> String {
    if let Some(Value::Array(allowed)) = schema.get("enum") {
        return match allowed.as_slice() {
            [one] => one.to_string(),
            several => format!("one of {}", list(several)),
        };
    }
    if let Some(Value::Array(choices)) = schema.get("anyOf") {
        let choices: Vec<String> = choices.iter().map(expected).collect();
        return choices.join(" or ");
    }
    let (kind, required) = (
        schema.get("type").and_then(Value::as_str),
        schema.get("required").and_then(Value::as_array),
    );
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
        Value::String(text) => {
            let mut shown: String = text.chars().take(40).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            format!("the string {}", Value::String(shown))
        }
        other => other.to_string(),
    }
}

/// Values with commas between.
pub(super) fn list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(Value::to_string).collect();
    shown.join(", ")
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
    let names: Vec<&str> = known
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
    format!("unknown key, allowed are `{}`", names.join("`, `"))
}
