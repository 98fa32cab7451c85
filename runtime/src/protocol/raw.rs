//! JSON objects whose members keep their order and their bytes.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{ProtocolError, extra::Extra};

/// An object whose members keep their order and their bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawObject(pub(crate) Vec<(String, Box<RawValue>)>);

impl RawObject {
    /// The object that a JSON text holds, if it holds one.
    pub(crate) fn parse(json: &str) -> serde_json::Result<Self> {
        serde_json::from_str(json)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&RawValue> {
        let found = self.0.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_ref())
    }

    /// Puts a member in the place of the one with its name, or at the end.
    pub(crate) fn set(&mut self, key: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Takes a member out, if it is there.
    pub(crate) fn remove(&mut self, key: &str) {
        self.0.retain(|(known, _)| known != key);
    }

    /// The object as one JSON value.
    pub(crate) fn to_raw(&self) -> serde_json::Result<Box<RawValue>> {
        serde_json::value::to_raw_value(self)
    }
}

/// Any value as JSON text. Strings and numbers always can be.
pub(crate) fn raw<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Box<RawValue>> {
    serde_json::value::to_raw_value(value)
}

/// The arguments of a call where a protocol wants an object and not a text. What another model
/// wrote and is no object becomes an empty one: the call has failed already, and its result says so.
pub(crate) fn object_or_empty(arguments: &str) -> serde_json::Result<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Object {}
    let text = arguments.trim();
    let is_object = text.starts_with('{') && serde_json::from_str::<Object>(text).is_ok();
    RawValue::from_string(if is_object { text } else { "{}" }.to_owned())
}

/// The arguments of a call where a protocol has an object and some hosts write a text that holds
/// one. Whatever else stands there stays as it is: the call fails, and its result says why.
pub(super) fn arguments_of(raw: Option<&RawValue>) -> Cow<'_, str> {
    match raw.map_or("null", RawValue::get) {
        "null" => "{}".into(),
        text if text.starts_with('"') => match serde_json::from_str::<String>(text) {
            Ok(inside) if inside.trim().is_empty() => "{}".into(),
            Ok(inside) => inside.into(),
            Err(_) => text.into(),
        },
        text => text.into(),
    }
}

/// The same item, in which the member at the end of a path is an object: a provider refuses
/// arguments of any other kind when they come back, and with them the whole conversation.
/// Nothing, where it is an object already, or absent.
pub(super) fn with_object(item: &RawValue, path: &[&str]) -> Option<Box<RawValue>> {
    let mut object = RawObject::parse(item.get()).ok()?;
    let (key, rest) = path.split_first()?;
    let member = object.get(key)?;
    let mended = if rest.is_empty() {
        if member.get().starts_with('{') {
            return None;
        }
        object_or_empty(&arguments_of(Some(member))).ok()?
    } else {
        with_object(member, rest)?
    };
    object.set(key, mended);
    object.to_raw().ok()
}

/// The same item, in which the member at the end of a path is a text that holds an object, or is one.
/// Nothing, where that is so already.
pub(super) fn with_text_of_object(item: &RawValue, path: &[&str]) -> Option<Box<RawValue>> {
    let mut object = RawObject::parse(item.get()).ok()?;
    let (key, rest) = path.split_first()?;
    let member = object.get(key);
    let mended = if rest.is_empty() {
        if member.is_some_and(|member| member.get().starts_with('{')) {
            return None;
        }
        let said = member.and_then(|member| serde_json::from_str::<String>(member.get()).ok());
        let text = said.as_deref().unwrap_or_default();
        let held = object_or_empty(text).ok()?;
        // Some models say `null` for nothing, and their hosts take it back.
        if matches!(text.trim(), text if text == held.get() || text == "null") {
            return None;
        }
        raw(held.get()).ok()?
    } else {
        with_text_of_object(member?, rest)?
    };
    object.set(key, mended);
    object.to_raw().ok()
}

/// A request as JSON text, with more members that take the place of those that are there.
pub(super) fn body(body: &impl Serialize, extra: &Extra) -> Result<String, ProtocolError> {
    let json = serde_json::to_string(body).map_err(ProtocolError::Encode)?;
    if extra.is_empty() {
        return Ok(json);
    }
    let mut object = RawObject::parse(&json).map_err(ProtocolError::Encode)?;
    for (key, value) in extra.iter() {
        object.set(key, value.to_owned());
    }
    serde_json::to_string(&object).map_err(ProtocolError::Encode)
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = RawObject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawObject(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
