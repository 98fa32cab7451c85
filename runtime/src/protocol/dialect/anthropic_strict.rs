//! Anthropic's strict mode: the provider compiles a grammar, which knows no recursion and no bounds.

use super::{
    fold::{UNSAYABLE, describe, words},
    node::Node,
};

/// What a request has only so much room for.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) optional: usize,
    pub(super) unions: usize,
}

const KEPT: [&str; 6] = ["type", "description", "enum", "const", "default", "title"];
const FORMATS: [&str; 10] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
];

/// The schema in strict mode and what it takes of the request's room, or nothing if it does not fit.
pub(super) fn rewrite(root: &Node) -> Option<(Node, Counts)> {
    if is_recursive(root) {
        return None;
    }
    let mut counts = Counts::default();
    let schema = counts.schema(root)?;
    Some((schema, counts))
}

impl Counts {
    fn schema(&mut self, schema: &Node) -> Option<Node> {
        let Node::Object(members) = schema else {
            return None;
        };
        if members.is_empty()
            || members
                .iter()
                .any(|(key, _)| UNSAYABLE.contains(&key.as_str()))
        {
            return None;
        }
        let says_something = ["type", "anyOf", "oneOf", "$ref", "enum", "const"]
            .iter()
            .any(|key| schema.get(key).is_some());
        if !says_something {
            return None;
        }
        let object = Node::text("object");
        let is_object = match schema.get("type") {
            Some(Node::Array(kinds)) => kinds.contains(&object),
            kind => kind == Some(&object) || schema.get("properties").is_some(),
        };
        if is_object {
            schema.get("properties")?;
            if !matches!(
                schema.get("additionalProperties"),
                None | Some(Node::Bool(false))
            ) {
                return None;
            }
        }
        let union = schema.get("anyOf").or(schema.get("oneOf")).is_some()
            || matches!(schema.get("type"), Some(Node::Array(_)));
        self.unions += usize::from(union);
        let mut out = Node::Object(Vec::with_capacity(members.len()));
        let mut said = Vec::new();
        for (key, value) in members {
            match key.as_str() {
                "properties" => {
                    let required = schema.required();
                    let mut properties = Vec::new();
                    for (name, property) in value.members() {
                        self.optional += usize::from(!required.contains(&name.as_str()));
                        properties.push((name.clone(), self.schema(property)?));
                    }
                    out.set(key, Node::Object(properties));
                }
                "$defs" | "definitions" => {
                    let mut definitions = Vec::new();
                    for (name, definition) in value.members() {
                        definitions.push((name.clone(), self.schema(definition)?));
                    }
                    out.set(key, Node::Object(definitions));
                }
                "items" => out.set(key, self.schema(value)?),
                "anyOf" | "oneOf" => {
                    let mut options = Vec::new();
                    for option in value.entries() {
                        options.push(self.schema(option)?);
                    }
                    out.set("anyOf", Node::Array(options));
                }
                "required" | "$ref" => out.set(key, value.clone()),
                "additionalProperties" => {}
                "minItems" if matches!(value.json().as_str(), "0" | "1") => {
                    out.set(key, value.clone());
                }
                "format"
                    if value
                        .as_str()
                        .is_some_and(|format| FORMATS.contains(&format)) =>
                {
                    out.set(key, value.clone());
                }
                key if KEPT.contains(&key) => out.set(key, value.clone()),
                key => said.extend(words(key, value)),
            }
        }
        if is_object {
            out.set("additionalProperties", Node::Bool(false));
        }
        describe(&mut out, &said);
        Some(out)
    }
}

/// Whether a reference leads back to where it stands.
fn is_recursive(root: &Node) -> bool {
    fn references<'a>(node: &'a Node, found: &mut Vec<&'a str>) {
        match node {
            Node::Object(members) => {
                for (key, value) in members {
                    match (key.as_str(), value) {
                        ("$ref", Node::String(reference)) => found.push(reference),
                        ("$defs" | "definitions", _) => {}
                        _ => references(value, found),
                    }
                }
            }
            Node::Array(entries) => entries.iter().for_each(|entry| references(entry, found)),
            _ => {}
        }
    }
    let definitions = root.get("$defs").or(root.get("definitions"));
    let definitions = definitions.map_or(&[][..], Node::members);
    let uses = |node| {
        let mut found = Vec::new();
        references(node, &mut found);
        found
    };
    // Names that lead on to others, taken away while they lead to nothing that is left.
    let mut left: Vec<(&str, Vec<&str>)> = definitions
        .iter()
        .map(|(name, definition)| (name.as_str(), uses(definition)))
        .collect();
    let leads_to = |reference: &str, name: &str| reference.rsplit('/').next() == Some(name);
    if uses(root).contains(&"#") || left.iter().any(|(_, uses)| uses.contains(&"#")) {
        return true;
    }
    loop {
        let before = left.len();
        let names: Vec<&str> = left.iter().map(|(name, _)| *name).collect();
        left.retain(|(_, uses)| {
            uses.iter()
                .any(|reference| names.iter().any(|name| leads_to(reference, name)))
        });
        if left.is_empty() || left.len() == before {
            return !left.is_empty();
        }
    }
}
