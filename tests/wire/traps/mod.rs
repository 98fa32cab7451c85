//! Mistakes that others made, each with what it led to. The number is that of a list of known
//! faults in adapters of several languages.

mod calls;
mod loading;
mod schemas;
mod turns;

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
