//! Streamed and plain answers.

use super::*;

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
