//! Mistakes that others made, each with what it led to. The number is that of a list of known
//! faults in adapters of several languages.

use std::sync::{Arc, atomic::AtomicUsize};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Stop,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, ToolResult, Usage},
    protocol::{
        CacheTime, ChatVendor, Definition, Protocol, ProtocolError, Request, RequestOptions, Reveal,
    },
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::{Value, json};

use crate::exchange::stream;

fn schema() -> Value {
    json!({"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"], "additionalProperties": false})
}

fn tool(name: &str) -> Definition {
    Definition::new(name, "Does it.", schema().to_string()).unwrap()
}

fn search() -> Definition {
    let schema = json!({"type": "object", "properties": {"queries": {"type": "array", "items": {"type": "string"}}}, "required": ["queries"]});
    Definition::new("tool_search", "Finds tools.", schema.to_string()).unwrap()
}

fn user(text: &str) -> Item {
    Item::User(text.into())
}

/// A turn of a model that no provider of ours wrote.
fn foreign(parts: Vec<ModelPart>) -> Item {
    Item::Model(ModelTurn::new(
        parts,
        StopReason::ToolCalls,
        Usage::default(),
    ))
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall::new(id, name, r#"{"x":"1"}"#)
}

/// A turn that a protocol decoded.
fn own(protocol: &dyn Protocol, body: &Value) -> Item {
    Item::Model(protocol.decode(body.to_string().as_bytes()).unwrap())
}

fn ok(call: &ToolCall) -> ToolResult {
    ToolResult::ok(call, "fine")
}

fn encode(protocol: &dyn Protocol, request: &Request<'_>) -> Value {
    serde_json::from_str(protocol.encode(request).unwrap().json()).unwrap()
}

fn all() -> Vec<Box<dyn Protocol>> {
    vec![
        Box::new(Responses::new("m")),
        Box::new(Chat::new("m")),
        Box::new(Anthropic::new("m")),
        Box::new(Gemini::new("m")),
        Box::new(Ollama::new("m")),
    ]
}

/// A history in which `found` was loaded by a search and called, then a question.
fn searched() -> Vec<Item> {
    let asked = ToolCall::new("s1", "tool_search", r#"{"queries":["f"]}"#).as_search();
    let called = call("c1", "found");
    vec![
        user("a"),
        foreign(vec![ModelPart::Call(asked.clone())]),
        Item::Results(vec![
            ToolResult::ok(&asked, repertoire::ToolOutput::default())
                .loading(vec!["found".to_owned()]),
        ]),
        foreign(vec![ModelPart::Call(called.clone())]),
        Item::Results(vec![ok(&called)]),
        user("b"),
    ]
}

fn item<'a>(body: &'a Value, kind: &str) -> &'a Value {
    let items = body["input"].as_array().unwrap();
    items
        .iter()
        .find(|item| item["type"] == kind)
        .unwrap_or_else(|| panic!("no {kind} in {body}"))
}

#[test]
fn trap_01_a_namespace_survives_three_turns() {
    let responses = Responses::new("gpt-5.4");
    let first = json!({"output": [{"type": "function_call", "id": "fc", "call_id": "c1", "name": "found", "namespace": "found", "arguments": "{}"}]});
    let second = json!({"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}]});
    let mut items = vec![
        user("a"),
        own(&responses, &first),
        Item::Results(vec![ok(&call("c1", "found"))]),
    ];
    let (search, deferred) = (search(), [tool("found")]);
    for _ in 0..3 {
        let body = encode(
            &responses,
            &Request::new(&items).with_deferred(&search, &deferred),
        );
        assert_eq!(item(&body, "function_call")["namespace"], "found");
        items.extend([own(&responses, &second), user("more")]);
    }
}

#[test]
fn trap_01b_a_call_from_elsewhere_gets_the_namespace_it_needs() {
    let (search, deferred) = (search(), [tool("found")]);
    // From another provider.
    let items = searched();
    let body = encode(
        &Responses::new("gpt-5.4"),
        &Request::new(&items).with_deferred(&search, &deferred),
    );
    assert_eq!(item(&body, "function_call")["namespace"], "found");
    // From a time when the tool was always shown.
    let responses = Responses::new("gpt-5.4");
    let turn = json!({"output": [{"type": "function_call", "id": "fc", "call_id": "c1", "name": "found", "arguments": "{}"}]});
    let items = [
        user("a"),
        own(&responses, &turn),
        Item::Results(vec![ok(&call("c1", "found"))]),
        user("b"),
    ];
    let body = encode(
        &responses,
        &Request::new(&items).with_deferred(&search, &deferred),
    );
    assert_eq!(item(&body, "function_call")["namespace"], "found");
    // A tool that is always shown has none.
    let tools = [tool("found")];
    let body = encode(&responses, &Request::new(&items).with_tools(&tools));
    assert!(item(&body, "function_call").get("namespace").is_none());
}

#[test]
fn trap_02_and_06_nothing_of_deferral_goes_to_hosts_without_it() {
    let (search, deferred, items) = (search(), [tool("found"), tool("other")], searched());
    let request = Request::new(&items).with_deferred(&search, &deferred);
    let plain: [Box<dyn Protocol>; 5] = [
        Box::new(Responses::new("gpt-4o")),
        Box::new(Responses::new("m").without_tool_search()),
        Box::new(Anthropic::new("kimi-k2").without_references()),
        Box::new(Anthropic::new("claude-3-haiku")),
        Box::new(Chat::at(ChatVendor::OpenRouter, "m")),
    ];
    for protocol in plain {
        let json = encode(protocol.as_ref(), &request).to_string();
        for word in [
            "defer_loading",
            "tool_reference",
            "tool_search_call",
            "tool_search_output",
            "\"type\":\"tool_search\"",
            "namespace",
            "bm25",
        ] {
            assert!(!json.contains(word), "{} {word}: {json}", protocol.id());
        }
        // The found tool is defined all the same, the other is not.
        assert!(
            json.contains("\"name\":\"found\"") && !json.contains("\"name\":\"other\""),
            "{json}"
        );
    }
}

#[test]
fn trap_03_loaded_tools_are_all_flat_or_all_namespaced() {
    let (search, items) = (search(), searched());
    for (deferred, kind) in [
        (vec![tool("found"), tool("other")], "function"),
        (
            vec![
                tool("found"),
                tool("other").with_group(Some("g".to_owned())),
            ],
            "namespace",
        ),
    ] {
        let body = encode(
            &Responses::new("m"),
            &Request::new(&items).with_deferred(&search, &deferred),
        );
        let tools = item(&body, "tool_search_output")["tools"]
            .as_array()
            .unwrap()
            .clone();
        assert!(
            !tools.is_empty() && tools.iter().all(|tool| tool["type"] == kind),
            "{tools:?}"
        );
    }
}

async fn calls_before_search<P: Scriptable>(protocol: P) {
    let id = protocol.id();
    let count = Arc::new(AtomicUsize::new(0));
    let model = Script::new(protocol)
        .rule(
            Rule::new("rash", |_| {
                Act::call("warehouse_stock", json!({"sku": "A"}))
            })
            .when(|seen| {
                if seen.calls().is_empty() {
                    Ok(())
                } else {
                    Err("done".to_owned())
                }
            }),
        )
        .rule(Rule::say("sorry"));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!((reply.stop(), reply.text()), (Stop::Done, "sorry"), "{id}");
    assert_eq!(count.load(std::sync::atomic::Ordering::SeqCst), 0, "{id}");
}

#[tokio::test]
async fn trap_04_a_call_before_the_search_is_answered_and_the_run_goes_on() {
    calls_before_search(Responses::new("m")).await;
    calls_before_search(Chat::new("m")).await;
    calls_before_search(Anthropic::new("m")).await;
    calls_before_search(Gemini::new("m")).await;
    calls_before_search(Ollama::new("m")).await;
}

#[test]
fn trap_05_flattened_names_and_missing_namespaces_are_understood() {
    let turn = json!({"output": [
        {"type": "function_call", "call_id": "c1", "name": "crm.get", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "get", "arguments": "{}"},
    ]});
    let turn = Responses::new("m")
        .decode(turn.to_string().as_bytes())
        .unwrap();
    let names: Vec<_> = turn
        .calls()
        .map(|call| (call.namespace(), call.name()))
        .collect();
    assert_eq!(names, [(Some("crm"), "get"), (None, "get")]);
}

#[test]
fn trap_07_a_cache_mark_is_never_on_a_deferred_tool() {
    let (search, shown, deferred) = (search(), [tool("shown")], [tool("found"), tool("zebra")]);
    let items = searched();
    let request = Request::new(&items)
        .with_system("s")
        .with_tools(&shown)
        .with_deferred(&search, &deferred);
    let body = encode(
        &Anthropic::new("m").prompt_cache(CacheTime::OneHour),
        &request,
    );
    let marked: Vec<&Value> = body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool.get("cache_control").is_some())
        .collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["name"], "tool_search");
    assert_eq!(
        marked[0]["cache_control"],
        json!({"type": "ephemeral", "ttl": "1h"})
    );
    assert!(marked[0].get("defer_loading").is_none());
    assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
}

#[test]
fn trap_08_calls_of_the_provider_itself_stay_in_their_turn() {
    let anthropic = Anthropic::new("m");
    let blocks = json!([
        {"type": "text", "text": "a"},
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
        {"type": "tool_use", "id": "t1", "name": "shown", "input": {"x": "1"}},
    ]);
    let turn = json!({"content": blocks, "stop_reason": "tool_use"});
    let items = [
        user("a"),
        own(&anthropic, &turn),
        Item::Results(vec![ok(&call("t1", "shown"))]),
    ];
    let body = encode(&anthropic, &Request::new(&items));
    assert_eq!(body["messages"][1]["content"], blocks);
    let results = body["messages"][2]["content"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["tool_use_id"], "t1");
}

#[test]
fn trap_09_thinking_stays_byte_for_byte_through_search_rounds() {
    let anthropic = Anthropic::new("m");
    let thoughts = [
        r#"{"type":"thinking","thinking":"","signature":"a=="}"#,
        r#"{"type":"thinking","thinking":"two  ü","signature":"b=="}"#,
        r#"{"type":"redacted_thinking","data":"c=="}"#,
    ];
    let turn = format!(
        r#"{{"content":[{},{{"type":"tool_use","id":"s1","name":"tool_search","input":{{"queries":["f"]}}}}],"stop_reason":"tool_use"}}"#,
        thoughts.join(",")
    );
    let turn = Item::Model(anthropic.decode(turn.as_bytes()).unwrap());
    let asked = ToolCall::new("s1", "tool_search", "{}").as_search();
    let result =
        ToolResult::ok(&asked, repertoire::ToolOutput::default()).loading(vec!["found".to_owned()]);
    let (search, deferred) = (search(), [tool("found")]);
    let items = [user("a"), turn, Item::Results(vec![result])];
    let body = anthropic
        .encode(&Request::new(&items).with_deferred(&search, &deferred))
        .unwrap();
    assert!(body.json().contains(&thoughts.join(",")), "{}", body.json());
}

#[test]
fn trap_10_all_results_stand_first_in_one_message() {
    let calls = [call("a", "shown"), call("b", "shown")];
    let items = [
        user("go"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
        user("and more"),
    ];
    let body = encode(&Anthropic::new("m"), &Request::new(&items));
    let last = body["messages"].as_array().unwrap().last().unwrap();
    let kinds: Vec<&str> = last["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text"]);
}

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
fn trap_15_and_16_parallel_calls_are_one_content_and_only_the_first_is_signed() {
    let calls = [call("a", "one"), call("b", "two")];
    let items = [
        user("go"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    let body = encode(&Gemini::new("m"), &Request::new(&items));
    let contents = body["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 3);
    let parts = contents[1]["parts"].as_array().unwrap();
    assert_eq!(
        parts[0]["thoughtSignature"],
        "skip_thought_signature_validator"
    );
    assert!(parts[1].get("thoughtSignature").is_none());
    assert_eq!(contents[2]["parts"].as_array().unwrap().len(), 2);
    // What the provider signed itself goes back as it was.
    let gemini = Gemini::new("m");
    let parts = json!([
        {"functionCall": {"id": "a", "name": "one", "args": {}}, "thoughtSignature": "sig"},
        {"functionCall": {"id": "b", "name": "two"}},
        {"text": "", "thoughtSignature": "end"},
    ]);
    let turn = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]});
    let items = [
        user("go"),
        own(&gemini, &turn),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    let body = encode(&gemini, &Request::new(&items));
    assert_eq!(body["contents"][1]["parts"], parts);
    assert_eq!(
        body["contents"][2]["parts"][1]["functionResponse"]["id"],
        "b"
    );
}

#[test]
fn trap_17_a_schema_in_a_result_is_text_and_no_json() {
    let asked = ToolCall::new("s1", "tool_search", "{}").as_search();
    let result =
        ToolResult::ok(&asked, r##"{"$ref":"#/$defs/X"}"##).loading(vec!["found".to_owned()]);
    let items = [
        user("a"),
        foreign(vec![ModelPart::Call(asked)]),
        Item::Results(vec![result]),
    ];
    let (search, deferred) = (search(), [tool("found")]);
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        let request = Request::new(&items)
            .with_deferred(&search, &deferred)
            .with_reveal(reveal);
        let body = encode(&Gemini::new("m"), &request);
        let response = &body["contents"][2]["parts"][0]["functionResponse"]["response"];
        let members = response.as_object().unwrap();
        assert!(members.values().all(Value::is_string), "{response}");
        assert!(response["output"].as_str().unwrap().contains("$ref"));
    }
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

fn deltas(calls: &[Value]) -> Vec<ToolCall> {
    let mut text = String::new();
    for call in calls {
        text.push_str(&format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"tool_calls": [call]}}]})
        ));
    }
    text.push_str("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");
    let turn = stream(&Chat::new("m"), text.as_bytes(), usize::MAX)
        .1
        .unwrap();
    turn.calls().cloned().collect()
}

#[test]
fn trap_19_calls_that_all_have_index_0_stay_apart() {
    let calls = deltas(&[
        json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
        json!({"index": 0, "id": "b", "function": {"name": "g", "arguments": "{\"x\":2}"}}),
    ]);
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1].arguments(), "{\"x\":2}");
}

#[test]
fn trap_20_a_call_without_identifier_or_index_is_not_lost() {
    for first in [
        json!({"index": 0, "function": {"name": "f", "arguments": ""}}),
        json!({"function": {"name": "f", "arguments": ""}}),
    ] {
        let calls = deltas(&[first, json!({"function": {"arguments": "{}"}})]);
        assert_eq!(calls.len(), 1);
        assert!(!calls[0].id().is_empty());
        assert_eq!((calls[0].name(), calls[0].arguments()), ("f", "{}"));
    }
}

#[test]
fn trap_21_empty_identifiers_and_names_later_on_change_nothing_and_index_1_is_the_first() {
    let calls = deltas(&[
        json!({"index": 1, "id": "a", "function": {"name": "f", "arguments": "{"}}),
        json!({"index": 1, "id": "", "function": {"name": "", "arguments": "}"}}),
    ]);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        (calls[0].id(), calls[0].name(), calls[0].arguments()),
        ("a", "f", "{}")
    );
}

#[test]
fn trap_22_the_same_call_twice_is_two_calls() {
    let call = |id: &str| json!({"id": id, "function": {"name": "roll", "arguments": {}}});
    let body = json!({"message": {"role": "assistant", "content": "", "tool_calls": [call(""), call(""), call("a"), call("b")]}, "done": true});
    let plain = Ollama::new("m")
        .decode(body.to_string().as_bytes())
        .unwrap();
    let (_, streamed) = stream(
        &Ollama::new("m"),
        format!("{body}\n").as_bytes(),
        usize::MAX,
    );
    for turn in [plain, streamed.unwrap()] {
        let mut ids: Vec<String> = turn.calls().map(|call| call.id().to_owned()).collect();
        assert_eq!(ids.len(), 4);
        ids.dedup();
        assert_eq!(ids.len(), 4);
    }
}

#[test]
fn trap_23_deepseek_gets_its_reasoning_back_on_every_turn_with_tools() {
    let deepseek = Chat::at(ChatVendor::DeepSeek, "m");
    let turn = json!({"choices": [{"finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": "", "reasoning_content": "Hm.",
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}],
    }}]});
    let other = call("c2", "t");
    let items = [
        user("a"),
        own(&deepseek, &turn),
        Item::Results(vec![ok(&call("c1", "t"))]),
        foreign(vec![
            ModelPart::Reasoning("Elsewhere.".to_owned()),
            ModelPart::Call(other.clone()),
        ]),
        Item::Results(vec![ok(&other)]),
        foreign(vec![ModelPart::Text("x".to_owned())]),
        user("b"),
    ];
    let tools = [tool("t")];
    let body = encode(&deepseek, &Request::new(&items).with_tools(&tools));
    let reasoning: Vec<&Value> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "assistant")
        .map(|message| &message["reasoning_content"])
        .collect();
    assert_eq!(reasoning, [&json!("Hm."), &json!("Elsewhere."), &json!("")]);
    // OpenAI would refuse the key.
    let body = encode(&Chat::new("m"), &Request::new(&items).with_tools(&tools));
    assert!(!body.to_string().contains("reasoning_content"));
    // A forced call and thinking exclude each other there.
    let mut options = RequestOptions::default();
    options.tool_choice = repertoire::protocol::ToolChoice::Required;
    let body = encode(
        &deepseek,
        &Request::new(&items)
            .with_tools(&tools)
            .with_options(&options),
    );
    assert_eq!(body["thinking"], json!({"type": "disabled"}));
}

#[test]
fn trap_24_outputs_follow_their_calls_and_a_malformed_call_keeps_its_own() {
    let responses = Responses::new("deepseek-chat").interleaved();
    let turn = json!({"output": [
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "t", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "t", "arguments": "{not json"},
    ]});
    let results = vec![
        ok(&call("c1", "t")),
        ToolResult::failed(&call("c2", "t"), "not JSON"),
    ];
    let items = [user("a"), own(&responses, &turn), Item::Results(results)];
    let body = encode(&responses, &Request::new(&items));
    let order: Vec<String> = body["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            format!(
                "{}{}",
                item["type"].as_str().unwrap_or("user"),
                item["call_id"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            "user",
            "reasoning",
            "function_callc1",
            "function_call_outputc1",
            "function_callc2",
            "function_call_outputc2"
        ]
    );
    // The same from another provider.
    let calls = [call("c1", "t"), ToolCall::new("c2", "t", "{not json")];
    let items = [
        user("a"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    for protocol in all() {
        let body = encode(protocol.as_ref(), &Request::new(&items)).to_string();
        assert_eq!(body.matches("fine").count(), 2, "{}", protocol.id());
    }
}

#[test]
fn trap_25_reasoning_goes_back_whole_to_its_provider_and_nowhere_else() {
    let responses = Responses::new("gpt-5.4");
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e=="}"#;
    let body = format!(
        r#"{{"output":[{reasoning},{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"x"}}]}}]}}"#
    );
    let items = [
        user("a"),
        Item::Model(responses.decode(body.as_bytes()).unwrap()),
        user("b"),
    ];
    let json = responses
        .encode(&Request::new(&items))
        .unwrap()
        .json()
        .to_owned();
    assert_eq!(json.matches(reasoning).count(), 1);
    assert!(json.contains(r#""store":false"#) && json.contains("reasoning.encrypted_content"));
    for protocol in all().into_iter().skip(1) {
        let json = protocol
            .encode(&Request::new(&items))
            .unwrap()
            .json()
            .to_owned();
        assert!(!json.contains("rs_1") && !json.contains("e=="), "{json}");
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

#[test]
fn trap_27_search_arguments_are_an_object_and_references_have_their_own_key() {
    let (search, deferred, items) = (search(), [tool("found")], searched());
    let request = Request::new(&items).with_deferred(&search, &deferred);
    let body = encode(&Responses::new("gpt-5.4"), &request);
    assert_eq!(
        item(&body, "tool_search_call")["arguments"],
        json!({"queries": ["f"]})
    );
    assert_eq!(item(&body, "function_call")["arguments"], r#"{"x":"1"}"#);
    let body = encode(&Anthropic::new("m"), &request);
    assert_eq!(
        body["messages"][2]["content"][0]["content"],
        json!([{"type": "tool_reference", "tool_name": "found"}])
    );
}
