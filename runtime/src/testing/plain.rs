//! What scripts for protocols without deferred tools have in common.

use serde_json::Value;

use super::Seen;

/// A text, or nothing.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What a user says: a text, or the texts in a list of parts.
pub(super) fn said(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten();
    let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
    content
        .as_str()
        .map_or_else(|| texts.join("\n"), str::to_owned)
}

/// Arguments as a model writes them: text as it is, everything else as JSON.
pub(super) fn arguments_text(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Reads off what results say which tools they loaded: those whose names stand in a result and
/// which the request defines.
pub(super) fn loaded(seen: &mut Seen) {
    let search = seen.search.clone();
    for result in &mut seen.results {
        let call = seen.calls.iter().find(|call| call.id == result.call_id);
        if call.is_none_or(|call| Some(&call.name) != search.as_ref()) {
            continue;
        }
        let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let words: Vec<&str> = result.text.split(word).collect();
        let named = seen
            .tools
            .iter()
            .filter(|tool| words.contains(&tool.name.as_str()));
        let names: Vec<String> = named
            .map(|tool| tool.name.clone())
            .filter(|name| Some(name) != search.as_ref())
            .collect();
        seen.loaded.extend(names.iter().cloned());
        result.loads = names;
    }
}
