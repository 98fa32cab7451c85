//! Schemas and names.

use super::*;

#[test]
fn trap_11_a_choice_at_the_root_is_refused_by_the_tools_name() {
    let schema = json!({"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]});
    let tools = [
        tool("good"),
        Definition::new("bad_root", "d", schema.to_string()).unwrap(),
    ];
    for protocol in all() {
        match protocol.encode(&Request::new(&[]).with_tools(&tools)) {
            Err(ProtocolError::Tool { tool, problem, .. }) => {
                assert_eq!(tool, "bad_root");
                assert!(problem.contains("`anyOf`"), "{problem}");
            }
            other => panic!("{}: {other:?}", protocol.id()),
        }
    }
}

#[test]
fn trap_12_more_strict_tools_than_the_grammar_holds_are_refused_by_name() {
    let strict = |number: usize, schema: &Value| {
        let tool = Definition::new(format!("t{number}"), "d", schema.to_string()).unwrap();
        tool.with_strict(true)
    };
    let one_optional = json!({"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}, "required": ["x"], "additionalProperties": false});
    let two_optional = json!({"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}, "additionalProperties": false});
    let union = json!({"type": "object", "properties": {"x": {"type": ["string", "null"]}}, "required": ["x"], "additionalProperties": false});
    for (schema, most) in [(&one_optional, 20), (&two_optional, 12), (&union, 16)] {
        let tools: Vec<Definition> = (0..=most).map(|number| strict(number, schema)).collect();
        let encode = |count: usize| {
            Anthropic::new("m").encode(&Request::new(&[]).with_tools(&tools[..count]))
        };
        assert!(encode(most).is_ok());
        match encode(most + 1) {
            Err(ProtocolError::Tool { tool, .. }) => assert_eq!(tool, format!("t{most}")),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn trap_13_and_14_strict_closes_every_object_and_makes_the_optional_nullable() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "enum": ["p", "q"]},
            "c": {"type": "object", "properties": {"d": {"type": "integer"}}},
            "e": {"$ref": "#/$defs/E"},
        },
        "required": ["a"],
        "$defs": {"E": {"type": "object", "properties": {"f": {"type": "string"}}, "required": ["f"]}},
    });
    let tools = [Definition::new("t", "d", schema.to_string())
        .unwrap()
        .with_strict(true)];
    let request = Request::new(&[]).with_tools(&tools);
    let body = encode(&Responses::new("m"), &request);
    assert_eq!(body["tools"][0]["strict"], true);
    assert_eq!(
        body["tools"][0]["parameters"],
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": ["string", "null"], "enum": ["p", "q", null]},
                "c": {"type": ["object", "null"], "properties": {"d": {"type": ["integer", "null"]}}, "required": ["d"], "additionalProperties": false},
                "e": {"anyOf": [{"$ref": "#/$defs/E"}, {"type": "null"}]},
            },
            "required": ["a", "b", "c", "e"],
            "additionalProperties": false,
            "$defs": {"E": {"type": "object", "properties": {"f": {"type": "string"}}, "required": ["f"], "additionalProperties": false}},
        })
    );
    let body = encode(&Anthropic::new("m"), &request);
    let input = &body["tools"][0]["input_schema"];
    assert_eq!(body["tools"][0]["strict"], true);
    assert_eq!(input["required"], json!(["a"]));
    for object in [input, &input["properties"]["c"], &input["$defs"]["E"]] {
        assert_eq!(object["additionalProperties"], false, "{object}");
    }
    // Without the flag the schema is sent as it is, and never as half strict.
    let plain = [Definition::new("t", "d", schema.to_string()).unwrap()];
    let body = encode(&Responses::new("m"), &Request::new(&[]).with_tools(&plain));
    assert_eq!(body["tools"][0]["strict"], false);
    assert_eq!(body["tools"][0]["parameters"], schema);
}

#[test]
fn trap_18_references_are_written_out_and_schema_names_left_out() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "type": "object",
        "properties": {"n": {"$ref": "#/$defs/N", "description": "Mine."}, "$ref": {"type": "string"}},
        "$defs": {"N": {"type": "object", "description": "Theirs.", "properties": {
            "kind": {"const": "n"}, "next": {"$ref": "#/$defs/N"}, "v": {"type": "integer", "exclusiveMinimum": 0},
        }}},
    });
    let tools = [Definition::new("t", "d", schema.to_string()).unwrap()];
    let body = encode(&Gemini::new("m"), &Request::new(&[]).with_tools(&tools));
    let schema = &body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"];
    let n = &schema["properties"]["n"];
    assert_eq!(n["description"], "Mine.");
    assert_eq!(n["properties"]["kind"]["enum"], json!(["n"]));
    assert_eq!(
        n["properties"]["v"],
        json!({"type": "integer", "description": "(more than 0)"})
    );
    // A property may be called `$ref`.
    assert_eq!(schema["properties"]["$ref"], json!({"type": "string"}));
    // The type itself and twice more within, then words.
    let deepest = &n["properties"]["next"]["properties"]["next"]["properties"]["next"];
    assert_eq!(
        *deepest,
        json!({"type": "object", "description": "the same form as the N around it"})
    );
    let text = schema.to_string();
    for word in ["$schema", "$defs", "title", "const", "exclusiveMinimum"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn trap_18_a_schema_that_grows_without_end_is_refused_by_name() {
    let many: serde_json::Map<String, Value> = (0..60)
        .map(|number| (format!("p{number}"), json!({"$ref": "#/$defs/N"})))
        .collect();
    let schema = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "object", "properties": many}}});
    let nowhere = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/M"}}});
    let circle = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}});
    for (schema, refused) in [(schema, true), (nowhere, true), (circle, false)] {
        let tools = [Definition::new("big", "d", schema.to_string()).unwrap()];
        for protocol in [&Gemini::new("m") as &dyn Protocol, &Ollama::new("m")] {
            let result = protocol.encode(&Request::new(&[]).with_tools(&tools));
            match result {
                Err(ProtocolError::Tool { tool, .. }) => assert!(refused && tool == "big"),
                other => assert!(!refused, "{other:?}"),
            }
        }
    }
}

#[test]
fn trap_26_names_that_a_provider_refuses_are_refused_first() {
    let long = "x".repeat(65);
    for (name, gemini) in [("a.b", true), ("a b", false), (long.as_str(), true)] {
        let tools = [tool(name)];
        for protocol in all() {
            let result = protocol.encode(&Request::new(&[]).with_tools(&tools));
            let allowed = (protocol.id() == "gemini" && gemini)
                || (protocol.id() == "anthropic" && name == long);
            match result {
                Err(ProtocolError::Tool { tool, .. }) => {
                    assert!(!allowed && tool == name, "{}", protocol.id())
                }
                other => assert!(allowed, "{} {name}: {other:?}", protocol.id()),
            }
        }
    }
    // A name that a model invented, and identifiers of other providers, in a history.
    let invented = ToolCall::new("functions.get:0", "get weather!", "{}");
    let items = [
        user("a"),
        foreign(vec![ModelPart::Call(invented.clone())]),
        Item::Results(vec![ok(&invented)]),
    ];
    let nine = encode(&Chat::at(ChatVendor::Mistral, "m"), &Request::new(&items));
    let id = nine["messages"][1]["tool_calls"][0]["id"].as_str().unwrap();
    assert!(
        id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()),
        "{id}"
    );
    assert_eq!(nine["messages"][2]["tool_call_id"], id);
    for protocol in all() {
        let json = encode(protocol.as_ref(), &Request::new(&items)).to_string();
        assert!(!json.contains("get weather!"), "{json}");
    }
    // The provider that made an identifier gets it back, whatever it looks like.
    let chat = Chat::at(ChatVendor::Vllm, "m");
    let turn = json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": "",
        "tool_calls": [{"id": "functions.get:0", "type": "function", "function": {"name": "t", "arguments": "{}"}}]}}]});
    let items = [
        user("a"),
        own(&chat, &turn),
        Item::Results(vec![ok(&call("functions.get:0", "t"))]),
    ];
    let body = encode(&chat, &Request::new(&items));
    assert_eq!(body["messages"][2]["tool_call_id"], "functions.get:0");
}
