//! Whether a schema that was made at run time can be the arguments of a tool.

use serde_json::{Map, Value};

use crate::tool::args::ecma;

/// Types of JSON Schema.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];
/// Keywords that hold schemas by name.
const NAMED: [&str; 5] = [
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
];
/// Keywords that hold a list of schemas.
const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords that hold one schema.
const SINGLE: [&str; 8] = [
    "items",
    "additionalProperties",
    "not",
    "contains",
    "propertyNames",
    "if",
    "then",
    "else",
];
/// Keywords that narrow a schema and are not checked at a call, and what says the same.
const UNKNOWN: [(&str, &str); 7] = [
    (
        "unevaluatedProperties",
        "name the properties, and `additionalProperties`",
    ),
    ("unevaluatedItems", "name the items, and `items`"),
    ("$dynamicRef", "use `$ref`"),
    ("$recursiveRef", "use `$ref`"),
    (
        "dependencies",
        "use `dependentRequired` or `dependentSchemas`",
    ),
    ("additionalItems", "use `prefixItems` and `items`"),
    ("$anchor", "use a `$ref` that is a path"),
];
/// Schemas deeper than this are refused; providers take far less.
const DEEPEST: usize = 64;

/// What keeps a schema from being the arguments of a tool.
pub(crate) fn problem(schema: &str) -> Option<String> {
    let schema: Value = match serde_json::from_str(schema) {
        Ok(schema) => schema,
        Err(error) => return Some(format!("the schema is not JSON: {error}")),
    };
    if schema["type"] != "object" {
        return Some(
            "the root of the schema must have `\"type\": \"object\"`; put other types into a \
             property"
                .to_owned(),
        );
    }
    if !schema["properties"].is_object() {
        return Some("the schema must have `properties`, if only `{}`".to_owned());
    }
    wrong_key(&schema).or_else(|| check(&schema, &schema, "", 0).err())
}

/// A name among the arguments that Anthropic refuses, and with it the whole request:
/// `^[a-zA-Z0-9_.-]{1,64}$` is what it takes.
fn wrong_key(schema: &Value) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut keys = schema["properties"].as_object()?.keys();
    let wrong = keys.find(|key| key.is_empty() || key.len() > 64 || !key.chars().all(fits))?;
    let shown: String = wrong.chars().take(80).collect();
    Some(format!(
        "the argument `{shown}` has a name that not all providers take; it may have 1 to 64 ASCII \
         letters, digits, `_`, `.` and `-`"
    ))
}

fn check(schema: &Value, root: &Value, at: &str, depth: usize) -> Result<(), String> {
    let place = if at.is_empty() { "/" } else { at };
    let Some(map) = schema.as_object() else {
        return match schema {
            Value::Bool(_) => Ok(()),
            _ => Err(format!("the schema at `{place}` is no object")),
        };
    };
    if depth > DEEPEST {
        return Err(format!(
            "the schema is more than {DEEPEST} levels deep at `{place}`"
        ));
    }
    check_type(&schema["type"], place)?;
    check_required(schema, place)?;
    for (key, instead) in UNKNOWN {
        if map.contains_key(key) {
            return Err(format!(
                "`{key}` at `{place}` is not known, so arguments could not be held to it; {instead}"
            ));
        }
    }
    check_values(map, place)?;
    check_patterns(map, place)?;
    if let Some(Value::String(reference)) = map.get("$ref") {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer));
        if target.is_none() {
            return Err(format!(
                "`$ref` at `{place}` points to `{reference}`, which is not there"
            ));
        }
    }
    for key in NAMED {
        match map.get(key) {
            Some(Value::Object(named)) => {
                for (name, schema) in named {
                    check(schema, root, &format!("{at}/{key}/{name}"), depth + 1)?;
                }
            }
            Some(_) => return Err(format!("`{key}` at `{place}` is no object")),
            None => {}
        }
    }
    for key in LISTS {
        match map.get(key) {
            Some(Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    check(schema, root, &format!("{at}/{key}/{index}"), depth + 1)?;
                }
            }
            Some(_) => return Err(format!("`{key}` at `{place}` is no list")),
            None => {}
        }
    }
    for key in SINGLE {
        if let Some(schema) = map.get(key) {
            check(schema, root, &format!("{at}/{key}"), depth + 1)?;
        }
    }
    Ok(())
}

/// Keywords that say nothing where their value is of another kind: `"exclusiveMinimum": true`, as an older
/// draft has it, would let everything through.
fn check_values(map: &Map<String, Value>, place: &str) -> Result<(), String> {
    let is_count = |value: &Value| value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0);
    for (key, value) in map {
        let (fits, wanted) = match key.as_str() {
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                (value.is_number(), "a number")
            }
            "multipleOf" => (
                value.as_f64().is_some_and(|step| step > 0.0),
                "a number above 0",
            ),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" | "minContains" | "maxContains" => {
                (is_count(value), "a whole number from 0")
            }
            "uniqueItems" => (value.is_boolean(), "true or false"),
            "pattern" | "format" | "$ref" => (value.is_string(), "a string"),
            "enum" | "anyOf" | "oneOf" | "allOf" => (
                value.as_array().is_some_and(|list| !list.is_empty()),
                "a list that is not empty",
            ),
            "dependentRequired" => (value.is_object(), "an object with lists of names"),
            _ => continue,
        };
        if !fits {
            return Err(format!(
                "`{key}` at `{place}` is {value}, and must be {wanted}"
            ));
        }
    }
    Ok(())
}

fn check_patterns(map: &Map<String, Value>, place: &str) -> Result<(), String> {
    let one = map.get("pattern").and_then(Value::as_str);
    let names = map.get("patternProperties").and_then(Value::as_object);
    let names = names.into_iter().flat_map(Map::keys).map(String::as_str);
    match one
        .into_iter()
        .chain(names)
        .find(|pattern| ecma::regex(pattern).is_none())
    {
        None => Ok(()),
        Some(pattern) => Err(format!(
            "the pattern `{pattern}` at `{place}` cannot be checked: it is no regular expression, or \
             has a look-around, a back-reference or a class of Unicode; write it without"
        )),
    }
}

fn check_type(kind: &Value, place: &str) -> Result<(), String> {
    let known = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    let good = match kind {
        Value::Null => true,
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(known),
        kind => known(kind),
    };
    if good {
        Ok(())
    } else {
        Err(format!(
            "`type` at `{place}` is {kind}, and may be one or a list of {}",
            TYPES.join(", ")
        ))
    }
}

fn check_required(schema: &Value, place: &str) -> Result<(), String> {
    let names = match &schema["required"] {
        Value::Null => return Ok(()),
        Value::Array(names) => names,
        _ => return Err(format!("`required` at `{place}` is no list of names")),
    };
    for name in names {
        let Some(name) = name.as_str() else {
            return Err(format!("`required` at `{place}` is no list of names"));
        };
        if let Some(properties) = schema["properties"].as_object()
            && !properties.contains_key(name)
        {
            return Err(format!(
                "`required` at `{place}` names `{name}`, which is not among the `properties`"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn what_no_provider_takes_is_found() {
        for (schema, says) in [
            ("{", "not JSON"),
            (r#"{"type":"array"}"#, "`\"type\": \"object\"`"),
            (r#"{"type":"object"}"#, "`properties`"),
            (
                r#"{"type":"object","properties":{"$top":{}}}"#,
                "the argument `$top`",
            ),
            (
                r#"{"type":"object","properties":{"x":3}}"#,
                "`/properties/x` is no object",
            ),
            (
                r#"{"type":"object","properties":{},"required":"x"}"#,
                "no list",
            ),
            (
                r#"{"type":"object","properties":{},"required":["y"]}"#,
                "names `y`",
            ),
            (
                r#"{"type":"object","properties":{"x":{"type":"nonsense"}}}"#,
                "nonsense",
            ),
            (
                r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/Y"}}}"##,
                "`#/$defs/Y`",
            ),
            (
                r#"{"type":"object","properties":{"x":{"anyOf":{}}}}"#,
                "`anyOf` at `/properties/x` is {}, and must be a list that is not empty",
            ),
            (
                r#"{"type":"object","properties":{"x":{"enum":[]}}}"#,
                "must be a list that is not empty",
            ),
            (
                r#"{"type":"object","properties":{"x":{"multipleOf":0}}}"#,
                "a number above 0",
            ),
            (
                r#"{"type":"object","properties":{"x":{"items":[{}]}}}"#,
                "no object",
            ),
            (
                r#"{"type":"object","properties":{"x":{"exclusiveMinimum":true}}}"#,
                "`exclusiveMinimum` at `/properties/x` is true, and must be a number",
            ),
            (
                r#"{"type":"object","properties":{"x":{"maxLength":"5"}}}"#,
                "a whole number from 0",
            ),
            (
                r#"{"type":"object","properties":{"x":{"unevaluatedItems":false}}}"#,
                "`unevaluatedItems` at `/properties/x`",
            ),
            (
                r#"{"type":"object","properties":{"x":{"pattern":"(?=a)"}}}"#,
                "`(?=a)` at `/properties/x`",
            ),
            (
                r#"{"type":"object","properties":{"x":{"patternProperties":{"(":{}}}}}"#,
                "`(` at `/properties/x`",
            ),
        ] {
            let found = problem(schema).unwrap_or_default();
            assert!(found.contains(says), "{schema}: {found}");
        }
        let good = r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/Y"},"z":true},
            "required":["x"],"$defs":{"Y":{"type":["string","null"]}}}"##;
        assert_eq!(problem(good), None);
        let mut deep = r#"{"type":"object","properties":{"x":"#.to_owned();
        deep.push_str(&r#"{"items":"#.repeat(100));
        deep.push_str("{}");
        deep.push_str(&"}".repeat(102));
        assert!(problem(&deep).is_some_and(|found| found.contains("levels deep")));
    }
}
