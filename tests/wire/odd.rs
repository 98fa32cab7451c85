//! Odd answers and odd options: what is a side matter costs no answer, and what no provider takes is
//! said before it is sent.

use repertoire::{
    Anthropic, Chat, Conversation, Gemini, Ollama, Responses,
    protocol::{Definition, Effort, Protocol, Request, RequestOptions},
};
use serde_json::{Value, json};

use crate::exchange::stream;

#[test]
fn odd_numbers_of_tokens_cost_no_answer() {
    for odd in [
        json!(null),
        json!(-1),
        json!(1.0),
        json!("7"),
        json!([]),
        json!(7),
    ] {
        let text = json!([{"type": "text", "text": "fine"}]);
        let output = json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "fine"}]}]);
        let cases: [(Box<dyn Protocol>, Value); 5] = [
            (
                Box::new(Responses::new("m")),
                json!({"output": output, "usage": {
                "input_tokens": odd, "output_tokens": odd, "input_tokens_details": {"cached_tokens": odd}}}),
            ),
            (
                Box::new(Chat::new("m")),
                json!({"choices": [{"message": {"role": "assistant", "content": "fine"}}],
                "usage": {"prompt_tokens": odd, "completion_tokens": odd}}),
            ),
            (
                Box::new(Anthropic::new("m")),
                json!({"content": text, "usage": {"input_tokens": odd, "output_tokens": odd}}),
            ),
            (
                Box::new(Gemini::new("m")),
                json!({"candidates": [{"content": {"parts": [{"text": "fine"}]}}],
                "usageMetadata": {"promptTokenCount": odd, "candidatesTokenCount": odd}}),
            ),
            (
                Box::new(Ollama::new("m")),
                json!({"message": {"role": "assistant", "content": "fine"}, "done": true,
                "prompt_eval_count": odd, "eval_count": odd}),
            ),
        ];
        for (protocol, body) in cases {
            let turn = protocol.decode(body.to_string().as_bytes());
            let turn = turn.unwrap_or_else(|error| panic!("{} {odd}: {error}", protocol.id()));
            assert_eq!(turn.text(), "fine");
            assert_eq!(
                turn.usage().output_tokens,
                odd.as_f64().map_or(0, |odd| odd.max(0.0) as u64)
            );
        }
    }
}

#[test]
fn a_call_with_another_name_is_another_call() {
    let chunk = |calls: Value| json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]});
    let a = json!({"index": 0, "function": {"name": "a", "arguments": "{\"x\":1}"}});
    let b = json!({"index": 0, "function": {"name": "b", "arguments": "{\"y\":2}"}});
    let bare = |call: &Value| json!({"function": call["function"]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let streams = [
        vec![chunk(json!([a])), chunk(json!([b]))],
        vec![chunk(json!([bare(&a)])), chunk(json!([bare(&b)]))],
        vec![chunk(json!([bare(&a), bare(&b)]))],
    ];
    for mut chunks in streams {
        chunks.push(end.clone());
        let text: String = chunks
            .iter()
            .map(|chunk| format!("data: {chunk}\n\n"))
            .collect();
        let turn = stream(&Chat::new("m"), text.as_bytes(), usize::MAX)
            .1
            .unwrap();
        let calls: Vec<(&str, &str)> = turn
            .calls()
            .map(|call| (call.name(), call.arguments()))
            .collect();
        assert_eq!(calls, [("a", "{\"x\":1}"), ("b", "{\"y\":2}")], "{text}");
    }
}

#[test]
fn an_answer_of_nothing_goes_back_in_a_form_that_is_taken() {
    let messages = [
        json!({"role": "assistant", "content": null}),
        json!({"role": "assistant"}),
        json!({"content": []}),
        json!({"content": "x"}),
    ];
    for message in messages {
        let chat = Chat::new("m");
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        let turn = chat.decode(body.to_string().as_bytes()).unwrap();
        let items = [repertoire::conversation::Item::Model(turn)];
        let body: Value =
            serde_json::from_str(chat.encode(&Request::new(&items)).unwrap().json()).unwrap();
        let back = &body["messages"][0];
        assert_eq!(back["role"], "assistant");
        assert!(back["content"].is_string(), "{back}");
    }
    let anthropic = Anthropic::new("m");
    let body = json!({"content": [{"type": "text", "text": ""}, {"type": "text", "text": "x"}]});
    let turn = anthropic.decode(body.to_string().as_bytes()).unwrap();
    let items = [repertoire::conversation::Item::Model(turn)];
    let body = anthropic.encode(&Request::new(&items)).unwrap();
    assert!(!body.json().contains(r#""text":"""#), "{}", body.json());
}

#[test]
fn streamed_arguments_that_are_no_json_are_a_call_that_fails() {
    let events = [
        json!({"type": "message_start", "message": {"content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"a\": bad}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let text: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let anthropic = Anthropic::new("m");
    let turn = stream(&anthropic, text.as_bytes(), usize::MAX).1.unwrap();
    let call = turn.calls().next().unwrap();
    assert_eq!(call.arguments(), "{\"a\": bad}");
    // What goes back is an object, or the provider would refuse all that follows.
    let items = [repertoire::conversation::Item::Model(turn.clone())];
    let body: Value =
        serde_json::from_str(anthropic.encode(&Request::new(&items)).unwrap().json()).unwrap();
    assert_eq!(body["messages"][0]["content"][0]["input"], json!({}));
}

#[test]
fn options_that_no_provider_takes_are_refused_and_limits_are_kept() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let protocols: [Box<dyn Protocol>; 5] = [
        Box::new(Responses::new("m")),
        Box::new(Chat::new("m")),
        Box::new(Anthropic::new("m")),
        Box::new(Gemini::new("m")),
        Box::new(Ollama::new("m")),
    ];
    for protocol in protocols {
        for heat in [f32::NAN, f32::INFINITY, -3.0] {
            let mut options = RequestOptions::default();
            options.temperature = Some(heat);
            let request = Request::new(conversation.items()).with_options(&options);
            let error = protocol.encode(&request).unwrap_err().to_string();
            assert!(error.contains("`temperature`"), "{error}");
        }
        let mut options = RequestOptions::default();
        options.max_output_tokens = Some(0);
        let request = Request::new(conversation.items()).with_options(&options);
        assert!(protocol.encode(&request).is_err());
    }
    let mut options = RequestOptions::default();
    options.reasoning = Some(Effort::High);
    let budget = |limit: u32, options: &mut RequestOptions| {
        options.max_output_tokens = Some(limit);
        let request = Request::new(conversation.items()).with_options(options);
        let body = Anthropic::new("claude-sonnet-4-5").encode(&request)?;
        Ok::<Value, repertoire::protocol::ProtocolError>(serde_json::from_str(body.json()).unwrap())
    };
    let body = budget(4000, &mut options).unwrap();
    assert_eq!(body["max_tokens"], 4000);
    assert_eq!(body["thinking"]["budget_tokens"], 3999);
    let error = budget(1000, &mut options).unwrap_err().to_string();
    assert!(error.contains("1024") && error.contains("1000"), "{error}");
}

#[test]
fn gemini_takes_no_name_that_begins_with_a_digit() {
    for name in ["1abc", "-x", ".x"] {
        let tools = [Definition::new(name, "x", r#"{"type":"object","properties":{}}"#).unwrap()];
        let request = Request::new(&[]).with_tools(&tools);
        assert!(Gemini::new("m").encode(&request).is_err(), "{name}");
    }
}

#[test]
fn what_a_rewriting_would_lose_is_refused_by_name() {
    let text = json!({"type": "string"});
    let object = json!({"type": "object", "properties": {"a": text}, "required": ["a"]});
    let defs = json!({"A": object, "B": text});
    let members = [
        json!({"anyOf": [text], "oneOf": [text]}),
        json!({"type": "object", "allOf": [object], "properties": {"b": text}}),
        json!({"$ref": "#/$defs/A", "properties": {"b": {"$ref": "#/$defs/B"}}}),
        json!({"type": "array", "items": {"$ref": "#/$defs/A", "anyOf": [text]}}),
    ];
    for member in members {
        let schema = json!({"type": "object", "properties": {"x": member}, "$defs": defs});
        let tools = [Definition::new("the_tool", "x", schema.to_string()).unwrap()];
        let protocols: [Box<dyn Protocol>; 2] =
            [Box::new(Gemini::new("m")), Box::new(Ollama::new("m"))];
        for protocol in protocols {
            let error = protocol
                .encode(&Request::new(&[]).with_tools(&tools))
                .unwrap_err();
            assert!(error.to_string().contains("`the_tool`"), "{error}");
        }
    }
    // A property may have such a name.
    let schema =
        json!({"type": "object", "properties": {"anyOf": text, "oneOf": text, "$ref": text}});
    let tools = [Definition::new("the_tool", "x", schema.to_string()).unwrap()];
    assert!(
        Ollama::new("m")
            .encode(&Request::new(&[]).with_tools(&tools))
            .is_ok()
    );
}
