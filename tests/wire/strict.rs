//! What is sent as strict fits the provider's rules, and what does not fit is never passed over in
//! silence. The rules are written here once more, apart from the code that is tested.

use repertoire::{
    Agent, Anthropic, Chat, Gemini, Ollama, Responses, Toolset,
    protocol::{ChatVendor, Definition, Protocol, ProtocolError, Request},
    testing::Script,
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

/// Schemas of one member, `x`.
fn members() -> Vec<(&'static str, Value)> {
    let deep = (0..12).fold(json!({"type": "string"}), |inner, _| {
        json!({"type": "object", "properties": {"d": inner}, "required": ["d"], "additionalProperties": false})
    });
    vec![
        (
            "text",
            json!({"type": "string", "minLength": 1, "maxLength": 5}),
        ),
        (
            "bounds",
            json!({"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 2}),
        ),
        ("pattern", json!({"type": "string", "pattern": "^[a-z]+$"})),
        (
            "lookahead",
            json!({"type": "string", "pattern": "^(?!x)[a-z]+$"}),
        ),
        ("format", json!({"type": "string", "format": "date-time"})),
        ("odd format", json!({"type": "string", "format": "uri"})),
        ("enum", json!({"type": "string", "enum": ["a", "b"]})),
        ("enum alone", json!({"enum": ["a", 1, null]})),
        ("const", json!({"const": "a"})),
        (
            "default",
            json!({"type": "string", "default": "a", "title": "X", "examples": ["b"]}),
        ),
        ("union", json!({"type": ["string", "null"]})),
        (
            "any of",
            json!({"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}}}]}),
        ),
        (
            "one of",
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        ),
        (
            "any of beside members",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [
            {"type": "object", "properties": {"b": {"type": "string"}}}, {"type": "null"}]}),
        ),
        (
            "list",
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "uniqueItems": true}),
        ),
        (
            "long list",
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2}),
        ),
        ("list of anything", json!({"type": "array"})),
        (
            "tuple",
            json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
        ),
        (
            "object",
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}),
        ),
        (
            "object or null",
            json!({"type": ["object", "null"], "properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ),
        (
            "members without a type",
            json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ),
        ("empty object", json!({"type": "object", "properties": {}})),
        ("object of anything", json!({"type": "object"})),
        (
            "map",
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
        ),
        (
            "open object",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}),
        ),
        (
            "counted object",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1}),
        ),
        (
            "all of",
            json!({"allOf": [{"type": "string"}, {"minLength": 2}]}),
        ),
        ("not", json!({"type": "string", "not": {"const": "a"}})),
        (
            "if",
            json!({"type": "string", "if": {"const": "a"}, "then": {"minLength": 1}}),
        ),
        ("anything", json!({})),
        ("described only", json!({"description": "Whatever."})),
        ("yes", json!(true)),
        ("reference", json!({"$ref": "#/$defs/Leaf"})),
        (
            "reference with words",
            json!({"$ref": "#/$defs/Leaf", "description": "The leaf."}),
        ),
        ("recursion", json!({"$ref": "#/$defs/Node"})),
        ("deep", deep),
    ]
}

fn whole(member: &Value, required: bool) -> Value {
    let text = member.to_string();
    let mut schema =
        json!({"type": "object", "properties": {"x": member}, "additionalProperties": false});
    if required {
        schema["required"] = json!(["x"]);
    }
    if text.contains("Leaf") {
        schema["$defs"] =
            json!({"Leaf": {"type": "object", "properties": {"a": {"type": "string"}}}});
    }
    if text.contains("Node") {
        schema["$defs"] = json!({"Node": {"type": "object", "properties": {
            "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}});
    }
    schema
}

/// What is wrong with a schema in strict mode.
struct Rules {
    known: &'static [&'static str],
    formats: &'static [&'static str],
    /// Every member is required.
    all_required: bool,
    deepest: usize,
    /// A type may stand within itself.
    recursion: bool,
    /// `minItems` other than 0 and 1.
    long_lists: bool,
}

const OPENAI: Rules = Rules {
    known: &[
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "description",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    all_required: true,
    deepest: 10,
    recursion: true,
    long_lists: true,
};
const ANTHROPIC: Rules = Rules {
    known: &[
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
        "description",
        "title",
        "default",
        "minItems",
        "format",
        "pattern",
    ],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    all_required: false,
    deepest: usize::MAX,
    recursion: false,
    long_lists: false,
};

impl Rules {
    fn check(&self, schema: &Value, depth: usize, path: &str) -> Result<(), String> {
        let Some(members) = schema.as_object() else {
            return Err(format!("{path}: no object"));
        };
        if depth > self.deepest {
            return Err(format!("{path}: too deep"));
        }
        if let Some(key) = members
            .keys()
            .find(|key| !self.known.contains(&key.as_str()))
        {
            return Err(format!("{path}: `{key}`"));
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            kind => kind.as_str().into_iter().collect(),
        };
        let says = ["type", "anyOf", "allOf", "$ref", "enum", "const"];
        if !says.iter().any(|key| members.contains_key(*key)) {
            return Err(format!("{path}: says no type"));
        }
        if members.contains_key("$ref") && members.len() > 1 && self.all_required {
            return Err(format!("{path}: something beside `$ref`"));
        }
        if kinds.contains(&"object") || members.contains_key("properties") {
            let Some(properties) = schema["properties"].as_object() else {
                return Err(format!("{path}: no `properties`"));
            };
            if schema["additionalProperties"] != false {
                return Err(format!("{path}: open"));
            }
            let required = schema["required"].as_array().map_or(0, Vec::len);
            if self.all_required && required != properties.len() {
                return Err(format!("{path}: not all are required"));
            }
            for (name, property) in properties {
                self.check(property, depth + 1, &format!("{path}.{name}"))?;
            }
        }
        if self.all_required && kinds.contains(&"array") && schema.get("items").is_none() {
            return Err(format!("{path}: no `items`"));
        }
        if let Some(items) = schema.get("items") {
            self.check(items, depth + 1, &format!("{path}[]"))?;
        }
        for option in ["anyOf", "allOf"]
            .iter()
            .filter_map(|key| schema[*key].as_array())
            .flatten()
        {
            self.check(option, depth, &format!("{path}|"))?;
        }
        for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
            self.check(definition, 1, name)?;
            if !self.recursion && definition.to_string().contains(&format!("#/$defs/{name}")) {
                return Err(format!("{name}: stands within itself"));
            }
        }
        if schema["format"]
            .as_str()
            .is_some_and(|format| !self.formats.contains(&format))
        {
            return Err(format!("{path}: format"));
        }
        if schema["pattern"]
            .as_str()
            .is_some_and(|pattern| pattern.contains("(?"))
        {
            return Err(format!("{path}: looks around"));
        }
        if !self.long_lists && schema["minItems"].as_u64().is_some_and(|least| least > 1) {
            return Err(format!("{path}: minItems"));
        }
        Ok(())
    }
}

fn strict_tool(schema: &Value) -> Definition {
    let definition = Definition::new("the_tool", "Does it.", schema.to_string()).unwrap();
    definition.with_strict(true)
}

#[test]
fn what_is_sent_as_strict_fits_and_what_does_not_fit_is_refused_by_name() {
    let protocols: Vec<(Box<dyn Protocol>, &Rules)> = vec![
        (Box::new(Responses::new("gpt-5.4")), &OPENAI),
        (Box::new(Chat::new("m")), &OPENAI),
        (Box::new(Chat::at(ChatVendor::OpenRouter, "m")), &OPENAI),
        (Box::new(Chat::at(ChatVendor::Mistral, "m")), &OPENAI),
        (Box::new(Anthropic::new("claude-opus-5")), &ANTHROPIC),
    ];
    for (protocol, rules) in protocols {
        let (mut sent, mut refused) = (Vec::new(), Vec::new());
        for (name, member) in members() {
            for required in [true, false] {
                let tools = [strict_tool(&whole(&member, required))];
                match protocol.encode(&Request::new(&[]).with_tools(&tools)) {
                    Ok(body) => {
                        let body: Value = serde_json::from_str(body.json()).unwrap();
                        let tool = match &body["tools"][0] {
                            tool if tool.get("function").is_some() => &tool["function"],
                            tool => tool,
                        };
                        assert_eq!(tool["strict"], true, "{} {name}", protocol.id());
                        let schema = tool.get("parameters").unwrap_or(&tool["input_schema"]);
                        let fits = rules.check(schema, 0, "$");
                        assert_eq!(fits, Ok(()), "{} {name}: {schema}", protocol.id());
                        sent.push(name);
                    }
                    Err(ProtocolError::Tool { tool, problem, .. }) => {
                        assert_eq!(tool, "the_tool");
                        assert!(problem.contains("take `strict` off"), "{problem}");
                        if !matches!(name, "recursion" | "reference") {
                            assert!(problem.contains("`$.x"), "{name}: {problem}");
                        }
                        refused.push(name);
                    }
                    Err(other) => panic!("{} {name}: {other}", protocol.id()),
                }
            }
        }
        sent.dedup();
        refused.dedup();
        println!("{}: sent {sent:?}, refused {refused:?}", protocol.id());
        for plain in [
            "text",
            "bounds",
            "enum",
            "union",
            "list",
            "object",
            "reference",
        ] {
            assert!(sent.contains(&plain), "{} refuses {plain}", protocol.id());
        }
        for hopeless in ["map", "open object", "not", "tuple", "anything"] {
            assert!(
                refused.contains(&hopeless),
                "{} sends {hopeless}",
                protocol.id()
            );
        }
    }
}

#[test]
fn a_provider_without_strict_gets_the_tool_without_it() {
    let map = whole(
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
        true,
    );
    let protocols: [Box<dyn Protocol>; 5] = [
        Box::new(Gemini::new("m")),
        Box::new(Ollama::new("m")),
        Box::new(Chat::at(ChatVendor::Groq, "m")),
        Box::new(Chat::at(ChatVendor::DeepSeek, "m")),
        Box::new(Chat::at(ChatVendor::Vllm, "m")),
    ];
    for protocol in protocols {
        let tools = [strict_tool(&map)];
        let body = protocol
            .encode(&Request::new(&[]).with_tools(&tools))
            .unwrap();
        assert!(!body.json().contains("strict"), "{}", body.json());
    }
}

#[tokio::test]
async fn a_tool_that_a_program_brings_while_it_runs_is_refused_too() {
    let map = whole(
        &json!({"type": "object", "additionalProperties": {"type": "string"}}),
        true,
    );
    let tool = RuntimeTool::new("the_tool", "Does it.", map, |_| async { Ok("".into()) }).strict();
    let agent = Agent::builder(Script::new(Responses::new("gpt-5.4")))
        .repertoire(Toolset::new().with_tool(tool))
        .build();
    // Before the first request, or with it: what matters is that somebody says it.
    let error = match agent {
        Err(error) => error.to_string(),
        Ok(agent) => agent.run("go").await.unwrap_err().to_string(),
    };
    assert!(
        error.contains("the_tool") && error.contains("strict"),
        "{error}"
    );
}
