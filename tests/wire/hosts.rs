//! What single models and hosts refuse, and what they send that is out of all proportion.

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, ToolResult, Usage},
    protocol::{ChatVendor, Definition, Effort, Protocol, ProtocolError, Request, RequestOptions},
};
use serde_json::{Value, json};

use crate::exchange::stream;

fn said() -> [Item; 1] {
    [Item::User("go".into())]
}

fn body(protocol: &dyn Protocol, request: &Request<'_>) -> Value {
    serde_json::from_str(protocol.encode(request).unwrap().json()).unwrap()
}

fn with(change: impl FnOnce(&mut RequestOptions)) -> RequestOptions {
    let mut options = RequestOptions::default();
    change(&mut options);
    options
}

/// A call of Chat with these arguments, as it goes back.
fn goes_back(arguments: &Value) -> Value {
    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "f", "arguments": arguments}});
    let none = json!({"id": "c2", "type": "function"});
    let answer = json!({"choices": [{"finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": null, "tool_calls": [call, none]}}]});
    let chat = Chat::new("m");
    let turn = chat.decode(answer.to_string().as_bytes()).unwrap();
    let calls: Vec<ToolCall> = turn.calls().cloned().collect();
    assert_eq!(calls.len(), 1, "an entry that says nothing is no call");
    let result = ToolResult::failed(&calls[0], "no");
    let items = [Item::Model(turn), Item::Results(vec![result])];
    let body = body(&chat, &Request::new(&items));
    let calls = &body["messages"][0]["tool_calls"];
    assert_eq!(calls.as_array().unwrap().len(), 1, "{calls}");
    calls[0]["function"]["arguments"].clone()
}

#[test]
fn arguments_that_hold_no_object_do_not_go_back_to_a_host_that_reads_them() {
    for good in [r#"{"a":1}"#, " {\n} ", "null"] {
        assert_eq!(goes_back(&json!(good)), json!(good), "as it came");
    }
    assert_eq!(goes_back(&json!({"a": 1})), json!({"a": 1}), "as it came");
    for bad in [
        json!("{\"a\": "),
        json!("{'a': 1}"),
        json!("[1]"),
        json!(""),
        json!(7),
        json!(null),
    ] {
        assert_eq!(goes_back(&bad), json!("{}"), "{bad}");
    }
    // The same from another provider.
    for (arguments, sent) in [
        (r#"{"a":1}"#, r#"{"a":1}"#),
        (r#"{"a":"#, "{}"),
        ("[1]", "{}"),
    ] {
        let call = ToolCall::new("c1", "f", arguments);
        let turn = ModelTurn::new(
            vec![ModelPart::Call(call)],
            StopReason::ToolCalls,
            Usage::default(),
        );
        let items = [Item::Model(turn)];
        let body = body(&Chat::new("m"), &Request::new(&items));
        assert_eq!(
            body["messages"][0]["tool_calls"][0]["function"]["arguments"],
            sent
        );
    }
}

#[test]
fn a_model_that_does_not_reason_is_not_asked_for_its_reasoning() {
    let items = said();
    let request = Request::new(&items);
    for (model, asked) in [
        ("gpt-5.4", true),
        ("gpt-5", true),
        ("o3", true),
        ("gpt-4o", false),
        ("gpt-4.1-mini", false),
        ("gpt-5-chat-latest", false),
        ("chatgpt-4o-latest", false),
    ] {
        let include = body(&Responses::new(model), &request)["include"].clone();
        assert_eq!(include.is_array(), asked, "{model}: {include}");
    }
    let other = Responses::new("some-model").without_encrypted_reasoning();
    assert!(body(&other, &request)["include"].is_null());
}

#[test]
fn gemini_thinks_as_each_generation_can() {
    let items = said();
    for (model, effort, expected) in [
        ("gemini-1.5-pro", Effort::High, json!(null)),
        ("gemini-2.0-flash", Effort::None, json!(null)),
        (
            "gemini-2.5-flash",
            Effort::None,
            json!({"thinkingBudget": 0}),
        ),
        (
            "gemini-2.5-pro",
            Effort::None,
            json!({"thinkingBudget": 128}),
        ),
        (
            "gemini-2.5-pro",
            Effort::Medium,
            json!({"thinkingBudget": 8192}),
        ),
        (
            "gemini-3-pro-preview",
            Effort::None,
            json!({"thinkingLevel": "low"}),
        ),
        (
            "gemini-3-pro-preview",
            Effort::Medium,
            json!({"thinkingLevel": "high"}),
        ),
        (
            "gemini-3-flash",
            Effort::None,
            json!({"thinkingLevel": "minimal"}),
        ),
        (
            "gemini-3-flash",
            Effort::Medium,
            json!({"thinkingLevel": "medium"}),
        ),
    ] {
        let options = with(|options| options.reasoning = Some(effort));
        let request = Request::new(&items).with_options(&options);
        let mut sent =
            body(&Gemini::new(model), &request)["generationConfig"]["thinkingConfig"].take();
        if let Some(sent) = sent.as_object_mut() {
            let shown = sent.remove("includeThoughts");
            assert_eq!(
                shown == Some(json!(true)),
                effort != Effort::None,
                "{model}"
            );
        }
        assert_eq!(sent, expected, "{model} {effort:?}");
    }
}

#[test]
fn anthropic_takes_temperatures_up_to_1_and_none_beside_thinking() {
    let items = said();
    let problem = |heat: f32, effort: Option<Effort>| {
        let options = with(|options| {
            options.temperature = Some(heat);
            options.reasoning = effort;
        });
        let request = Request::new(&items).with_options(&options);
        let sent = Anthropic::new("claude-sonnet-4-5").encode(&request);
        sent.err().map(|error| error.to_string())
    };
    assert_eq!(problem(1.0, None), None);
    assert_eq!(problem(1.0, Some(Effort::Low)), None);
    assert_eq!(problem(0.2, Some(Effort::None)), None);
    assert!(problem(1.5, None).unwrap().contains("may be 0 to 1"));
    assert!(
        problem(0.2, Some(Effort::Low))
            .unwrap()
            .contains("a model that thinks")
    );
}

#[test]
fn two_deferred_tools_of_one_name_are_refused() {
    let tool =
        |name: &str| Definition::new(name, "x", r#"{"type":"object","properties":{}}"#).unwrap();
    let (search, items) = (tool("tool_search"), said());
    let shown = [tool("shown")];
    for (deferred, good) in [
        (vec![tool("a"), tool("b")], true),
        (vec![tool("a"), tool("a")], false),
        (vec![tool("shown")], false),
    ] {
        let request = Request::new(&items)
            .with_tools(&shown)
            .with_deferred(&search, &deferred);
        let sent = Anthropic::new("claude-sonnet-4-5").encode(&request);
        assert_eq!(sent.is_ok(), good, "{sent:?}");
    }
}

#[test]
fn a_place_that_no_item_has_is_an_error_and_no_overflow() {
    let item = |id: &str| {
        json!({"type": "response.output_item.done", "output_index": u64::MAX,
            "item": {"type": "function_call", "id": id, "call_id": id, "name": "f", "arguments": "{}"}})
    };
    let text = format!("data: {}\n\ndata: {}\n\n", item("1"), item("2"));
    let (_, turn) = stream(&Responses::new("m"), text.as_bytes(), usize::MAX);
    let error = turn.unwrap_err();
    assert!(matches!(error, ProtocolError::Stream { .. }), "{error}");
}

#[test]
fn references_that_are_written_out_have_a_limit_of_depth_and_size() {
    let sent = |schema: &Value| {
        let tools = [Definition::new("the_tool", "x", schema.to_string()).unwrap()];
        let items = said();
        let request = Request::new(&items).with_tools(&tools);
        Gemini::new("m")
            .encode(&request)
            .map(drop)
            .map_err(|error| error.to_string())
    };
    let chain = |length: usize| {
        let name = |number: usize| format!("A{number}");
        let link = |number: usize| {
            let next = json!({"$ref": format!("#/$defs/A{}", number + 1)});
            (
                name(number),
                json!({"type": "object", "properties": {"x": next}}),
            )
        };
        let mut defs: serde_json::Map<String, Value> = (0..length).map(link).collect();
        defs.insert(name(length), json!({"type": "string"}));
        json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/A0"}}, "$defs": defs})
    };
    sent(&chain(20)).unwrap();
    assert!(sent(&chain(5_000)).unwrap_err().contains("levels deep"));

    let words: Vec<String> = (0..2_000).map(|number| format!("word {number}")).collect();
    let members: serde_json::Map<String, Value> = (0..200)
        .map(|number| (format!("m{number}"), json!({"$ref": "#/$defs/W"})))
        .collect();
    let wide = json!({"type": "object", "properties": members,
        "$defs": {"W": {"type": "string", "enum": words}}});
    assert!(sent(&wide).unwrap_err().contains("20000 parts"));
}

#[test]
fn thoughts_in_the_content_are_kept_from_a_stream_too() {
    let mistral = Chat::at(ChatVendor::Mistral, "magistral");
    let thinking = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]);
    let chunk = |delta: Value, finish: Value| {
        let chunk =
            json!({"id": "x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        format!("data: {chunk}\n\n")
    };
    let text = [
        chunk(
            json!({"role": "assistant", "content": thinking}),
            json!(null),
        ),
        chunk(json!({"content": thinking}), json!(null)),
        chunk(json!({"content": "done"}), json!("stop")),
    ]
    .concat();
    let (_, turn) = stream(&mistral, text.as_bytes(), usize::MAX);
    let parts = turn.unwrap().parts().to_vec();
    assert_eq!(
        parts,
        [
            ModelPart::Reasoning("hmhm".into()),
            ModelPart::Text("done".into())
        ]
    );
}

#[test]
fn details_of_reasoning_in_many_pieces_are_one_text() {
    let detail = |text: &str, last: bool| {
        let mut detail =
            json!({"type": "reasoning.text", "index": 0, "text": text, "format": null});
        if last {
            detail["signature"] = json!("sig");
        }
        let chunk =
            json!({"id": "x", "choices": [{"index": 0, "delta": {"reasoning_details": [detail]}}]});
        format!("data: {chunk}\n\n")
    };
    // Joined anew with each piece this would be gigabytes.
    let pieces = 50_000;
    let mut text: String = (0..pieces).map(|_| detail("abcd", false)).collect();
    text.push_str(&detail("", true));
    text.push_str(
        r#"data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}"#,
    );
    text.push_str("\n\n");
    let router = Chat::at(ChatVendor::OpenRouter, "m");
    let (_, turn) = stream(&router, text.as_bytes(), usize::MAX);
    let items = [Item::Model(turn.unwrap())];
    let details = body(&router, &Request::new(&items))["messages"][0]["reasoning_details"].clone();
    let expected = json!([{"type": "reasoning.text", "index": 0, "format": null,
        "text": "abcd".repeat(pieces), "signature": "sig"}]);
    assert!(details == expected, "{} bytes", details.to_string().len());
}

#[test]
fn a_gemini_stream_without_an_end_is_complete_only_where_the_prompt_was_blocked() {
    let turn = |chunks: &[Value]| {
        let text: String = chunks
            .iter()
            .map(|chunk| format!("data: {chunk}\n\n"))
            .collect();
        stream(&Gemini::new("m"), text.as_bytes(), usize::MAX).1
    };
    let half = json!({"candidates": [{"content": {"parts": [{"text": "half of"}], "role": "model"}}],
        "promptFeedback": {"safetyRatings": []}});
    assert!(matches!(
        turn(std::slice::from_ref(&half)),
        Err(ProtocolError::Stream { .. })
    ));
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    assert_eq!(
        turn(std::slice::from_ref(&blocked)).unwrap().stop(),
        StopReason::Refused
    );
    assert!(matches!(
        turn(&[half, blocked]),
        Err(ProtocolError::Stream { .. })
    ));
}

#[test]
fn what_follows_the_last_line_of_ollama_changes_nothing() {
    let text = concat!(
        "{\"message\":{\"content\":\"a\"}}\n",
        "{\"message\":{\"content\":\"\"},\"done\":true,\"eval_count\":3}\n",
        "{\"message\":{\"content\":\"b\"},\"done\":true,\"eval_count\":9}\n",
    );
    let (_, turn) = stream(&Ollama::new("m"), text.as_bytes(), usize::MAX);
    let turn = turn.unwrap();
    assert_eq!((turn.text().as_str(), turn.usage().output_tokens), ("a", 3));
}

#[test]
fn old_models_of_anthropic_are_known_at_other_hosts_too() {
    let items = said();
    let most =
        |model: &str| body(&Anthropic::new(model), &Request::new(&items))["max_tokens"].clone();
    assert_eq!(most("claude-3-opus-20240229"), 4096);
    assert_eq!(most("us.anthropic.claude-3-haiku-20240307-v1:0"), 4096);
    assert_eq!(most("claude-3-5-sonnet-latest"), 8192);
    assert_eq!(most("claude-sonnet-4-5"), 8192);
    let old = Anthropic::new("anthropic.claude-3-5-sonnet-20240620-v1:0");
    assert_eq!(old.id(), Anthropic::new("claude-3-5-sonnet-latest").id());
    assert_ne!(old.id(), Anthropic::new("claude-sonnet-4-5").id());
}

#[test]
fn what_a_vendor_has_no_word_for_is_not_dropped_in_silence() {
    let items = said();
    let mistral = Chat::at(ChatVendor::Mistral, "m");
    for (effort, good) in [(Effort::None, true), (Effort::High, false)] {
        let options = with(|options| options.reasoning = Some(effort));
        let sent = mistral.encode(&Request::new(&items).with_options(&options));
        assert_eq!(sent.is_ok(), good, "{sent:?}");
    }
}

#[test]
fn what_cannot_be_said_is_named_by_its_place() {
    let schema = json!({"type": "object", "properties": {"list": {"type": "array", "items": {
        "type": "object", "properties": {"x": {"anyOf": [{"type": "string"}], "oneOf": [{"type": "null"}]}}}}}});
    let tools = [Definition::new("the_tool", "x", schema.to_string()).unwrap()];
    let items = said();
    let request = Request::new(&items).with_tools(&tools);
    let error = Gemini::new("m").encode(&request).unwrap_err().to_string();
    assert!(
        error.contains("`$.list[].x` of the schema has `anyOf` beside `oneOf`"),
        "{error}"
    );
}

/// The calls that a stream of Chat with these pieces of calls tells: identifier, name and arguments.
fn called(pieces: &[Value]) -> Vec<(String, String, String)> {
    let chunk = |calls: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": {"tool_calls": calls}, "finish_reason": finish});
        format!("data: {}\n\n", json!({"id": "r1", "choices": [choice]}))
    };
    let mut text: String = pieces
        .iter()
        .map(|piece| chunk(json!([piece]), json!(null)))
        .collect();
    text.push_str(&chunk(json!([]), json!("tool_calls")));
    let (_, turn) = stream(
        &Chat::at(ChatVendor::Vllm, "m"),
        text.as_bytes(),
        usize::MAX,
    );
    let turn = turn.unwrap();
    let call = |call: &ToolCall| {
        (
            call.id().to_owned(),
            call.name().to_owned(),
            call.arguments().to_owned(),
        )
    };
    turn.calls().map(call).collect()
}

fn piece(index: u8, id: &str, name: &str, arguments: &str) -> Value {
    let mut piece = json!({"index": index, "function": {"arguments": arguments}});
    if !id.is_empty() {
        piece["id"] = json!(id);
    }
    if !name.is_empty() {
        piece["function"]["name"] = json!(name);
    }
    piece
}

#[test]
fn calls_of_one_identifier_are_not_melted() {
    let two = called(&[
        piece(0, "0", "a", "{\"x\":1}"),
        piece(1, "0", "b", "{\"y\":2}"),
    ]);
    assert_eq!(two.len(), 2, "{two:?}");
    assert_eq!((two[0].1.as_str(), two[0].2.as_str()), ("a", "{\"x\":1}"));
    assert_eq!((two[1].1.as_str(), two[1].2.as_str()), ("b", "{\"y\":2}"));
    assert_ne!(two[0].0, two[1].0);
    let same = called(&[
        piece(0, "f", "f", "{\"x\""),
        piece(0, "f", "", ":1}"),
        piece(1, "f", "f", "{\"x\":"),
        piece(1, "f", "", "2}"),
    ]);
    let arguments: Vec<&str> = same.iter().map(|call| call.2.as_str()).collect();
    assert_eq!(arguments, ["{\"x\":1}", "{\"x\":2}"], "{same:?}");
}

#[test]
fn an_identifier_that_comes_late_belongs_to_the_call_that_has_none() {
    let late = called(&[piece(0, "", "", "{\"x\""), piece(0, "c0", "a", ":1}")]);
    assert_eq!(
        late,
        [("c0".to_owned(), "a".to_owned(), "{\"x\":1}".to_owned())]
    );
    let named = called(&[piece(0, "", "a", ""), piece(0, "c0", "", "{\"x\":1}")]);
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(
        (named[0].1.as_str(), named[0].2.as_str()),
        ("a", "{\"x\":1}")
    );
}

#[test]
fn results_of_calls_of_one_identifier_are_paired_in_order() {
    let calls = [ToolCall::new("0", "a", "{}"), ToolCall::new("0", "b", "{}")];
    let parts = calls.iter().cloned().map(ModelPart::Call).collect();
    let turn = ModelTurn::new(parts, StopReason::ToolCalls, Usage::default());
    let results = calls
        .iter()
        .map(|call| ToolResult::ok(call, call.name()))
        .collect();
    let items = [
        Item::User("go".into()),
        Item::Model(turn),
        Item::Results(results),
    ];
    let body = body(&Anthropic::new("claude-sonnet-4-5"), &Request::new(&items));
    let ids = |message: usize, key: &str| {
        let blocks = body["messages"][message]["content"]
            .as_array()
            .unwrap()
            .iter();
        blocks
            .map(|block| block[key].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(1, "id"), ids(2, "tool_use_id"));
    assert_eq!(ids(1, "id").len(), 2);
}

#[test]
fn an_answer_that_ends_with_an_error_is_one() {
    let router = Chat::at(ChatVendor::OpenRouter, "m");
    let choice = |error: Value| json!({"index": 0, "delta": {"content": ""}, "finish_reason": "error", "error": error});
    for error in [json!({"code": 502, "message": "upstream"}), json!(null)] {
        let text = format!(
            "data: {}\n\n",
            json!({"id": "r", "choices": [choice(error)]})
        );
        let (_, turn) = stream(&router, text.as_bytes(), usize::MAX);
        assert!(
            matches!(turn, Err(ProtocolError::Provider { .. })),
            "{turn:?}"
        );
    }
    // llama.cpp's own field, and forms of gateways.
    let cases = [
        "error: {\"code\":500,\"message\":\"KV cache full\"}\n\n",
        "event: error\ndata: {\"message\":\"KV cache full\",\"code\":500}\n\n",
        "data: {\"errors\":[{\"message\":\"KV cache full\"}]}\n\n",
    ];
    for text in cases {
        let (_, turn) = stream(
            &Chat::at(ChatVendor::LlamaCpp, "m"),
            text.as_bytes(),
            usize::MAX,
        );
        let error = turn.unwrap_err();
        assert!(
            matches!(&error, ProtocolError::Provider { message, .. } if message == "KV cache full"),
            "{error}"
        );
    }
    // An error that says nothing, beside a good answer.
    for none in [json!(""), json!(false), json!({})] {
        let answer = json!({"error": none, "choices": [{"finish_reason": "stop",
            "message": {"role": "assistant", "content": "fine"}}]});
        let turn = Chat::new("m")
            .decode(answer.to_string().as_bytes())
            .unwrap();
        assert_eq!(turn.text(), "fine");
    }
}

#[test]
fn what_responses_would_refuse_does_not_go_back() {
    let answer = json!({"status": "completed", "output": [
        {"type": "reasoning", "id": "rs", "content": [{"type": "reasoning_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": {"x": 1}},
        {"type": "function_call", "call_id": "c2", "name": "f", "arguments": "{\"x\":"},
    ]});
    let responses = Responses::new("gpt-5.4");
    let turn = responses.decode(answer.to_string().as_bytes()).unwrap();
    let input = body(&responses, &Request::new(&[Item::Model(turn)]))["input"].clone();
    assert_eq!(input[0]["summary"], json!([]));
    assert!(input[0]["content"].is_null());
    assert_eq!(input[1]["arguments"], "{\"x\":1}");
    assert_eq!(input[2]["arguments"], "{}");
    let cut = json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{"type": "reasoning", "id": "rs", "summary": []}]});
    let turn = responses.decode(cut.to_string().as_bytes()).unwrap();
    let items = [
        Item::User("go".into()),
        Item::Model(turn),
        Item::User("on".into()),
    ];
    let input = body(&responses, &Request::new(&items))["input"].clone();
    assert_eq!(input.as_array().unwrap().len(), 2, "{input}");
}

#[test]
fn a_call_that_begins_and_does_not_end_is_an_error() {
    let events = [
        json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": ""}}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{}"}),
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}}),
    ];
    let text: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let (_, turn) = stream(&Responses::new("m"), text.as_bytes(), usize::MAX);
    assert!(
        matches!(turn, Err(ProtocolError::Stream { .. })),
        "{turn:?}"
    );
}

#[test]
fn a_whole_message_at_the_end_is_not_told_twice() {
    let chunk = |choice: Value| format!("data: {}\n\n", json!({"id": "r", "choices": [choice]}));
    let whole =
        json!({"index": 0, "delta": {}, "message": {"content": "hello"}, "finish_reason": "stop"});
    let delta = |text: &str| chunk(json!({"index": 0, "delta": {"content": text}}));
    for before in [String::new(), [delta("he"), delta("llo")].concat()] {
        let text = before + &chunk(whole.clone());
        let (_, turn) = stream(
            &Chat::at(ChatVendor::Vllm, "m"),
            text.as_bytes(),
            usize::MAX,
        );
        assert_eq!(turn.unwrap().text(), "hello");
    }
}
