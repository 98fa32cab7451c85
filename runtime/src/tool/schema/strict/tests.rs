//! What strict mode can say, and what not.

use serde_json::json;

use super::misfit;

fn says(property: serde_json::Value) -> String {
    let schema = json!({"type": "object", "properties": {"x": property}, "required": ["x"]});
    misfit(&schema.to_string()).map_or(String::new(), |misfit| misfit.to_string())
}

#[test]
fn what_strict_mode_cannot_say_is_named() {
    for (property, wanted) in [
        (json!({"type": "string"}), ""),
        (
            json!({"type": ["array", "null"], "items": {"type": "string"}}),
            "",
        ),
        (json!({"$ref": "#/$defs/X"}), ""),
        (
            json!({"type": "object", "properties": {"]}\"{": {"enum": ["a", 1]}}}),
            "",
        ),
        (json!({}), "`x` takes any value"),
        (json!(true), "`x` takes any value"),
        (json!({"type": "array"}), "`x` is a list of anything"),
        (json!({"type": "object"}), "`x` takes members of any name"),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"y": {
                "type": "object", "properties": {}, "additionalProperties": {"type": "string"}
            }}}}),
            "`x[].y` takes members of any name, as a map does",
        ),
        (
            json!({"anyOf": [{"type": "null"}, {"type": "array", "prefixItems": []}]}),
            "`x` is a tuple, whose items differ in type",
        ),
        (
            json!({"type": "integer", "not": {"const": 0}}),
            "`x` excludes something (`not`)",
        ),
    ] {
        let said = says(property.clone());
        assert!(said.ends_with(wanted), "{property}: {said}");
        assert_eq!(said.is_empty(), wanted.is_empty(), "{property}: {said}");
    }
}

#[test]
fn what_is_too_large_is_named() {
    let mut deep = json!({"type": "string"});
    for _ in 0..12 {
        deep = json!({"type": "array", "items": deep});
    }
    assert!(says(deep).ends_with("lies more than 10 levels deep"));
    let values: Vec<String> = (0..1001).map(|number| number.to_string()).collect();
    assert!(says(json!({"enum": values})).contains("more than 1,000 enum values"));
    let values: Vec<String> = (0..251).map(|number| format!("{number:060}")).collect();
    assert!(says(json!({"enum": values})).contains("250 values"));
}

#[test]
fn what_is_cut_off_is_read_to_its_end() {
    let schema = json!({"type": "object", "properties": {"x": {"anyOf": [{"enum": ["\\\"a"]}]}}});
    let text = schema.to_string();
    for end in 0..text.len() {
        let _ = misfit(&text[..end]);
    }
}
