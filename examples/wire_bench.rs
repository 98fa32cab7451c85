//! How fast requests are written and streams are read.
//!
//! ```text
//! cargo run --release --example wire_bench
//! ```

use std::time::{Duration, Instant};

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    conversation::{Item, ToolCall, ToolResult},
    protocol::{Definition, Protocol, Request},
};
use serde_json::{Value, json};

fn main() {
    encoding();
    decoding();
}

fn protocols() -> Vec<Box<dyn Protocol>> {
    vec![
        Box::new(Responses::new("m")),
        Box::new(Chat::new("m")),
        Box::new(Anthropic::new("m")),
        Box::new(Gemini::new("m")),
        Box::new(Ollama::new("m")),
    ]
}

/// A schema of about a kilobyte.
fn schema() -> Value {
    let property = |number: usize| {
        let description = format!("What the argument number {number} of this tool is good for.");
        (
            format!("argument_{number}"),
            json!({"type": "string", "description": description, "minLength": 1}),
        )
    };
    let properties: serde_json::Map<String, Value> = (0..8).map(property).collect();
    json!({"type": "object", "properties": properties, "required": ["argument_0"], "additionalProperties": false})
}

/// 50 turns of a model, each with a call and its result, that the protocol wrote itself.
fn history(protocol: &dyn Protocol) -> Vec<Item> {
    let mut items = vec![Item::User("Is A-1042 in stock?".into())];
    for number in 0..50 {
        let id = format!("call_{number}");
        let arguments = r#"{"argument_0": "A-1042"}"#;
        let object = json!({"argument_0": "A-1042"});
        let text = "Let me look that up in the warehouse.";
        let body = match protocol.id() {
            "openai-responses" => json!({"output": [
                {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]},
                {"type": "function_call", "id": "fc", "call_id": id, "name": "tool_1", "arguments": arguments, "status": "completed"},
            ]}),
            "openai-chat" => {
                json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": text,
                "tool_calls": [{"id": id, "type": "function", "function": {"name": "tool_1", "arguments": arguments}}]}}]})
            }
            "anthropic" => json!({"stop_reason": "tool_use", "content": [
                {"type": "text", "text": text}, {"type": "tool_use", "id": id, "name": "tool_1", "input": object},
            ]}),
            "gemini" => json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
                {"text": text}, {"functionCall": {"id": id, "name": "tool_1", "args": object}, "thoughtSignature": "c2lnbmF0dXJl"},
            ]}}]}),
            _ => json!({"done": true, "message": {"role": "assistant", "content": text,
                "tool_calls": [{"id": id, "function": {"index": 0, "name": "tool_1", "arguments": object}}]}}),
        };
        items.push(Item::Model(
            protocol
                .decode(body.to_string().as_bytes())
                .expect("a good body"),
        ));
        let call = ToolCall::new(id, "tool_1", arguments);
        items.push(Item::Results(vec![ToolResult::ok(
            &call,
            r#"{"sku":"A-1042","available":17}"#,
        )]));
    }
    items
}

fn encoding() {
    let tool = |number: usize| {
        let description = format!(
            "Does what tool number {number} does, and does it \"well\". Use it when it fits."
        );
        Definition::new(format!("tool_{number}"), description, schema().to_string())
            .expect("a schema")
    };
    let tools: Vec<Definition> = (0..100).map(tool).collect();
    println!("encoding 50 turns and 100 tools");
    for protocol in protocols() {
        let items = history(protocol.as_ref());
        let request = Request::new(&items)
            .with_system("You help in a warehouse.")
            .with_tools(&tools);
        let first = Instant::now();
        let size = protocol.encode(&request).expect("it fits").json().len();
        let first = first.elapsed();
        let mut times: Vec<Duration> = (0..500)
            .map(|_| {
                let start = Instant::now();
                std::hint::black_box(protocol.encode(&request).expect("it fits"));
                start.elapsed()
            })
            .collect();
        times.sort();
        println!(
            "  {:<18} median {:>7.1?}, worst of 500 {:>7.1?}, {size} bytes, first {first:.1?}",
            protocol.id(),
            times[times.len() / 2],
            times[times.len() - 1],
        );
    }
}

/// A stream of text in pieces of a few words, as providers send it.
fn text_stream(id: &str) -> Vec<u8> {
    let mut text = String::new();
    let words = "of the warehouse, ";
    let count = 60_000;
    for number in 0..count {
        let event = match id {
            "openai-responses" => {
                json!({"type": "response.output_text.delta", "item_id": "msg_0123456789abcdef0123456789abcdef", "output_index": 0, "content_index": 0, "delta": words, "logprobs": [], "obfuscation": "xYz12", "sequence_number": number})
            }
            "openai-chat" => {
                json!({"id": "chatcmpl-0123456789abcdef", "object": "chat.completion.chunk", "created": 1700000000, "model": "m", "service_tier": "default", "system_fingerprint": "fp_0123456789", "choices": [{"index": 0, "delta": {"content": words}, "logprobs": null, "finish_reason": null}]})
            }
            "anthropic" => {
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}})
            }
            "gemini" => {
                json!({"candidates": [{"content": {"parts": [{"text": words}], "role": "model"}, "index": 0}], "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": number}, "modelVersion": "m", "responseId": "r"})
            }
            _ => {
                json!({"model": "m", "created_at": "2026-01-01T00:00:00.000000Z", "message": {"role": "assistant", "content": words}, "done": false})
            }
        };
        match id {
            "ollama" => text.push_str(&format!("{event}\n")),
            _ => text.push_str(&format!("data: {event}\n\n")),
        }
        if number == 0 && id == "anthropic" {
            text.insert_str(0, "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n");
        }
    }
    text.into_bytes()
}

fn decoding() {
    println!("decoding a stream of text deltas");
    for protocol in protocols() {
        let bytes = text_stream(protocol.id());
        let speed = |size: usize| {
            let mut best = f64::MAX;
            for _ in 0..5 {
                let mut decoder = protocol.decoder().expect("it streams");
                let mut events = Vec::new();
                let start = Instant::now();
                for piece in bytes.chunks(size) {
                    decoder.push(piece, &mut events).expect("a good stream");
                    // As a program that prints them does.
                    std::hint::black_box(&events);
                    events.clear();
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            bytes.len() as f64 / best / 1e6
        };
        println!(
            "  {:<18} {:>6.0} MB/s in 16 KiB, {:>5.0} MB/s in single bytes ({:.1} MB)",
            protocol.id(),
            speed(16 << 10),
            speed(1),
            bytes.len() as f64 / 1e6
        );
    }
}
