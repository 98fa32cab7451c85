//! The text of arguments as a value, in which no key stands twice. It is read by our own reader, since
//! serde_json gives numbers in another form where any crate of the program asks for its feature
//! `arbitrary_precision`.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};

use super::{
    explain,
    reader::{Error, Reader},
    walk::Path,
};
use crate::tool::{ErrorKind, ToolError, code};

/// The most bytes of JSON text that the arguments of one call may have: 1 MiB. Longer ones are not
/// read, and the model is told so. A document of that length does not belong into a call; a tool
/// takes its path or its address.
pub const MAX_ARGUMENT_BYTES: usize = 1024 * 1024;

/// How deep arrays and objects may stand in each other in the arguments of a call, the arguments
/// themselves included. Deeper ones are not read, and the model is told so.
pub const MAX_ARGUMENT_DEPTH: usize = 127;

/// The arguments as they are read: nothing sent is an empty object, and a byte order mark is none.
pub(super) fn text(arguments: &str) -> Result<&str, ToolError> {
    let arguments = arguments.strip_prefix('\u{feff}').unwrap_or(arguments);
    if arguments.len() > MAX_ARGUMENT_BYTES {
        let message = format!(
            "the arguments are {} bytes long, and at most {MAX_ARGUMENT_BYTES} are read; send less, \
             or in several calls",
            arguments.len()
        );
        return Err(ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS));
    }
    Ok(match arguments {
        text if text.trim_ascii().is_empty() => "{}",
        text => text,
    })
}

/// The arguments as a value.
///
/// # Errors
///
/// They are no JSON, nested too deep, or a key is given twice.
pub(super) fn value(arguments: &str) -> Result<Value, ToolError> {
    let (value, twice) = read(arguments).map_err(|error| explain::not_json(arguments, &error))?;
    if twice.is_empty() {
        Ok(value)
    } else {
        Err(explain::invalid(&twice))
    }
}

/// A value inside a text, if it is one beyond doubt.
pub(super) fn inside(text: &str) -> Option<Value> {
    let (value, twice) = read(text).ok()?;
    twice.is_empty().then_some(value)
}

/// The arguments as a value, and the keys that are given twice, of which the last counts.
pub(super) fn with_keys_twice(text: &str) -> Option<(Value, Vec<String>)> {
    read(text).ok()
}

fn read(text: &str) -> Result<(Value, Vec<String>), Unread> {
    let mut twice = Vec::new();
    let mut reader = Reader::new(text);
    let seed = Read {
        path: &Path::Root,
        twice: &mut twice,
    };
    let value = seed.deserialize(&mut reader).and_then(|value| {
        reader.end_text()?;
        Ok(value)
    });
    match value {
        Ok(value) => Ok((value, twice)),
        // serde_json has the words for what is no JSON.
        Err(error) => Err(match serde_json::from_str::<Value>(text) {
            Err(error) => Unread::NotJson(error),
            Ok(_) => Unread::Other(error),
        }),
    }
}

/// Why a text is no value.
pub(super) enum Unread {
    NotJson(serde_json::Error),
    /// It is JSON, and more than a value holds.
    Other(Error),
}

struct Read<'a> {
    path: &'a Path<'a>,
    twice: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Read<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Read<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        loop {
            let path = Path::Index(self.path, all.len());
            let seed = Read {
                path: &path,
                twice: &mut *self.twice,
            };
            match items.next_element_seed(seed)? {
                Some(item) => all.push(item),
                None => return Ok(all.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let path = Path::Key(self.path, &key);
            if all.contains_key(&key) {
                self.twice.push(format!("`{path}`: given twice"));
            }
            let value = members.next_value_seed(Read {
                path: &path,
                twice: &mut *self.twice,
            })?;
            all.insert(key, value);
        }
        Ok(all.into())
    }
}
