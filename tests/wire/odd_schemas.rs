//! Odd schemas, options and names: what a provider would refuse is cleaned or refused by name.

use repertoire::{
    Anthropic, Chat, Conversation, Gemini, Ollama, Responses,
    protocol::{Definition, Protocol, Request, RequestOptions, ToolChoice},
};
use serde_json::{Value, json};

fn all() -> [Box<dyn Protocol>; 5] {
    [
        Box::new(Responses::new("m")),
        Box::new(Chat::new("m")),
        Box::new(Anthropic::new("m")),
        Box::new(Gemini::new("m")),
        Box::new(Ollama::new("m")),
    ]
}

fn definition(schema: &Value) -> Definition {
    Definition::new("the_tool", "x", schema.to_string()).unwrap()
}

/// The body for one tool, or what is wrong.
fn sent(protocol: &dyn Protocol, tool: Definition) -> Result<Value, String> {
    let tools = [tool];
    let body = protocol.encode(&Request::new(&[]).with_tools(&tools));
    let body = body.map_err(|error| error.to_string())?;
    Ok(serde_json::from_str(body.json()).unwrap())
}

fn with_member(member: Value) -> Value {
    json!({"type": "object", "properties": {"x": member}, "$defs": {"A": {"type": "string"}, "A B": {"type": "string"}}})
}

#[test]
fn a_misshapen_schema_is_refused_by_the_tools_name() {
    for schema in [
        json!({"type": "object", "properties": null}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": "a"}),
        json!({"type": "object", "properties": {"a": "string"}}),
        with_member(json!({"type": "array", "items": 7})),
        with_member(json!({"anyOf": []})),
        with_member(json!({"anyOf": {"type": "string"}})),
        with_member(json!({"enum": "a"})),
        with_member(json!({"$ref": 7})),
    ] {
        for protocol in all() {
            let problem = sent(&*protocol, definition(&schema)).unwrap_err();
            assert!(
                problem.contains("`the_tool`"),
                "{} {problem}",
                protocol.id()
            );
        }
    }
    // A property may have any name.
    let names = json!({"required": {"type": "string"}, "anyOf": {"type": "string"}, "enum": {"type": "string"}});
    for protocol in all() {
        assert!(
            sent(
                &*protocol,
                definition(&json!({"type": "object", "properties": names}))
            )
            .is_ok()
        );
    }
}

#[test]
fn a_tool_without_arguments_says_so_everywhere() {
    for protocol in all() {
        let body = sent(&*protocol, definition(&json!({"type": "object"}))).unwrap();
        assert!(body.to_string().contains("\"properties\":{}"), "{body}");
    }
}

#[test]
fn lists_of_a_fixed_form_are_cleaned_for_gemini_and_ollama() {
    let dirty = json!({"$schema": "s", "$comment": "c", "type": "integer", "exclusiveMinimum": 3});
    for member in [
        json!({"type": "array", "prefixItems": [dirty, {"const": "k"}], "items": false}),
        json!({"type": "array", "items": [dirty, {"const": "k"}]}),
        json!({"type": "array", "items": true}),
        json!({"type": "array", "prefixItems": [dirty], "items": dirty}),
    ] {
        for protocol in [&Gemini::new("m") as &dyn Protocol, &Ollama::new("m")] {
            let body = sent(protocol, definition(&with_member(member.clone()))).unwrap();
            let text = body.to_string();
            for word in [
                "$schema",
                "$comment",
                "\"exclusiveMinimum\"",
                "\"const\"",
                "\"items\":[",
                "\"items\":true",
                "\"items\":false",
            ] {
                assert!(!text.contains(word), "{word}: {text}");
            }
            assert!(
                !member.to_string().contains("exclusiveMinimum") || text.contains("more than 3"),
                "{text}"
            );
        }
    }
    let schema =
        with_member(json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}));
    let text = sent(&Gemini::new("m"), definition(&schema))
        .unwrap()
        .to_string();
    assert!(
        text.contains("\"prefixItems\":[{\"type\":\"string\"}]") && text.contains("\"maxItems\":1"),
        "{text}"
    );
    let none = with_member(json!({"type": "array", "items": false}));
    assert!(
        sent(&Ollama::new("m"), definition(&none))
            .unwrap_err()
            .contains("`the_tool`")
    );
}

#[test]
fn a_reference_leads_to_a_definition_or_is_refused() {
    for reference in ["#A", "#foo", "#/$defs/None", "https://x/y.json", "x"] {
        let schema = with_member(json!({"$ref": reference}));
        for protocol in [&Gemini::new("m") as &dyn Protocol, &Ollama::new("m")] {
            let problem = sent(protocol, definition(&schema)).unwrap_err();
            assert!(problem.contains(&format!("`{reference}`")), "{problem}");
        }
        for protocol in [&Responses::new("m") as &dyn Protocol, &Anthropic::new("m")] {
            let tool = definition(&schema).with_strict(true);
            let problem = sent(protocol, tool).unwrap_err();
            assert!(problem.contains("`the_tool`"), "{problem}");
        }
    }
    let schema = with_member(json!({"$ref": "#/$defs/A%20B"}));
    let body = sent(&Gemini::new("m"), definition(&schema)).unwrap();
    assert!(!body.to_string().contains("$ref"));
    // What Anthropic's grammar takes for a circle, or does not know.
    for schema in [
        json!({"type": "object", "properties": {"x": {"$ref": "#/properties/x"}}, "required": ["x"]}),
        json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["zzz"]}),
    ] {
        let tool = definition(&schema).with_strict(true);
        assert!(
            sent(&Anthropic::new("m"), tool)
                .unwrap_err()
                .contains("`the_tool`")
        );
    }
}

#[test]
fn a_wish_that_cannot_be_met_is_refused() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let schema = json!({"type": "object", "properties": {}});
    let tool = |name: &str| Definition::new(name, "x", schema.to_string()).unwrap();
    let (shown, search, deferred) = ([tool("shown")], tool("tool_search"), [tool("later")]);
    let twice = [tool("shown"), tool("shown")];
    for protocol in all() {
        let encode =
            |request: Request<'_>| protocol.encode(&request).map_err(|error| error.to_string());
        let mut options = RequestOptions::default();
        for name in ["nope", "later"] {
            options.tool_choice = ToolChoice::Tool(name.to_owned());
            let request = Request::new(conversation.items())
                .with_tools(&shown)
                .with_deferred(&search, &deferred)
                .with_options(&options);
            let problem = encode(request).unwrap_err();
            assert!(problem.contains(&format!("`{name}`")), "{problem}");
        }
        options.tool_choice = ToolChoice::Required;
        let request = Request::new(conversation.items()).with_options(&options);
        assert!(encode(request).unwrap_err().contains("`tool_choice`"));
        let request = Request::new(conversation.items()).with_tools(&twice);
        assert!(encode(request).unwrap_err().contains("`shown`"));
    }
}

#[test]
fn the_name_of_a_model_changes_no_address() {
    for name in ["gemini/../x?y=1#z", "gemini 3", "", "..", "a/b", "models/"] {
        let problem = Gemini::new(name).encode(&Request::new(&[])).unwrap_err();
        assert!(problem.to_string().contains("name of a model"), "{problem}");
    }
    for name in ["gemini-3-flash-preview", "models/gemini-2.5-pro", "a@b:c_d"] {
        assert!(Gemini::new(name).encode(&Request::new(&[])).is_ok());
    }
}
