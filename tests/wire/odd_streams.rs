//! Odd streams: what hosts leave out, say twice or say in older words costs no call and no text.

use std::collections::HashSet;

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    conversation::{Item, ModelTurn, StopReason, ToolResult},
    protocol::{Protocol, ProtocolError, Request, StreamEvent},
};
use serde_json::{Value, json};

use crate::exchange::stream;

fn events(texts: &[Value]) -> String {
    texts
        .iter()
        .map(|text| format!("data: {text}\n\n"))
        .collect()
}

fn told(protocol: &dyn Protocol, texts: &[Value]) -> (Vec<StreamEvent>, ModelTurn) {
    let (events, turn) = stream(protocol, events(texts).as_bytes(), usize::MAX);
    (events, turn.unwrap())
}

/// Identifier, name and arguments of each call.
fn calls(turn: &ModelTurn) -> Vec<(String, String, String)> {
    let calls = turn.calls();
    calls
        .map(|call| {
            let texts = [call.id(), call.name(), call.arguments()];
            let [id, name, arguments] = texts.map(str::to_owned);
            (id, name, arguments)
        })
        .collect()
}

/// The identifiers that the events tell.
fn started(events: &[StreamEvent]) -> Vec<String> {
    let ids = events.iter().filter_map(|event| match event {
        StreamEvent::CallStart { id, .. } => Some(id.clone()),
        _ => None,
    });
    ids.collect()
}

fn chunk(calls: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]})
}

fn function(name: &str, arguments: &str) -> Value {
    json!({"function": {"name": name, "arguments": arguments}})
}

fn finish() -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
}

#[test]
fn two_calls_of_one_tool_stay_two_without_identifiers() {
    let (one, two) = (function("a", "{\"x\":1}"), function("a", "{\"x\":2}"));
    for chunks in [
        vec![chunk(&json!([one, two])), finish()],
        vec![chunk(&json!([one])), chunk(&json!([two])), finish()],
    ] {
        let (_, turn) = told(&Chat::new("m"), &chunks);
        let arguments: Vec<String> = calls(&turn).into_iter().map(|call| call.2).collect();
        assert_eq!(arguments, ["{\"x\":1}", "{\"x\":2}"]);
    }
    // Twice the same in one list is a wish for two; a tool without arguments is a call too.
    for list in [
        json!([one, one]),
        json!([function("a", ""), function("a", "")]),
        json!([function("a", ""), function("b", "{}")]),
    ] {
        let (_, turn) = told(&Chat::new("m"), &[chunk(&list), finish()]);
        assert_eq!(turn.calls().count(), 2, "{list}");
    }
    // The same again in a later chunk is a repeat.
    let again = [chunk(&json!([one])), chunk(&json!([one])), finish()];
    assert_eq!(told(&Chat::new("m"), &again).1.calls().count(), 1);
}

#[test]
fn identifiers_that_are_made_up_differ_and_events_say_the_same() {
    let gemini = |argument: u8| {
        let call = json!({"functionCall": {"name": "f", "args": {"x": argument}}});
        json!({"candidates": [{"content": {"parts": [call]}, "finishReason": "STOP"}]})
    };
    let chat = |argument: u8| chunk(&json!([function("f", &format!("{{\"x\":{argument}}}"))]));
    let mut ids = HashSet::new();
    for argument in [1, 2] {
        let (events, turn) = told(&Gemini::new("m"), &[gemini(argument)]);
        assert_eq!(started(&events), [calls(&turn)[0].0.clone()]);
        assert!(ids.insert(calls(&turn)[0].0.clone()));
        let (events, turn) = told(&Chat::new("m"), &[chat(argument), finish()]);
        assert_eq!(started(&events), [calls(&turn)[0].0.clone()]);
        assert!(ids.insert(calls(&turn)[0].0.clone()));
    }
}

#[test]
fn an_identifier_that_stands_for_two_calls_is_separated_for_another_provider() {
    let body = json!({"message": {"role": "assistant", "content": "", "tool_calls": [
        {"function": {"name": "f", "arguments": {"x": 1}}}]}, "done": true, "done_reason": "stop"});
    let mut items = Vec::new();
    for _ in 0..3 {
        let turn = Ollama::new("m")
            .decode(body.to_string().as_bytes())
            .unwrap();
        let result = ToolResult::ok(turn.calls().next().unwrap(), "fine");
        items.extend([Item::Model(turn), Item::Results(vec![result])]);
    }
    let ids = |protocol: &dyn Protocol, call: &str, result: &str| {
        let body = protocol.encode(&Request::new(&items)).unwrap();
        let body: Value = serde_json::from_str(body.json()).unwrap();
        let mut found = (Vec::new(), Vec::new());
        collect(&body, call, &mut found.0);
        collect(&body, result, &mut found.1);
        found
    };
    let (uses, results) = ids(&Anthropic::new("m"), "id", "tool_use_id");
    assert_eq!(uses, results);
    assert_eq!(uses.iter().collect::<HashSet<_>>().len(), 3, "{uses:?}");
    let (uses, results) = ids(&Chat::new("m"), "id", "tool_call_id");
    assert_eq!(uses, results);
    assert_eq!(uses.iter().collect::<HashSet<_>>().len(), 3, "{uses:?}");
    // To the host that wrote them they go back as they came: without any.
    let (uses, results) = ids(&Ollama::new("m"), "id", "tool_call_id");
    assert!(uses.is_empty() && results.is_empty());
}

/// All texts under a key, in order.
fn collect(value: &Value, key: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == key => found.push(text.clone()),
                    value => collect(value, key, found),
                }
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| collect(entry, key, found)),
        _ => {}
    }
}

fn call_item(id: &str, name: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": "{}"})
}

#[test]
fn items_without_a_place_or_told_twice_are_each_one_call() {
    let done = |item: Value| json!({"type": "response.output_item.done", "item": item});
    let at = |place: u8, item: Value| json!({"type": "response.output_item.done", "output_index": place, "item": item});
    let end =
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}});
    let pieces = |id: &str, name: &str| {
        let mut begun = call_item(id, name);
        begun["arguments"] = json!("");
        let mut whole = begun.clone();
        whole["arguments"] = json!("{\"x\":1}");
        [
            json!({"type": "response.output_item.added", "item": begun}),
            json!({"type": "response.function_call_arguments.delta", "item_id": format!("fc_{id}"), "delta": "{\"x\":1}"}),
            done(whole),
        ]
    };
    let (a, b) = (call_item("c1", "f"), call_item("c2", "g"));
    for items in [
        vec![done(a.clone()), done(b.clone())],
        vec![at(0, a.clone()), at(0, a.clone()), at(1, b.clone())],
        // A host that counts wrong.
        vec![at(0, a.clone()), at(0, b.clone())],
        [pieces("c1", "f"), pieces("c2", "g")].concat(),
    ] {
        let (events, turn) = told(
            &Responses::new("m"),
            &[items.clone(), vec![end.clone()]].concat(),
        );
        assert_eq!(started(&events), ["c1", "c2"], "{items:?}");
        let found = calls(&turn);
        assert_eq!((&*found[0].0, &*found[0].1), ("c1", "f"), "{items:?}");
        assert_eq!((&*found[1].0, &*found[1].1), ("c2", "g"), "{items:?}");
        assert_eq!(found.len(), 2);
    }
    let text = json!({"type": "response.output_text.delta", "delta": "hello"});
    let (events, turn) = told(&Responses::new("m"), &[text, end]);
    assert!(events.contains(&StreamEvent::Text("hello".to_owned())));
    assert_eq!(turn.text(), "hello");
}

#[test]
fn a_piece_without_its_block_is_an_error_and_unknown_events_are_passed_over() {
    let start = json!({"type": "message_start", "message": {"content": []}});
    let piece = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lost"}});
    let end = [
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ];
    let lost = events(&[&[start.clone(), piece][..], &end].concat());
    let (_, turn) = stream(&Anthropic::new("m"), lost.as_bytes(), usize::MAX);
    assert!(
        matches!(turn, Err(ProtocolError::Stream { .. })),
        "{turn:?}"
    );
    for odd in [
        json!({"type": "news", "index": "q", "delta": 7}),
        json!({"type": "ping", "index": null}),
        json!({"type": "ping", "index": "q"}),
    ] {
        let (_, turn) = told(
            &Anthropic::new("m"),
            &[&[start.clone(), odd][..], &end].concat(),
        );
        assert_eq!(turn.stop(), StopReason::End);
    }
    let odd = json!({"type": "response.news", "output_index": "q"});
    let end =
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}});
    assert_eq!(
        told(&Responses::new("m"), &[odd, end]).1.stop(),
        StopReason::End
    );
    let lines = "{\"message\":{\"content\":\"fine\"},\"done\":null}\n{\"message\":{\"content\":\"\"},\"done\":true}\n";
    let (_, turn) = stream(&Ollama::new("m"), lines.as_bytes(), usize::MAX);
    assert_eq!(turn.unwrap().text(), "fine");
}

#[test]
fn one_odd_member_costs_no_answer() {
    let item = |item: Value| json!({"output": [item, {"type": "message", "content": [{"type": "output_text", "text": "fine"}]}]});
    let chat = |content: Value| json!({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]});
    let cases: Vec<(Box<dyn Protocol>, Value)> = vec![
        (Box::new(Chat::new("m")), chat(json!(["fine", null, 7]))),
        (
            Box::new(Chat::new("m")),
            chat(json!([{"type": "text", "text": "fine"}, []])),
        ),
        (
            Box::new(Responses::new("m")),
            json!({"output": [{"type": "message", "content": "fine"}]}),
        ),
        (
            Box::new(Responses::new("m")),
            item(
                json!({"type": "message", "content": [{"type": "output_text", "text": null}, null]}),
            ),
        ),
        (
            Box::new(Responses::new("m")),
            item(json!({"type": "reasoning", "summary": [{"text": null}]})),
        ),
        (Box::new(Responses::new("m")), item(json!({"type": null}))),
        (
            Box::new(Anthropic::new("m")),
            json!({"content": [{"type": "thinking", "thinking": null}, {"type": "text", "text": "fine"}], "stop_reason": 7}),
        ),
        (
            Box::new(Anthropic::new("m")),
            json!({"content": [{"type": "text", "text": null}, {"type": null}, {"type": "text", "text": "fine"}]}),
        ),
        (
            Box::new(Gemini::new("m")),
            json!({"candidates": [{"content": {"parts": [{"text": "fine", "thought": null}, {"text": null}]}}]}),
        ),
    ];
    for (protocol, body) in cases {
        let turn = protocol.decode(body.to_string().as_bytes());
        let turn = turn.unwrap_or_else(|error| panic!("{}: {error}: {body}", protocol.id()));
        assert_eq!(turn.text(), "fine", "{body}");
    }
}

#[test]
fn a_call_in_the_old_form_is_a_call() {
    let call = |arguments: &str| json!({"name": "f", "arguments": arguments});
    let body = json!({"choices": [{"message": {"role": "assistant", "content": null, "function_call": call("{\"x\":1}")}, "finish_reason": "function_call"}]});
    let chat = Chat::new("m");
    let plain = chat.decode(body.to_string().as_bytes()).unwrap();
    let delta = |call: Value| json!({"choices": [{"index": 0, "delta": {"function_call": call}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "function_call"}]});
    let (_, streamed) = told(
        &chat,
        &[
            delta(call("")),
            delta(json!({"arguments": "{\"x\":"})),
            delta(json!({"arguments": "1}"})),
            end,
        ],
    );
    for turn in [plain, streamed] {
        assert_eq!(turn.stop(), StopReason::ToolCalls);
        let found = calls(&turn);
        assert_eq!((&*found[0].1, &*found[0].2), ("f", "{\"x\":1}"));
        let result = ToolResult::ok(turn.calls().next().unwrap(), "fine");
        let items = [Item::Model(turn), Item::Results(vec![result])];
        let body = chat.encode(&Request::new(&items)).unwrap();
        let body: Value = serde_json::from_str(body.json()).unwrap();
        assert_eq!(
            body["messages"][0]["tool_calls"][0]["id"],
            found[0].0.as_str()
        );
        assert_eq!(body["messages"][1]["tool_call_id"], found[0].0.as_str());
    }
}

#[test]
fn what_is_no_stream_tells_the_providers_message() {
    for text in [
        "{\"error\":{\"message\":\"quota gone\",\"code\":\"quota\"}}",
        "{\n \"error\": {\"message\": \"quota gone\", \"code\": \"quota\"}\n}\n",
    ] {
        for chunk in [1, usize::MAX] {
            let (_, turn) = stream(&Chat::new("m"), text.as_bytes(), chunk);
            let error = turn.unwrap_err();
            assert!(
                matches!(&error, ProtocolError::Provider { message, .. } if message == "quota gone"),
                "{error}"
            );
        }
    }
}
