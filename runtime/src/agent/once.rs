//! A call that must not run twice.

use serde_json::Value;

use super::{
    Inner,
    pipeline::Call,
    turns::{Circle, Turn},
};
use crate::{
    once::Begun,
    tool::{ErrorKind, ToolError, ToolOutput, code},
    toolset::Entry,
};

/// How a call stands with the memory of calls.
pub(super) enum Once {
    /// The tool does not ask for it.
    Free,
    /// It ran, and this came of it.
    Known(ToolOutput),
    /// The intent is written down. Whoever makes the same call waits until this is dropped.
    Begun(Turn, String),
}

impl Once {
    /// `arguments` are those of the call as its schema takes them.
    pub(super) async fn begin(
        agent: &Inner,
        call: &Call<'_>,
        arguments: Option<Value>,
    ) -> Result<Self, ToolError> {
        let Some((once, clock)) = call.entry.policy.once.zip(agent.clock.as_ref()) else {
            return Ok(Self::Free);
        };
        let arguments = normal(arguments.unwrap_or_default(), call.entry);
        let key = key(call, once.key, &arguments);
        // Agents that share a store wait for each other.
        let place = format!("once {:x} {key}", agent.once.identity());
        let turn = Turn::take(place, call.context.chain()).await;
        let turn = turn.map_err(|Circle| circle(call.entry))?;
        let now = clock.unix_millis();
        let within = u64::try_from(once.within.as_millis()).unwrap_or(u64::MAX);
        let begun = agent
            .once
            .begin(&key, now, now.saturating_add(within))
            .await;
        // The store speaks of paths and to operators.
        let unread = |error: crate::once::OnceError| {
            let message = format!(
                "`{}` was not run: whether it ran before cannot be looked up now",
                call.entry.name
            );
            ToolError::failed(message).with_details(error.to_string())
        };
        match begun.map_err(unread)? {
            Begun::New => Ok(Self::Begun(turn, key)),
            Begun::Done(output) => Ok(Self::Known(output)),
            Begun::Unfinished => Err(ToolError::new(
                ErrorKind::Unknown,
                format!(
                    "`{}` was called so before and may have run; verify what it did before calling \
                     it otherwise",
                    call.entry.name
                ),
            )
            .with_code(code::UNKNOWN)),
        }
    }

    /// Writes down what came of it. A failure that may have had an effect stays an intent, be it that of
    /// one try, of a call within, or of the tool that has stood in.
    pub(super) async fn end(
        self,
        agent: &Inner,
        had_effect: bool,
        outcome: &Result<ToolOutput, ToolError>,
    ) {
        let Self::Begun(_turn, key) = self else {
            return;
        };
        // A store that fails now leaves the intent, and the next call is told that it may have run.
        let _ = match outcome {
            Ok(output) => agent.once.finish(&key, output).await,
            Err(_) if had_effect => Ok(()),
            Err(_) => agent.once.forget(&key).await,
        };
    }
}

/// A call that would wait for a call around it.
pub(super) fn circle(entry: &Entry) -> ToolError {
    let message = format!(
        "`{}` was not run: it would wait for a call that waits for it",
        entry.name
    );
    ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED)
}

/// What makes two calls the same.
fn key(call: &Call<'_>, names: &[&str], arguments: &Value) -> String {
    let mut key = format!("{}\n", call.entry.name);
    // Calls without any of what tells them apart are not all one call.
    let schema: Value = serde_json::from_str(&call.entry.schema).unwrap_or_default();
    let absent = |name: &&str| {
        arguments[*name].is_null() && schema["properties"][*name]["default"].is_null()
    };
    if names.iter().all(absent) {
        key.push_str(call.context.conversation());
        key.push('\n');
        canonical(arguments, &mut key);
    } else {
        for name in names {
            canonical(&arguments[*name], &mut key);
            key.push('\n');
        }
    }
    key
}

/// Arguments that come to the same parameters, in one form: what may be left out and is given with
/// its default or with `null` is left out.
/// A secret is left as a number that stands for it.
fn normal(arguments: Value, entry: &Entry) -> Value {
    let Value::Object(mut arguments) = arguments else {
        return arguments;
    };
    // Before anything else, so that nothing else looks at them.
    for name in &entry.secrets {
        if let Some(secret) = arguments.get_mut(name.as_ref()) {
            let mut text = format!("{}\n{name}\n", entry.name);
            canonical(secret, &mut text);
            *secret = Value::from(fingerprint(&text));
        }
    }
    let schema: Value = serde_json::from_str(&entry.schema).unwrap_or_default();
    let mut arguments = Value::Object(arguments);
    plain(&mut arguments, &schema, &schema);
    arguments
}

/// The same value in the form that all spellings of it have, at every depth: a set in one order, and
/// without members that say no more than their absence.
fn plain(value: &mut Value, schema: &Value, root: &Value) {
    let schema = meant(schema, root);
    match value {
        Value::Object(members) => {
            let required = schema["required"].as_array();
            let must =
                |name: &str| required.is_some_and(|names| names.iter().any(|known| *known == name));
            members.retain(|name, value| {
                let member = &schema["properties"][name];
                plain(value, member, root);
                let default = &member["default"];
                must(name) || !(value.is_null() || (!default.is_null() && same(value, default)))
            });
        }
        Value::Array(entries) => {
            for entry in entries.iter_mut() {
                plain(entry, &schema["items"], root);
            }
            if schema["uniqueItems"] == true {
                entries.sort_by_cached_key(canonical_text);
            }
        }
        _ => {}
    }
}

/// What a schema says, behind a reference and beside `null`.
fn meant<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let mut schema = schema;
    // A few steps: a circle of references leads nowhere.
    for _ in 0..8 {
        let next = match (schema["$ref"].as_str(), schema["anyOf"].as_array()) {
            (Some("#"), _) => Some(root),
            (Some(reference), _) => {
                let pointer = reference.strip_prefix('#').unwrap_or_default();
                root.pointer(pointer).filter(|_| !pointer.is_empty())
            }
            (None, Some(options)) => {
                let mut options = options.iter().filter(|option| option["type"] != "null");
                options.next().filter(|_| options.next().is_none())
            }
            (None, None) => None,
        };
        match next {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

fn same(one: &Value, other: &Value) -> bool {
    canonical_text(one) == canonical_text(other)
}

fn canonical_text(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    text
}

/// A number in the place of a text (FNV-1a of 128 bits), the same in every process and version. It hides
/// a secret from whoever reads the store, and does not withstand whoever tries out secrets.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = crate::fnv::Fnv::new().text(text).get();
    format!("{hash:032x}")
}

/// JSON with sorted keys, whatever order they came in.
fn canonical(value: &Value, text: &mut String) {
    match value {
        // `7`, `7.0` and `7e0` are one number.
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => {
                // Within the whole numbers that a float holds exactly.
                text.push_str(&(whole as i64).to_string());
            }
            _ => text.push_str(&number.to_string()),
        },
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in entries {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for value in list {
                canonical(value, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{canonical, canonical_text, fingerprint, plain};

    #[test]
    fn all_spellings_of_a_value_have_one_form() {
        let options = json!({"type": "object", "properties": {
            "kind": {"type": "string", "default": "A"}, "inner": {"$ref": "#/$defs/Options"},
        }});
        let schema = json!({"type": "object", "properties": {
            "opts": {"anyOf": [{"$ref": "#/$defs/Options"}, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true},
            "list": {"type": "array", "items": {"$ref": "#/$defs/Options"}},
        }, "required": ["opts"], "$defs": {"Options": options}});
        let form = |mut value: Value| {
            plain(&mut value, &schema, &schema);
            canonical_text(&value)
        };
        for (one, other) in [
            (
                json!({"opts": {}}),
                json!({"opts": {"kind": "A", "inner": null}}),
            ),
            (
                json!({"opts": {"inner": {}}}),
                json!({"opts": {"inner": {"kind": "A"}}}),
            ),
            (json!({"tags": [1, 2, 10]}), json!({"tags": [10, 2, 1]})),
            (
                json!({"list": [{}, {"kind": "B"}]}),
                json!({"list": [{"kind": "A"}, {"kind": "B"}]}),
            ),
        ] {
            assert_eq!(form(one), form(other));
        }
        for (one, other) in [
            (json!({"opts": {}}), json!({"opts": {"kind": "B"}})),
            (json!({"opts": null}), json!({"opts": {}})),
            (
                json!({"list": [{}, {"kind": "B"}]}),
                json!({"list": [{"kind": "B"}, {}]}),
            ),
        ] {
            assert_ne!(form(one), form(other));
        }
    }

    #[test]
    fn a_fingerprint_never_changes() {
        // The values that the authors of FNV give for these texts.
        assert_eq!(fingerprint(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(fingerprint("a"), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn the_order_of_keys_makes_no_other_call() {
        let text = |json: &str| {
            let mut text = String::new();
            canonical(&serde_json::from_str(json).unwrap(), &mut text);
            text
        };
        assert_eq!(
            text(r#"{"b":[1,{"d":1,"c":2}],"a":"x"}"#),
            text(r#"{"a":"x","b":[1,{"c":2,"d":1}]}"#)
        );
        assert_eq!(text(r#"{"a":[7.0,7e0,-0.0]}"#), text(r#"{"a":[7,7,0]}"#));
        assert_ne!(text(r#"{"a":7.5}"#), text(r#"{"a":7}"#));
        assert_ne!(text(r#"{"a":"1"}"#), text(r#"{"a":1}"#));
        assert_ne!(text(r#"[["a"],"b"]"#), text(r#"["a",["b"]]"#));
    }
}
