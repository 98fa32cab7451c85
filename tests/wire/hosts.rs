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
