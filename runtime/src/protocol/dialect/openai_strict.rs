//! OpenAI's strict mode: the model cannot write arguments that do not fit.
//!
//! Every member has to be required, so one that may be left out becomes one that may be `null`;
//! `null` for such a member is read as if it were not there. A schema with something that strict
//! mode cannot say at all (open objects, `allOf`, tuples) is a misfit, which is reported by its place.

use super::{
    fold::{UNSAYABLE, describe, words},
    node::Node,
};

const MOST_PROPERTIES: usize = 5000;
const DEEPEST: usize = 10;
const MOST_ENUM_VALUES: usize = 1000;
const MOST_CHARACTERS: usize = 120_000;
/// Beyond so many values, the texts of one enum are limited too.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARACTERS: usize = 15_000;

const KEPT: [&str; 10] = [
    "type",
    "description",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
];
const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// The schema in strict mode, or nothing if it does not fit.
pub(super) fn rewrite(root: &Node) -> Option<Node> {
    let mut count = Count::default();
    let schema = count.schema(root, 0)?;
    let fits = count.properties <= MOST_PROPERTIES
        && count.enum_values <= MOST_ENUM_VALUES
        && count.characters <= MOST_CHARACTERS;
    fits.then_some(schema)
}

#[derive(Default)]
struct Count {
    properties: usize,
    enum_values: usize,
    characters: usize,
}

impl Count {
    fn schema(&mut self, schema: &Node, depth: usize) -> Option<Node> {
        let Node::Object(members) = schema else {
            return None;
        };
        if depth > DEEPEST
            || members
                .iter()
                .any(|(key, _)| UNSAYABLE.contains(&key.as_str()))
        {
            return None;
        }
        if let Some(reference) = schema.get("$ref") {
            return Some(with_siblings(reference, schema));
        }
        let combined = ["anyOf", "oneOf"]
            .iter()
            .any(|key| schema.get(key).is_some());
        let kind = schema.get("type");
        if kind.is_none()
            && !combined
            && schema.get("enum").is_none()
            && schema.get("const").is_none()
        {
            return None;
        }
        let is = |name: &str| match kind {
            Some(Node::String(kind)) => kind == name,
            Some(Node::Array(kinds)) => kinds.iter().any(|kind| kind.as_str() == Some(name)),
            _ => false,
        };
        // Members beside a choice would stay open.
        if combined && schema.get("properties").is_some() {
            return None;
        }
        if is("object") && !combined {
            schema.get("properties")?;
            if !matches!(
                schema.get("additionalProperties"),
                None | Some(Node::Bool(false))
            ) {
                return None;
            }
        }
        if is("array") {
            schema.get("items")?;
        }
        let mut out = Node::Object(Vec::with_capacity(members.len()));
        let mut said = Vec::new();
        for (key, value) in members {
            match key.as_str() {
                "properties" => out.set("properties", self.properties(schema, depth)?),
                "required" | "additionalProperties" => {}
                "items" => out.set("items", self.schema(value, depth + 1)?),
                "anyOf" | "oneOf" => {
                    let mut options = Vec::new();
                    for option in value.entries() {
                        options.push(self.schema(option, depth)?);
                    }
                    out.set("anyOf", Node::Array(options));
                }
                "$defs" | "definitions" => {
                    let mut definitions = Vec::new();
                    for (name, definition) in value.members() {
                        self.characters += name.chars().count();
                        definitions.push((name.clone(), self.schema(definition, 1)?));
                    }
                    out.set(key, Node::Object(definitions));
                }
                "maxItems" => out.set(key, value.clone()),
                "format"
                    if value
                        .as_str()
                        .is_some_and(|format| FORMATS.contains(&format)) =>
                {
                    out.set(key, value.clone());
                }
                "pattern" if value.as_str().is_some_and(is_simple) => out.set(key, value.clone()),
                key if KEPT.contains(&key) => out.set(key, value.clone()),
                key => said.extend(words(key, value)),
            }
        }
        self.enums(schema)?;
        if is("object") && !combined {
            let names = schema.get("properties").map_or(&[][..], Node::members);
            let names = names.iter().map(|(name, _)| Node::text(name.as_str()));
            out.set("required", Node::Array(names.collect()));
            out.set("additionalProperties", Node::Bool(false));
        }
        describe(&mut out, &said);
        Some(out)
    }

    fn properties(&mut self, schema: &Node, depth: usize) -> Option<Node> {
        let required = schema.required();
        let mut out = Vec::new();
        for (name, property) in schema.get("properties")?.members() {
            self.properties += 1;
            self.characters += name.chars().count();
            let property = self.schema(property, depth + 1)?;
            let property = if required.contains(&name.as_str()) {
                property
            } else {
                nullable(property)
            };
            out.push((name.clone(), property));
        }
        Some(Node::Object(out))
    }

    fn enums(&mut self, schema: &Node) -> Option<()> {
        let values = schema.get("enum").map_or(&[][..], Node::entries);
        let characters: usize = values
            .iter()
            .filter_map(Node::as_str)
            .map(|text| text.chars().count())
            .sum();
        if values.len() > LARGE_ENUM && characters > LARGE_ENUM_CHARACTERS {
            return None;
        }
        self.enum_values += values.len();
        self.characters += characters;
        self.characters += schema
            .get("const")
            .map_or(0, |value| value.json().chars().count());
        Some(())
    }
}

/// A reference stands alone; what is said beside it goes around it.
fn with_siblings(reference: &Node, schema: &Node) -> Node {
    let alone = Node::Object(vec![("$ref".to_owned(), reference.clone())]);
    match schema.get("description") {
        None => alone,
        Some(description) => Node::Object(vec![
            ("anyOf".to_owned(), Node::Array(vec![alone])),
            ("description".to_owned(), description.clone()),
        ]),
    }
}

/// The same schema, which also takes `null`.
fn nullable(mut schema: Node) -> Node {
    let null = Node::Object(vec![("type".to_owned(), Node::text("null"))]);
    if let Some(Node::Array(options)) = schema.get("anyOf") {
        if !options.contains(&null) {
            let mut options = options.clone();
            options.push(null);
            schema.set("anyOf", Node::Array(options));
        }
        return schema;
    }
    let kinds = match schema.get("type") {
        Some(Node::String(kind)) if schema.get("const").is_none() => {
            vec![Node::text(kind.as_str())]
        }
        Some(Node::Array(kinds)) if schema.get("const").is_none() => kinds.clone(),
        _ => {
            let description = schema.get("description").cloned();
            let mut out = Node::Object(vec![("anyOf".to_owned(), Node::Array(vec![schema, null]))]);
            if let Some(description) = description {
                out.set("description", description);
            }
            return out;
        }
    };
    let mut kinds = kinds;
    if !kinds.contains(&Node::text("null")) {
        kinds.push(Node::text("null"));
    }
    schema.set("type", Node::Array(kinds));
    if let Some(Node::Array(values)) = schema.get("enum")
        && !values.contains(&Node::Null)
    {
        let mut values = values.clone();
        values.push(Node::Null);
        schema.set("enum", Node::Array(values));
    }
    schema
}

/// Whether a pattern does without looking around.
fn is_simple(pattern: &str) -> bool {
    !["(?=", "(?!", "(?<"]
        .iter()
        .any(|look| pattern.contains(look))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Node, rewrite};
    use crate::tool::schema::strict::misfit;

    fn leaf() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!({"type": "string", "minLength": 2})),
            Just(json!({"enum": ["a\"]", 1, null]})),
            Just(json!({"const": {"a": [1]}})),
            Just(json!({"$ref": "#/$defs/X"})),
            Just(json!({"type": "array"})),
            Just(json!({"type": ["object", "null"]})),
            Just(json!({})),
            Just(json!({"type": "array", "prefixItems": [{"type": "null"}], "items": false})),
            Just(json!({"type": "integer", "not": {"const": 0}})),
            Just(json!({"type": "object", "properties": {}, "additionalProperties": {}})),
        ]
    }

    fn schema() -> impl Strategy<Value = Value> {
        leaf().prop_recursive(12, 40, 3, |inner| {
            prop_oneof![
                3 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
                1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"anyOf": [a, b]})),
                2 => (inner.clone(), inner).prop_map(|(a, b)| json!({
                    "type": "object",
                    "properties": {"a": a, "b~\"": b},
                    "required": ["a"],
                    "additionalProperties": false,
                })),
            ]
        })
    }

    proptest! {
        /// The compiler's judgement is that of what is sent.
        #[test]
        fn what_is_judged_to_fit_is_what_can_be_written(x in schema(), pretty: bool) {
            let root = json!({"type": "object", "properties": {"x": x}, "$defs": {"X": {"type": "null"}}});
            let text = if pretty { format!("{root:#}") } else { root.to_string() };
            let node: Node = serde_json::from_str(&text).unwrap();
            let misfit = misfit(&text).map(|misfit| misfit.to_string());
            prop_assert_eq!(rewrite(&node).is_some(), misfit.is_none(), "{}: {:?}", text, misfit);
        }
    }
}
