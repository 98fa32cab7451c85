//! Gemini and Ollama, which know few words of JSON Schema.

use super::{
    fold::{describe, words},
    node::Node,
};

/// Words that Gemini knows in `parametersJsonSchema`.
const GEMINI: [&str; 19] = [
    "type",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "additionalProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "default",
    "nullable",
    "format",
];

/// Formats that Gemini knows.
const GEMINI_FORMATS: [&str; 8] = [
    "date-time",
    "date",
    "time",
    "float",
    "double",
    "int32",
    "int64",
    "enum",
];

/// Words that Ollama's server reads.
const OLLAMA: [&str; 7] = [
    "type",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "anyOf",
];

pub(super) fn gemini(schema: &Node) -> Result<Node, String> {
    let known = |key: &str, value: &Node| match key {
        "format" => value
            .as_str()
            .is_some_and(|format| GEMINI_FORMATS.contains(&format)),
        key => GEMINI.contains(&key),
    };
    rewrite(schema, &known)
}

pub(super) fn ollama(schema: &Node) -> Result<Node, String> {
    rewrite(schema, &|key, _| OLLAMA.contains(&key))
}

fn rewrite(schema: &Node, known: &dyn Fn(&str, &Node) -> bool) -> Result<Node, String> {
    let members = match schema {
        Node::Object(members) => members,
        // `true` says nothing, as an empty schema does.
        Node::Bool(true) => return Ok(Node::Object(Vec::new())),
        Node::Bool(false) => return Err("a schema that is `false` allows nothing".to_owned()),
        _ => return Err("a schema is neither an object nor a truth value".to_owned()),
    };
    let mut out = Node::Object(Vec::with_capacity(members.len()));
    let mut said = Vec::new();
    for (key, value) in members {
        match key.as_str() {
            "const" if schema.get("enum").is_none() => {
                out.set("enum", Node::Array(vec![value.clone()]));
            }
            "oneOf" | "anyOf" => {
                let options = value.entries().iter().map(|option| rewrite(option, known));
                out.set("anyOf", Node::Array(options.collect::<Result<_, _>>()?));
            }
            "allOf" => match value.entries() {
                [one] => {
                    for (key, value) in rewrite(one, known)?.members() {
                        if out.get(key).is_none() {
                            out.set(key, value.clone());
                        }
                    }
                }
                _ => {
                    return Err(
                        "`allOf` of several schemas cannot be said to this provider; write one \
                         schema"
                            .to_owned(),
                    );
                }
            },
            "properties" => {
                let mut properties = Vec::new();
                for (name, property) in value.members() {
                    properties.push((name.clone(), rewrite(property, known)?));
                }
                out.set("properties", Node::Object(properties));
            }
            // A list of a fixed form, in the words of today and of before.
            "prefixItems" | "items" if matches!(value, Node::Array(_)) => {
                let items = value.entries().iter().map(|item| rewrite(item, known));
                let items = Node::Array(items.collect::<Result<_, _>>()?);
                if known("prefixItems", &items) {
                    out.set("prefixItems", items);
                } else {
                    said.push(format!("the items in order: {}", items.json()));
                }
            }
            // Nothing may follow the fixed ones, which their number says.
            "items" if schema.get("prefixItems").is_some() && *value == Node::Bool(false) => {
                let count = schema
                    .get("prefixItems")
                    .map_or(0, |fixed| fixed.entries().len());
                let most = Node::Number(count.into());
                if schema.get("maxItems").is_none() {
                    match known("maxItems", &most) {
                        true => out.set("maxItems", most),
                        false => said.extend(words("maxItems", &most)),
                    }
                }
            }
            "items" => out.set("items", rewrite(value, known)?),
            "additionalProperties" if known(key, value) && matches!(value, Node::Object(_)) => {
                out.set(key, rewrite(value, known)?);
            }
            _ if known(key, value) => out.set(key, value.clone()),
            _ => said.extend(words(key, value)),
        }
    }
    describe(&mut out, &said);
    Ok(out)
}
