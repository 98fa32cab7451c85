//! Streams in any pieces, cut anywhere, with all the liberties that servers take.

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    conversation::{ModelPart, ModelTurn, StopReason},
    protocol::{ChatVendor, Protocol, ProtocolError, StreamEvent},
};
use serde_json::{Value, json};

use crate::{
    exchange::{Exchange, Recorded, stream},
    recorded,
};

/// Two recorded streams of each protocol: the shortest with calls, then the shortest.
fn ten_streams(test: &str) -> Vec<(Exchange, Box<dyn Protocol>)> {
    let mut streams: Vec<(&str, bool, usize, Exchange)> = Vec::new();
    for exchange in recorded(test) {
        let (Some(api), Recorded::Stream(text)) = (exchange.api(), &exchange.response) else {
            continue;
        };
        let text = text.replace(' ', "");
        let has_calls = [
            "tool_calls\":[{",
            "tool_use\"",
            "functionCall\"",
            "function_call\"",
        ]
        .iter()
        .any(|part| text.contains(part));
        if exchange.decode(api.protocol().as_ref()).is_ok() {
            // Every cut reads all that is before it, so that long ones take long.
            let late = !has_calls || text.len() > 20_000;
            streams.push((api.name(), late, text.len(), exchange));
        }
    }
    streams.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)));
    let mut count = std::collections::HashMap::new();
    streams.retain(|(name, ..)| {
        let count = count.entry(*name).or_insert(0);
        *count += 1;
        *count <= 2
    });
    let streams = streams.into_iter().map(|(.., exchange)| {
        let protocol = exchange.api().unwrap().protocol();
        (exchange, protocol)
    });
    streams.collect()
}

fn same(a: &ModelTurn, b: &ModelTurn) -> bool {
    serde_json::to_string(a).unwrap() == serde_json::to_string(b).unwrap()
}

#[test]
fn pieces_of_any_size_give_the_same_turn_and_the_same_events() {
    let test = "pieces_of_any_size_give_the_same_turn_and_the_same_events";
    for exchange in recorded(test) {
        let (Some(api), Recorded::Stream(text)) = (exchange.api(), &exchange.response) else {
            continue;
        };
        let protocol = api.protocol();
        let (events, whole) = stream(protocol.as_ref(), text.as_bytes(), usize::MAX);
        // Line ends of the other kind.
        let other = if text.contains('\r') {
            text.replace("\r\n", "\n")
        } else {
            text.replace('\n', "\r\n")
        };
        for (text, size) in [
            (text, 1),
            (text, 7),
            (text, 1000),
            (&other, 1),
            (&other, usize::MAX),
        ] {
            let (pieces, turn) = stream(protocol.as_ref(), text.as_bytes(), size);
            assert_eq!(events, pieces, "{} in pieces of {size}", exchange.file);
            match (&whole, &turn) {
                (Ok(whole), Ok(turn)) => assert!(same(whole, turn), "{}", exchange.file),
                (Err(_), Err(_)) => {}
                (whole, turn) => panic!("{}: {whole:?} {turn:?}", exchange.file),
            }
        }
    }
}

#[test]
fn a_stream_cut_anywhere_is_an_error_or_the_whole_turn() {
    let test = "a_stream_cut_anywhere_is_an_error_or_the_whole_turn";
    let streams = ten_streams(test);
    if streams.is_empty() {
        return;
    }
    assert_eq!(streams.len(), 10);
    for (exchange, protocol) in streams {
        let Recorded::Stream(text) = &exchange.response else {
            continue;
        };
        let (_, whole) = stream(protocol.as_ref(), text.as_bytes(), usize::MAX);
        let whole = whole.unwrap();
        let mut cut = (0, 0);
        for end in 0..text.len() {
            let (_, turn) = stream(protocol.as_ref(), &text.as_bytes()[..end], usize::MAX);
            match turn {
                // Only what comes after the reason to stop may be missing: what it cost.
                Ok(turn) => {
                    cut.1 += 1;
                    assert_eq!(turn.parts(), whole.parts(), "{} at {end}", exchange.file);
                    assert_eq!(turn.stop(), whole.stop(), "{} at {end}", exchange.file);
                }
                Err(ProtocolError::Stream { .. }) => cut.0 += 1,
                Err(other) => panic!("{} at {end}: {other}", exchange.file),
            }
        }
        println!("{}: {} errors, {} whole turns", exchange.file, cut.0, cut.1);
        assert!(cut.0 > cut.1, "{}", exchange.file);
    }
}

/// A chat stream of these deltas.
fn chat(deltas: &[Value], finish: &str) -> String {
    let mut text = String::from(": comment\n\n");
    for delta in deltas {
        let chunk = json!({"id": "c1", "choices": [{"index": 0, "delta": delta}]});
        text.push_str(&format!("event: x\nid: 7\nretry: 10\ndata: {chunk}\n\n"));
    }
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
    text.push_str(&format!("data: {last}\n\n"));
    text
}

fn calls(text: &str) -> Vec<(String, String, String)> {
    let (_, turn) = stream(&Chat::new("m"), text.as_bytes(), 3);
    let calls = turn.unwrap();
    calls
        .calls()
        .map(|call| {
            (
                call.id().to_owned(),
                call.name().to_owned(),
                call.arguments().to_owned(),
            )
        })
        .collect()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn comments_other_fields_and_a_missing_done_do_not_matter() {
    let text = chat(&[json!({"content": "Grüße, 世界 🦀"})], "stop");
    for size in [1, 2, 3, usize::MAX] {
        let (events, turn) = stream(&Chat::new("m"), text.as_bytes(), size);
        assert_eq!(turn.unwrap().text(), "Grüße, 世界 🦀");
        assert_eq!(events[0], StreamEvent::Text("Grüße, 世界 🦀".into()));
    }
    // A byte order mark, lone carriage returns, data over several lines, no last line break.
    let text = "\u{feff}data: {\"choices\":\rdata: [{\"delta\":{\"content\":\"a\"},\rdata: \"finish_reason\":\"stop\"}]}";
    let (_, turn) = stream(&Chat::new("m"), text.as_bytes(), 1);
    assert_eq!(turn.unwrap().text(), "a");
}

#[test]
fn the_first_event_is_there_before_the_second_arrives() {
    let streams: [(Box<dyn Protocol>, &str); 5] = [
        (
            Box::new(Chat::new("m")),
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
        ),
        (
            Box::new(Responses::new("m")),
            "event: x\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n",
        ),
        (
            Box::new(Anthropic::new("m")),
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
             data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n",
        ),
        (
            Box::new(Gemini::new("m")),
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n\r\n",
        ),
        (
            Box::new(Ollama::new("m")),
            "{\"message\":{\"content\":\"a\"}}\n",
        ),
    ];
    for (protocol, text) in streams {
        let mut decoder = protocol.decoder().unwrap();
        let mut events = Vec::new();
        decoder.push(text.as_bytes(), &mut events).unwrap();
        assert_eq!(events, [StreamEvent::Text("a".into())], "{}", protocol.id());
        // The server withholds the rest.
        assert!(!decoder.is_complete());
        assert!(matches!(
            decoder.finish(&mut events),
            Err(ProtocolError::Stream { .. })
        ));
        assert!(decoder.push(b"more", &mut events).is_err());
    }
}

#[test]
fn an_error_in_the_middle_of_a_stream_is_the_providers() {
    let cases: [(Box<dyn Protocol>, &str); 5] = [
        (
            Box::new(Chat::new("m")),
            "data: {\"error\":{\"message\":\"full\",\"code\":\"x\"}}\n\n",
        ),
        (
            Box::new(Responses::new("m")),
            "data: {\"type\":\"error\",\"code\":\"x\",\"message\":\"full\",\"param\":null}\n\n",
        ),
        (
            Box::new(Anthropic::new("m")),
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":\"full\"}}\n\n",
        ),
        (
            Box::new(Gemini::new("m")),
            "data: {\"error\":{\"code\":503,\"message\":\"full\",\"status\":\"x\"}}\n\n",
        ),
        (Box::new(Ollama::new("m")), "{\"error\":\"full\"}\n"),
    ];
    for (protocol, text) in cases {
        match stream(protocol.as_ref(), text.as_bytes(), usize::MAX).1 {
            Err(ProtocolError::Provider { code, message, .. }) => {
                assert_eq!(message, "full");
                assert!(code.is_none_or(|code| code == "x"), "{}", protocol.id());
            }
            other => panic!("{}: {other:?}", protocol.id()),
        }
    }
}

#[test]
fn an_endless_event_is_refused_before_the_memory_is_full() {
    let mut decoder = Chat::new("m").decoder().unwrap();
    let mut events = Vec::new();
    let piece = vec![b'x'; 1 << 20];
    let refused = (0..40).find(|_| decoder.push(&piece, &mut events).is_err());
    assert_eq!(refused, Some(32));
}

#[test]
fn a_call_cut_off_by_the_token_limit_is_marked_so() {
    let text = chat(
        &[
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":"}}]}),
        ],
        "length",
    );
    let (_, turn) = stream(&Chat::new("m"), text.as_bytes(), usize::MAX);
    let turn = turn.unwrap();
    assert_eq!(turn.stop(), StopReason::MaxTokens);
    assert_eq!(turn.calls().next().unwrap().arguments(), "{\"x\":");
    let text = concat!(
        "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"x\\\":\"}}\n\n",
        "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    let (_, turn) = stream(&Anthropic::new("m"), text.as_bytes(), usize::MAX);
    assert_eq!(turn.unwrap().stop(), StopReason::MaxTokens);
}

#[test]
fn fragments_of_calls_find_together_however_they_are_marked() {
    let fragment = |call: Value| json!({ "tool_calls": [call] });
    // Index and identifier on the first fragment only.
    let text = chat(
        &[
            fragment(
                json!({"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}),
            ),
            fragment(json!({"index": 0, "function": {"arguments": "{\"x\""}})),
            fragment(json!({"index": 0, "function": {"arguments": ":1}"}})),
        ],
        "tool_calls",
    );
    assert_eq!(calls(&text), [call("a", "f", "{\"x\":1}")]);
    // Later fragments with empty or null identifier and name.
    let text = chat(
        &[
            fragment(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}})),
            fragment(json!({"index": 0, "id": "", "function": {"name": "", "arguments": "}"}})),
            fragment(
                json!({"index": 0, "id": null, "function": {"name": null, "arguments": null}}),
            ),
        ],
        "tool_calls",
    );
    assert_eq!(calls(&text), [call("a", "f", "{}")]);
    // Identifier and name repeated on every fragment.
    let text = chat(
        &[
            fragment(
                json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\""}}),
            ),
            fragment(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": ":1}"}})),
        ],
        "tool_calls",
    );
    assert_eq!(calls(&text), [call("a", "f", "{\"x\":1}")]);
    // Index 0 for every call.
    let text = chat(
        &[
            fragment(
                json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            ),
            fragment(
                json!({"index": 0, "id": "b", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
            ),
        ],
        "tool_calls",
    );
    assert_eq!(
        calls(&text),
        [call("a", "f", "{\"x\":1}"), call("b", "f", "{\"x\":1}")]
    );
    // The first index is 1.
    let text = chat(
        &[
            fragment(json!({"index": 1, "id": "a", "function": {"name": "f", "arguments": "{"}})),
            fragment(json!({"index": 1, "function": {"arguments": "}"}})),
        ],
        "tool_calls",
    );
    assert_eq!(calls(&text), [call("a", "f", "{}")]);
    // An index and no identifier: two calls, each with one made up for it.
    let text = chat(
        &[
            fragment(json!({"index": 0, "function": {"name": "f", "arguments": "{\"x\":1}"}})),
            fragment(json!({"index": 1, "function": {"name": "g", "arguments": "{\"x\":2}"}})),
        ],
        "tool_calls",
    );
    let found = calls(&text);
    assert_eq!((&*found[0].1, &*found[0].2), ("f", "{\"x\":1}"));
    assert_eq!((&*found[1].1, &*found[1].2), ("g", "{\"x\":2}"));
    assert!(!found[0].0.is_empty() && found[0].0 != found[1].0);
    // Neither index nor identifier.
    let text = chat(
        &[
            fragment(json!({"function": {"name": "f", "arguments": "{\"x\""}})),
            fragment(json!({"function": {"arguments": ":1}"}})),
        ],
        "tool_calls",
    );
    assert_eq!(calls(&text)[0].2, "{\"x\":1}");
    // The whole arguments every time, `{}` before the real ones, or the object itself.
    for arguments in [
        [json!("{\"x\":1}"), json!("{\"x\":1}")],
        [json!("{}"), json!("{\"x\":1}")],
        [json!(""), json!({"x": 1})],
    ] {
        let [first, second] = arguments;
        let text = chat(
            &[
                fragment(
                    json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": first}}),
                ),
                fragment(json!({"index": 0, "function": {"arguments": second}})),
            ],
            "tool_calls",
        );
        assert_eq!(calls(&text), [call("a", "f", "{\"x\":1}")]);
    }
    // No arguments at all.
    let text = chat(
        &[fragment(
            json!({"index": 0, "id": "a", "function": {"name": "f"}}),
        )],
        "stop",
    );
    assert_eq!(calls(&text), [call("a", "f", "{}")]);
}

#[test]
fn streamed_and_plain_answers_are_the_same_turn() {
    // Each protocol's plain body, and the same answer as a stream.
    let cases: [(Box<dyn Protocol>, Value, String); 5] = [
        chat_case(),
        responses_case(),
        anthropic_case(),
        gemini_case(),
        ollama_case(),
    ];
    for (protocol, plain, text) in cases {
        let plain = protocol.decode(plain.to_string().as_bytes()).unwrap();
        let (_, streamed) = stream(protocol.as_ref(), text.as_bytes(), 11);
        let streamed = streamed.unwrap();
        assert_eq!(plain.parts(), streamed.parts(), "{}", protocol.id());
        assert_eq!(plain.stop(), streamed.stop(), "{}", protocol.id());
        assert_eq!(plain.usage(), streamed.usage(), "{}", protocol.id());
        let items = |turn: &ModelTurn| -> Vec<Value> {
            let items = turn.verbatim(protocol.id()).unwrap().iter();
            items
                .map(|item| serde_json::from_str(item.get()).unwrap())
                .collect()
        };
        assert_eq!(items(&plain), items(&streamed), "{}", protocol.id());
        assert!(matches!(
            plain.parts(),
            [
                ModelPart::Reasoning(_),
                ModelPart::Text(_),
                ModelPart::Call(_)
            ]
        ));
    }
}

fn lines(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

fn chat_case() -> (Box<dyn Protocol>, Value, String) {
    let usage = json!({"prompt_tokens": 5, "completion_tokens": 7, "prompt_cache_hit_tokens": 2});
    let plain = json!({
        "id": "c", "usage": usage,
        "choices": [{"finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": "Hello", "reasoning_content": "Hm.",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}}],
        }}],
    });
    let delta = |delta: Value| json!({"id": "c", "choices": [{"index": 0, "delta": delta}]});
    let text = lines(&[
        delta(json!({"role": "assistant", "reasoning_content": "H"})),
        delta(json!({"reasoning_content": "m."})),
        delta(json!({"content": "Hel"})),
        delta(json!({"content": "lo"})),
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\""}}]}),
        ),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]})),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
        json!({"choices": [], "usage": usage}),
    ]) + "data: [DONE]\n\n";
    (Box::new(Chat::at(ChatVendor::DeepSeek, "m")), plain, text)
}

fn responses_case() -> (Box<dyn Protocol>, Value, String) {
    let items = [
        json!({"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "e"}),
        json!({"type": "message", "id": "msg", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "Hello", "annotations": []}]}),
        json!({"type": "function_call", "id": "fc", "call_id": "a", "name": "f", "arguments": "{\"x\": 1}", "status": "completed"}),
    ];
    let plain = json!({
        "id": "r", "status": "completed", "error": null, "output": items,
        "usage": {"input_tokens": 5, "output_tokens": 7, "input_tokens_details": {"cached_tokens": 2}},
    });
    let mut events =
        vec![json!({"type": "response.created", "response": {"id": "r", "output": []}})];
    for (place, item) in items.iter().enumerate() {
        events.push(
            json!({"type": "response.output_item.added", "output_index": place, "item": item}),
        );
        events.push(
            json!({"type": "response.output_item.done", "output_index": place, "item": item}),
        );
    }
    events.push(json!({"type": "response.completed", "response": plain}));
    (Box::new(Responses::new("m")), plain, lines(&events))
}

fn anthropic_case() -> (Box<dyn Protocol>, Value, String) {
    let plain = json!({
        "id": "m", "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "s=="},
            {"type": "text", "text": "Hello"},
            {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
        ],
        "usage": {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 7},
    });
    let start = |index: u64, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u64, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: u64| json!({"type": "content_block_stop", "index": index});
    let text = lines(&[
        json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [],
            "usage": {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 1}}}),
        start(
            0,
            json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        json!({"type": "ping"}),
        delta(0, json!({"type": "thinking_delta", "thinking": "H"})),
        delta(0, json!({"type": "thinking_delta", "thinking": "m."})),
        delta(0, json!({"type": "signature_delta", "signature": "s=="})),
        stop(0),
        start(1, json!({"type": "text", "text": ""})),
        delta(1, json!({"type": "text_delta", "text": "Hel"})),
        delta(1, json!({"type": "text_delta", "text": "lo"})),
        stop(1),
        start(
            2,
            json!({"type": "tool_use", "id": "a", "name": "f", "input": {}}),
        ),
        delta(2, json!({"type": "input_json_delta", "partial_json": ""})),
        delta(
            2,
            json!({"type": "input_json_delta", "partial_json": "{\"x\""}),
        ),
        delta(
            2,
            json!({"type": "input_json_delta", "partial_json": ":1}"}),
        ),
        stop(2),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ]);
    (Box::new(Anthropic::new("m")), plain, text)
}

fn gemini_case() -> (Box<dyn Protocol>, Value, String) {
    let usage = json!({"promptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 4, "cachedContentTokenCount": 2});
    let call = json!({"functionCall": {"id": "a", "name": "f", "args": {"x": 1}}, "thoughtSignature": "s"});
    let chunk = |parts: Value| json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}], "responseId": "r"});
    let plain = json!({
        "candidates": [{"finishReason": "STOP", "index": 0, "content": {"role": "model", "parts": [
            {"text": "Hm.", "thought": true}, {"text": "Hello"}, call,
        ]}}],
        "usageMetadata": usage, "responseId": "r",
    });
    let mut last = chunk(json!([]));
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = usage;
    let text = lines(&[
        chunk(json!([{"text": "H", "thought": true}])),
        chunk(json!([{"text": "m.", "thought": true}, {"text": "Hel"}])),
        chunk(json!([{"text": "lo"}, call])),
        last,
    ]);
    (Box::new(Gemini::new("m")), plain, text)
}

fn ollama_case() -> (Box<dyn Protocol>, Value, String) {
    let call = json!({"id": "a", "function": {"index": 0, "name": "f", "arguments": {"x": 1}}});
    let plain = json!({
        "model": "m", "done": true, "done_reason": "stop", "prompt_eval_count": 5, "eval_count": 7,
        "message": {"role": "assistant", "content": "Hello", "thinking": "Hm.", "tool_calls": [call]},
    });
    let line = |message: Value| {
        json!({"model": "m", "message": message, "done": false}).to_string() + "\n"
    };
    let text = [
        line(json!({"role": "assistant", "content": "", "thinking": "H"})),
        line(json!({"role": "assistant", "content": "", "thinking": "m."})),
        line(json!({"role": "assistant", "content": "Hel"})),
        line(json!({"role": "assistant", "content": "lo"})),
        line(json!({"role": "assistant", "content": "", "tool_calls": [call]})),
        json!({"model": "m", "done": true, "done_reason": "stop", "prompt_eval_count": 5, "eval_count": 7,
            "message": {"role": "assistant", "content": ""}}).to_string() + "\n",
    ];
    (Box::new(Ollama::new("m")), plain, text.concat())
}
