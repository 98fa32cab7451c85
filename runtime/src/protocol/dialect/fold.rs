//! Words a provider does not know become part of the description.

use super::node::Node;

/// What no strict mode can say and what must not be lost.
pub(super) const UNSAYABLE: [&str; 12] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "contains",
    "unevaluatedProperties",
];

/// Adds what was said by these keywords to the description of a schema.
pub(super) fn describe(schema: &mut Node, said: &[String]) {
    if said.is_empty() {
        return;
    }
    let mut text = match schema.get("description").and_then(Node::as_str) {
        Some(text) if !text.is_empty() => format!("{text} "),
        _ => String::new(),
    };
    text.push('(');
    text.push_str(&said.join("; "));
    text.push(')');
    schema.set("description", Node::String(text));
}

/// What a keyword says, in words. Nothing for keywords that say nothing to a model.
pub(super) fn words(key: &str, value: &Node) -> Option<String> {
    let plain = match value {
        Node::String(text) => text.clone(),
        other => other.json(),
    };
    Some(match key {
        "minimum" => format!("at least {plain}"),
        "maximum" => format!("at most {plain}"),
        "exclusiveMinimum" => format!("more than {plain}"),
        "exclusiveMaximum" => format!("less than {plain}"),
        "multipleOf" => format!("a multiple of {plain}"),
        "minLength" => format!("at least {plain} characters"),
        "maxLength" => format!("at most {plain} characters"),
        "minItems" => format!("at least {plain} items"),
        "maxItems" => format!("at most {plain} items"),
        "minProperties" => format!("at least {plain} members"),
        "maxProperties" => format!("at most {plain} members"),
        "uniqueItems" if *value == Node::Bool(true) => "no item twice".to_owned(),
        "pattern" => format!("matches {plain}"),
        "format" => format!("format: {plain}"),
        "default" => format!("default: {}", value.json()),
        "const" => format!("always {}", value.json()),
        "examples" => format!("examples: {plain}"),
        "example" => format!("example: {}", value.json()),
        "additionalProperties" => match value {
            Node::Bool(true) => "any other members are allowed".to_owned(),
            Node::Object(members) if !members.is_empty() => {
                format!("any keys; each value: {plain}")
            }
            Node::Object(_) => "any keys and values".to_owned(),
            _ => return None,
        },
        // Names of the schema itself, and what only writers of schemas read.
        "$schema" | "$id" | "$anchor" | "$defs" | "definitions" | "$comment" | "title"
        | "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => return None,
        other => format!("{other}: {plain}"),
    })
}
