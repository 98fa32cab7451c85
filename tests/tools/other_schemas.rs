//! Schemas that somebody else wrote: a tool that is made at run time receives what fits, and nothing
//! else. The crate `jsonschema` says what fits.

use std::sync::{Arc, Mutex};

use repertoire::{Context, Toolset, testing, tool, toolset::RuntimeTool};
use serde_json::{Value, json};

/// Values of every kind, near the borders of the schemas below.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(-1),
        json!(6.5),
        json!(10),
        json!(1.0),
        json!(0.3),
        json!(9007199254740993_u64),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("abc"),
        json!("x-1"),
        json!("red"),
        json!([]),
        json!([1]),
        json!([1, 2]),
        json!([1, "a"]),
        json!(["a", "b", "c"]),
        json!([null]),
        json!([1, 2, 3, 4]),
        json!([1, 1, "a"]),
        json!({}),
        json!({"a": 1}),
        json!({"a": "x"}),
        json!({"b": 1}),
        json!({"a": 1, "b": 2}),
        json!({"x-1": 1}),
        json!({"x-1": "a"}),
        json!({"a": {"a": {"a": 1}}}),
        json!({"kind": "dog"}),
        json!({"kind": "cat", "lives": 9}),
        json!({"kind": "cat"}),
        json!({"a": null}),
        json!([[1], [2]]),
        json!({"next": {"next": {}}}),
        json!({"next": {"next": 1}}),
    ]
}

fn schemas() -> Vec<Value> {
    vec![
        json!({"type": ["string", "null"]}),
        json!({"type": ["integer", "array"], "minimum": 2, "minItems": 2}),
        json!({"const": 1}),
        json!({"const": {"a": 1}}),
        json!({"enum": [1, "a", null, [1]]}),
        json!({"oneOf": [{"type": "integer"}, {"minimum": 2}]}),
        json!({"oneOf": [{"type": "string", "maxLength": 1}, {"type": "array", "items": {"type": "integer"}}]}),
        json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "dog"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
                "required": ["kind", "lives"]}]}),
        json!({"anyOf": [{"type": "string", "minLength": 2}, {"type": "number", "multipleOf": 2}]}),
        json!({"allOf": [{"type": "integer"}, {"minimum": 1}, {"maximum": 5}]}),
        json!({"allOf": [{"$ref": "#/$defs/short"}], "minLength": 1}),
        json!({"$ref": "#/$defs/short", "minLength": 2}),
        json!({"$ref": "#/$defs/alias"}),
        json!({"$ref": "#/$defs/chain"}),
        json!({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 10}),
        json!({"type": "number", "multipleOf": 0.1}),
        json!({"type": "integer", "multipleOf": 3}),
        json!({"type": "object", "patternProperties": {"^x-": {"type": "integer"}},
            "properties": {"a": {}}, "additionalProperties": false}),
        json!({"type": "object", "patternProperties": {"^a": {"type": "string"}}}),
        json!({"type": "object", "propertyNames": {"maxLength": 1}}),
        json!({"type": "object", "dependentRequired": {"a": ["b"]}}),
        json!({"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}}),
        json!({"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}}),
        json!({"not": {"type": "string"}}),
        json!({"not": {"const": 1}}),
        json!({"contains": {"type": "integer"}}),
        json!({"type": "array", "contains": {"const": 1}, "minContains": 0, "maxContains": 0}),
        json!({"type": "array", "contains": {"type": "string"}, "minContains": 2, "maxContains": 2}),
        json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false}),
        json!({"type": "array", "items": {"type": ["integer", "null"]}, "uniqueItems": true}),
        json!({"type": "array", "minItems": 1, "maxItems": 3}),
        json!({"type": "object", "minProperties": 1, "maxProperties": 1}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "string", "pattern": "^x-[0-9]$"}),
        json!(true),
        json!(false),
    ]
}

/// Call the tool `other` with each of the values.
#[tool]
async fn call_all(#[context] cx: &Context) -> String {
    let mut answers = Vec::new();
    for x in values() {
        answers.push(cx.call("other", json!({"x": x})).await.is_ok());
    }
    serde_json::to_string(&answers).unwrap_or_default()
}

fn whole(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"],
        "$defs": {
            "short": {"type": "string", "maxLength": 2},
            "alias": {"$ref": "#/$defs/short"},
            "chain": {"type": "object", "properties": {"next": {"$ref": "#/$defs/chain"}}},
        },
    })
}

#[tokio::test]
async fn what_fits_arrives_and_nothing_else() {
    for schema in schemas() {
        let judge = jsonschema::validator_for(&whole(&schema)).unwrap();
        let received = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&received);
        let tool = RuntimeTool::new("other", "Takes it.", whole(&schema), move |arguments| {
            sink.lock().unwrap().push(arguments);
            async { Ok("taken".into()) }
        });
        let answer = testing::call::<call_all>("{}")
            .repertoire(Toolset::new().with_tool(tool))
            .await;
        let taken: Vec<bool> = serde_json::from_str(answer.text()).unwrap();
        for (value, taken) in values().into_iter().zip(taken) {
            let fits = judge.is_valid(&json!({"x": value}));
            assert!(taken || !fits, "{schema} refuses {value}");
        }
        for arguments in received.lock().unwrap().iter() {
            assert!(
                judge.is_valid(arguments),
                "{schema} lets {arguments} through"
            );
            // What fitted is handed on as it was, and what is handed on was meant.
            let x = &arguments["x"];
            let sent = values().iter().any(|value| value == x);
            let sent = sent || values().iter().any(|value| is_meant(value, x));
            assert!(sent, "{schema} makes {x} of something");
        }
    }
}

/// Whether a value is another one without what stands twice or for nothing.
fn is_meant(value: &Value, taken: &Value) -> bool {
    match (value, taken) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Object(a), Value::Object(b)) => b
            .iter()
            .all(|(key, b)| a.get(key).is_some_and(|a| is_meant(a, b))),
        (Value::Number(a), Value::String(b)) => a.to_string() == *b,
        _ => value == taken,
    }
}

#[tokio::test]
async fn a_schema_that_leads_back_to_itself_ends() {
    let schema = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}, "b": {"$ref": "#/$defs/b"}},
    });
    let tool = RuntimeTool::new("other", "Takes it.", schema, |_| async {
        Ok("taken".into())
    });
    let answer = testing::call::<call_all>("{}")
        .repertoire(Toolset::new().with_tool(tool))
        .await;
    let taken: Vec<bool> = serde_json::from_str(answer.text()).unwrap();
    let texts: Vec<bool> = values()
        .iter()
        .map(|value| value.is_string() || value.is_null())
        .collect();
    assert_eq!(taken.len(), texts.len());
    for ((value, taken), text) in values().iter().zip(taken).zip(texts) {
        // Numbers are texts without their quotes.
        assert!(taken == text || value.is_number(), "{value}");
    }
}

/// Call the tool `other` with a list that is long, and wrong at its end.
#[tool]
async fn call_long(#[context] cx: &Context) -> String {
    let list = |end: &str| format!("{{\"x\":[{}{end}]}}", "1,".repeat(200_000));
    let call = async |arguments: String| {
        let arguments: Value = serde_json::from_str(&arguments).unwrap_or_default();
        cx.call("other", arguments).await.is_ok()
    };
    format!("{} {}", call(list("1")).await, call(list("true")).await)
}

#[tokio::test]
async fn the_end_of_a_long_list_is_checked_too() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "array", "items": {"type": "integer"}}}});
    let tool = RuntimeTool::new("other", "Takes it.", schema, |_| async {
        Ok("taken".into())
    });
    let answer = testing::call::<call_long>("{}")
        .repertoire(Toolset::new().with_tool(tool))
        .await;
    assert_eq!(answer.text(), "true false");
}

/// Call the tool `other` with a number in quotes, and with nothing.
#[tool]
async fn call_loosely(#[context] cx: &Context) -> String {
    let mut answers = Vec::new();
    for arguments in [json!({"x": "5"}), json!({"x": null}), json!({})] {
        let answer = cx.call("other", arguments).await;
        answers.push(answer.map_or_else(|error| error.to_string(), |output| output.to_text()));
    }
    answers.join(" ")
}

#[tokio::test]
async fn a_type_that_may_be_null_and_a_schema_without_properties_are_taken() {
    let typed = json!({"type": "object", "properties": {"x": {"type": ["integer", "null"]}}});
    for (schema, said) in [
        (typed, r#"{"x":5} {"x":null} {}"#),
        (json!({"type": "object"}), r#"{"x":"5"} {"x":null} {}"#),
    ] {
        let tool = RuntimeTool::new("other", "Takes it.", schema, |arguments| async move {
            Ok(arguments.to_string().into())
        });
        let answer = testing::call::<call_loosely>("{}")
            .repertoire(Toolset::new().with_tool(tool))
            .await;
        assert_eq!(answer.text(), said);
    }
}

/// Call the tool `other` with a tuple that has something twice.
#[tool]
async fn call_twice(#[context] cx: &Context) -> String {
    let answer = cx.call("other", json!({"x": [1, 1, true]})).await;
    answer.map_or_else(|error| error.to_string(), |output| output.to_text())
}

#[tokio::test]
async fn nothing_moves_to_another_place_of_a_tuple() {
    let tuple =
        json!({"prefixItems": [{"type": "integer"}, {"type": "boolean"}], "uniqueItems": true});
    let schema = json!({"type": "object", "properties": {"x": tuple}});
    let tool = RuntimeTool::new("other", "Takes it.", schema, |_| async {
        Ok("taken".into())
    });
    let answer = testing::call::<call_twice>("{}")
        .repertoire(Toolset::new().with_tool(tool))
        .await;
    assert!(answer.text().starts_with("R0001"), "{}", answer.text());
}

#[tokio::test]
async fn strict_takes_nothing_for_something_else() {
    let schema = json!({
        "type": "object",
        "properties": {"x": {"type": "integer"}},
        "required": ["x"],
        "additionalProperties": false,
    });
    let tool = |name| {
        RuntimeTool::new(name, "Takes it.", schema.clone(), |_| async {
            Ok("taken".into())
        })
    };
    for (tool, said) in [(tool("other"), "taken"), (tool("other").strict(), "R0001")] {
        let answer = testing::call::<call_loosely>("{}")
            .repertoire(Toolset::new().with_tool(tool))
            .await;
        assert!(answer.text().starts_with(said), "{}", answer.text());
    }
}
