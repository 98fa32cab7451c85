//! A JSON value whose objects keep the order of their members: a schema's order is the order in
//! which a model fills it in.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

/// A JSON value whose objects keep the order of their members.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn members(&self) -> &[(String, Node)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub(super) fn entries(&self) -> &[Node] {
        match self {
            Self::Array(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let member = self.members().iter().find(|(known, _)| known == key);
        member.map(|(_, value)| value)
    }

    pub(super) fn set(&mut self, key: &str, value: Node) {
        if let Self::Object(members) = self {
            match members.iter_mut().find(|(known, _)| known == key) {
                Some((_, old)) => *old = value,
                None => members.push((key.to_owned(), value)),
            }
        }
    }

    /// The names in `required`.
    pub(super) fn required(&self) -> Vec<&str> {
        let required = self.get("required").map_or(&[][..], Node::entries);
        required.iter().filter_map(Node::as_str).collect()
    }

    /// The value as JSON text.
    pub(super) fn json(&self) -> String {
        // Strings, numbers and trees of them: there is nothing here that JSON lacks.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(entries) => serializer.collect_seq(entries),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNode)
    }
}

struct AnyNode;

impl<'de> Visitor<'de> for AnyNode {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("not a finite number"))?;
        Ok(Node::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = seq.next_element()? {
            entries.push(entry);
        }
        Ok(Node::Array(entries))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members: Vec<(String, Node)> = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        // With its feature `arbitrary_precision`, which any other crate may switch on, serde_json hands
        // numbers over so.
        if let [(key, Node::String(text))] = members.as_slice()
            && key == "$serde_json::private::Number"
            && let Ok(number) = serde_json::from_str(text)
        {
            return Ok(Node::Number(number));
        }
        Ok(Node::Object(members))
    }
}
