//! What models write for what they mean, where it is beyond doubt. Nothing is lost by any of these:
//!
//! | sent | taken as | where the schema says |
//! |---|---|---|
//! | `"5"`, `"1.5"` | `5`, `1.5` | a number |
//! | `"true"`, `"false"` | `true`, `false` | a boolean |
//! | `5` | `"5"` | a string |
//! | `"[1]"`, `"{}"` | `[1]`, `{}` | an array, an object |
//! | `null` | nothing | a member that may be left out |
//! | `{"A": null}` | `"A"` | a variant without data |
//! | `[1, 1]` | `[1]` | a set |
//! | an `alias` | the name | a member or variant with `#[serde(alias = "…")]` |
//! | more digits than the type holds | the nearest number | a float |
//!
//! `Invocation::exact` and the key `strict` of a tool switch them off. What JSON Schema itself does not
//! tell apart is no coercion and always read: `5.0` and `1e3` are whole numbers, and `null` stands for
//! an `Option` that may be left out. A key that the schema does not name is refused at any depth; a
//! struct keeps such keys with `#[serde(flatten)]` on a map.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::{numbers, read, walk};

/// Changes a value towards a schema; says whether anything changed.
/// `exact` leaves what means the same to JSON Schema.
pub(super) fn coerce(value: &mut Value, schema: &Value, exact: bool) -> bool {
    let root = schema;
    Coercion { root, exact }.value(value, schema, 0)
}

struct Coercion<'s> {
    root: &'s Value,
    exact: bool,
}

impl<'s> Coercion<'s> {
    fn value(&self, value: &mut Value, schema: &'s Value, depth: usize) -> bool {
        // A text may hold a text may hold a text: each is unpacked once, and not without end.
        if depth > walk::DEEPEST {
            return false;
        }
        let schema = walk::resolve(self.root, schema);
        if let Some(Value::Array(choices)) = schema.get("anyOf") {
            return self.choice(value, choices, depth);
        }
        let mut changed = false;
        if let Some(kind) = kind(schema)
            && (!self.exact || value.is_number() && kind == "integer")
            && let Some(better) = scalar(value, kind)
        {
            *value = better;
            changed = true;
        }
        match value {
            Value::Object(object) => changed |= self.object(object, schema, depth),
            Value::Array(items) => {
                // In a tuple the later items would move to other places.
                let is_set = schema.get("uniqueItems") == Some(&Value::Bool(true))
                    && schema.get("prefixItems").is_none();
                if !self.exact && is_set {
                    let mut seen = HashSet::new();
                    let before = items.len();
                    items.retain(|item| seen.insert(item.to_string()));
                    changed |= items.len() < before;
                }
                let first = schema.get("prefixItems").and_then(Value::as_array);
                for (index, item) in items.iter_mut().enumerate() {
                    let schema = first
                        .and_then(|first| first.get(index))
                        .or(schema.get("items"));
                    if let Some(schema) = schema {
                        changed |= self.value(item, schema, depth + 1);
                    }
                }
            }
            _ => {}
        }
        changed
    }

    /// Changes a value towards the one choice that it looks like, or, where it has no members,
    /// towards the first that it then fits. No value is looked at twice.
    fn choice(&self, value: &mut Value, choices: &'s [Value], depth: usize) -> bool {
        let mut likely = choices
            .iter()
            .filter(|choice| walk::looks_like(value, walk::resolve(self.root, choice)));
        if let Some(choice) = likely.next() {
            return likely.next().is_none() && self.value(value, choice, depth + 1);
        }
        if value.is_object() || value.is_array() {
            return false;
        }
        for choice in choices {
            let mut attempt = value.clone();
            if self.value(&mut attempt, choice, depth + 1)
                && walk::fits(&attempt, choice, self.root)
            {
                *value = attempt;
                return true;
            }
        }
        false
    }

    fn object(&self, object: &mut Map<String, Value>, schema: &'s Value, depth: usize) -> bool {
        let before = object.len();
        object.retain(|key, value| {
            if !value.is_null() {
                return true;
            }
            let property = schema.get("properties").and_then(|all| all.get(key));
            let may_go = property.is_some_and(|property| {
                !walk::is_required(schema, key) && !walk::fits(&Value::Null, property, self.root)
            });
            !may_go
        });
        let mut changed = object.len() < before;
        for (key, value) in object {
            let property = schema
                .get("properties")
                .and_then(|properties| properties.get(key))
                .or(schema.get("additionalProperties"));
            if let Some(property) = property {
                changed |= self.value(value, property, depth + 1);
            }
        }
        changed
    }
}

/// The type that a schema names, or the only one that it names beside `null`.
fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::Array(kinds) => {
            let mut kinds = kinds
                .iter()
                .filter_map(Value::as_str)
                .filter(|kind| *kind != "null");
            kinds.next().filter(|_| kinds.next().is_none())
        }
        kind => kind.as_str(),
    }
}

/// The value as another type, if it is one in another's clothes.
fn scalar(value: &Value, kind: &str) -> Option<Value> {
    match (value, kind) {
        (Value::String(text), "integer" | "number") => {
            let text = text.trim();
            let whole = numbers::whole(text);
            let number: Number = serde_json::from_str(whole.as_deref().unwrap_or(text)).ok()?;
            let number = Value::Number(number);
            if kind == "integer" && number.is_f64() {
                scalar(&number, kind)
            } else {
                Some(number)
            }
        }
        (Value::String(text), "boolean") => match text.trim() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        (Value::String(text), "array" | "object") => {
            let value = read::inside(text)?;
            let fits =
                value.is_array() == (kind == "array") && (value.is_array() || value.is_object());
            fits.then_some(value)
        }
        (Value::Number(number), "string") if !number.is_f64() => {
            Some(Value::String(number.to_string()))
        }
        (Value::Number(number), "integer") => {
            let float = number.as_f64().filter(|_| number.is_f64())?;
            // Larger ones were written out before they came here: from 2^53 on, neighbouring whole
            // numbers have the same float.
            let exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
            exact.then(|| Value::from(float as i64))
        }
        _ => None,
    }
}
