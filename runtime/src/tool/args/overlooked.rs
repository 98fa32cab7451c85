//! What serde takes without a word, and the schema does not allow: above all the unknown keys of a
//! struct inside an argument, which would be lost.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use super::{
    read,
    walk::{self, Problem, Step},
};
use crate::tool::ToolError;

/// The most keys of one call that are held against the types.
const MOST_TRIED: usize = 20;

/// Whether the schema knows all keys of arguments that decode. No value is made, where none has to be.
pub(super) fn knows_all(arguments: &str, schema: &'static str) -> bool {
    let schema = parsed(schema);
    if !schema.is_closed_inside {
        return true;
    }
    let look = Look {
        schema: &schema.value,
        root: &schema.value,
    };
    let mut deserializer = serde_json::Deserializer::from_str(arguments);
    matches!(look.deserialize(&mut deserializer), Ok(true))
}

/// What is wrong with arguments that decode. `decodes` says whether another text does.
///
/// A key that the schema does not name may be an `alias` of one that it does. serde refuses a key of
/// its own that is given twice, by whichever of its names, and drops the others however often they
/// are given: that tells them apart.
pub(super) fn problems(
    arguments: &str,
    schema: &'static str,
    exact: bool,
    mut decodes: impl FnMut(String) -> bool,
) -> Result<Vec<String>, ToolError> {
    let schema = parsed(schema);
    let value = read::value(arguments)?;
    let found = walk::problems(&value, &schema.value);
    let mut wrong = Vec::new();
    for Problem { text, unknown } in found {
        match unknown {
            _ if exact => wrong.push(text),
            Some(steps) if wrong.len() >= MOST_TRIED || decodes(doubled(&value, &steps)) => {
                wrong.push(text);
            }
            // What else differs is a coercion of serde's own.
            _ => {}
        }
    }
    Ok(wrong)
}

/// The schema of a tool.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) value: Value,
    /// Whether an object inside the arguments takes no other keys than its own.
    is_closed_inside: bool,
}

/// The schema of a tool, which is read once.
pub(super) fn parsed(schema: &'static str) -> Arc<Parsed> {
    /// By address and length: the text is a constant, and where it lies is which one it is.
    type Schemas = HashMap<(usize, usize), Arc<Parsed>>;
    static PARSED: RwLock<Option<Schemas>> = RwLock::new(None);
    let place = (schema.as_ptr() as usize, schema.len());
    let known = PARSED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.as_ref().and_then(|known| known.get(&place)) {
        return Arc::clone(known);
    }
    drop(known);
    // The schema was written by this crate's macros; were it not JSON, nothing would be checked.
    let value = serde_json::from_str(schema).unwrap_or_default();
    // In a description the quotes would have backslashes before them. The arguments are one such object.
    let closed = schema.matches("\"additionalProperties\":false").count();
    let schema = Arc::new(Parsed {
        value,
        is_closed_inside: closed > 1,
    });
    let mut known = PARSED.write().unwrap_or_else(PoisonError::into_inner);
    known
        .get_or_insert_default()
        .insert(place, Arc::clone(&schema));
    schema
}

/// The JSON text of a value, with one member twice.
fn doubled(value: &Value, steps: &[Step]) -> String {
    match (value, steps) {
        (Value::Object(members), [Step::Key(wanted), rest @ ..]) => {
            let mut written = Vec::new();
            for (key, value) in members {
                let name = Value::from(key.as_str());
                if key != wanted {
                    written.push(format!("{name}:{value}"));
                    continue;
                }
                written.push(format!("{name}:{}", doubled(value, rest)));
                if rest.is_empty() {
                    written.push(format!("{name}:{value}"));
                }
            }
            format!("{{{}}}", written.join(","))
        }
        (Value::Array(items), [Step::Index(wanted), rest @ ..]) => {
            let items = items.iter().enumerate().map(|(index, item)| {
                if index == *wanted {
                    doubled(item, rest)
                } else {
                    item.to_string()
                }
            });
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        _ => value.to_string(),
    }
}

/// Reads a value and says whether all of its keys are known.
#[derive(Clone, Copy)]
struct Look<'s> {
    schema: &'s Value,
    root: &'s Value,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        let schema = walk::resolve(self.root, self.schema);
        let look = Look { schema, ..self };
        if schema.get("anyOf").is_some() {
            // Which choice is meant is not known before its end.
            let value = Value::deserialize(deserializer)?;
            return Ok(walk::fits(&value, schema, self.root));
        }
        let has_parts = ["properties", "additionalProperties", "items", "prefixItems"];
        if has_parts.iter().any(|key| schema.get(key).is_some()) {
            deserializer.deserialize_any(look)
        } else {
            IgnoredAny::deserialize(deserializer).map(|_| true)
        }
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let first = self.schema.get("prefixItems").and_then(Value::as_array);
        let rest = self.schema.get("items");
        let mut known = true;
        for index in 0.. {
            let schema = first.and_then(|first| first.get(index)).or(rest);
            let look = Look {
                schema: schema.unwrap_or(&Value::Null),
                root: self.root,
            };
            match items.next_element_seed(look)? {
                Some(item) => known &= item,
                None => break,
            }
        }
        Ok(known)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
        let properties = self.schema.get("properties");
        let others = self.schema.get("additionalProperties");
        let mut known = true;
        while let Some(key) = members.next_key::<String>()? {
            let schema = properties.and_then(|all| all.get(&key)).or(others);
            known &= schema != Some(&Value::Bool(false));
            known &= members.next_value_seed(Look {
                schema: schema.unwrap_or(&Value::Null),
                root: self.root,
            })?;
        }
        Ok(known)
    }
}
