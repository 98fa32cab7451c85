//! Spellings that mean the same, and what differs all the same.

use serde_json::{Map, Value, json};

use super::told::string;
use crate::exchange::Api;

/// Spellings that mean the same. Every rule is applied to both sides alike.
fn settle(value: &mut Value) {
    match value {
        Value::Array(entries) => {
            entries.iter_mut().for_each(settle);
        }
        Value::Object(members) => {
            members.values_mut().for_each(settle);
            // Absent, false and null are one.
            let nothing = |key: &str, value: &Value| {
                value.is_null()
                    || matches!((key, value), ("strict" | "is_error" | "stream" | "thought" | "store", Value::Bool(false)))
                    || (matches!(key, "tools" | "stream_options" | "include") && value.as_array().is_some_and(Vec::is_empty))
                    // What we always say: usage in streams, and signed reasoning back.
                    || (key == "stream_options" && *value == json!({"include_usage": true}))
                    || (key == "include" && *value == json!(["reasoning.encrypted_content"]))
                    || (key == "status" && value == "completed")
                    || (key == "type" && (value == "message" || value == "custom"))
                    || (key == "content" && value == "")
                    || (matches!(key, "description" | "instructions") && value == "")
                    || (key == "ttl" && value == "5m")
                    || (key == "tool_choice" && (value == "auto" || *value == json!({"type": "auto"})))
                    || (key == "toolConfig" && *value == json!({"functionCallingConfig": {"mode": "AUTO"}}))
            };
            members.retain(|key, value| !nothing(key, value));
            // The order of required members means nothing.
            if let Some(Value::Array(names)) = members.get_mut("required") {
                names.sort_by_key(Value::to_string);
            }
            // Text, and a list of one text.
            for key in ["content", "system", "output"] {
                if let Some(Value::Array(parts)) = members.get(key)
                    && let [part] = parts.as_slice()
                    && let Some(text) = part["text"].as_str()
                    && part.as_object().is_some_and(|part| {
                        part.keys()
                            .all(|key| matches!(key.as_str(), "type" | "text"))
                    })
                {
                    let text = json!(text);
                    members.insert(key.to_owned(), text);
                }
            }
            for (old, new) in [
                ("parameters_json_schema", "parametersJsonSchema"),
                ("function_declarations", "functionDeclarations"),
            ] {
                if let Some(value) = members.remove(old) {
                    members.insert(new.to_owned(), value);
                }
            }
        }
        _ => {}
    }
}

/// What only the top of a request has.
pub fn settle_request(api: Api, body: &Value) -> Value {
    let mut body = body.clone();
    if api == Api::Responses
        && let Value::String(text) = &body["input"]
    {
        body["input"] = json!([{"role": "user", "content": text}]);
    }
    if api == Api::Gemini {
        for content in body["contents"].as_array_mut().into_iter().flatten() {
            content
                .as_object_mut()
                .map(|content| content.entry("role").or_insert(json!("user")));
        }
        if let Some(system) = body["systemInstruction"].as_object_mut() {
            system.remove("role");
        }
    }
    settle(&mut body);
    // Neighbours of one role are one message to the provider.
    if api == Api::Anthropic
        && let Some(Value::Array(messages)) = body.get_mut("messages")
    {
        let mut merged: Vec<Value> = Vec::new();
        for message in messages.drain(..) {
            match merged.last_mut() {
                Some(last) if last["role"] == message["role"] => {
                    let mut all = blocks(&last["content"]);
                    all.extend(blocks(&message["content"]));
                    last["content"] = json!(all);
                }
                _ => merged.push(message),
            }
        }
        *messages = merged;
    }
    // A message of the model without a word in it says nothing.
    if api == Api::Responses
        && let Some(Value::Array(items)) = body.get_mut("input")
    {
        items.retain(|item| *item != json!({"role": "assistant"}));
    }
    // With deferred tools our order is: shown, search, deferred. The order means nothing.
    if let Some(tools) = body["tools"].as_array_mut()
        && tools.iter().any(|tool| tool["defer_loading"] == true)
    {
        tools.sort_by_key(|tool| string(&tool["name"]));
    }
    body
}

fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks.clone(),
        text => vec![json!({"type": "text", "text": text})],
    }
}

/// A place where two requests differ, with both sides.
pub struct Difference {
    pub place: String,
    pub sides: String,
}

pub fn differences(ours: &Value, theirs: &Value, at: &str, found: &mut Vec<Difference>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let side =
                    |members: &Map<String, Value>| members.get(key).cloned().unwrap_or(Value::Null);
                differences(&side(a), &side(b), &format!("{at}/{key}"), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                differences(a, b, &format!("{at}/*"), found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => {
            let short = |side: &Value| side.to_string().chars().take(700).collect::<String>();
            found.push(Difference {
                place: at.to_owned(),
                sides: format!("ours {}\n    theirs {}", short(a), short(b)),
            });
        }
    }
}
