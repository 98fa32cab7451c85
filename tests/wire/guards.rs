//! Small guards of requests and streams, each of which keeps a provider from refusing a request.

use repertoire::{
    Anthropic, Chat,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, ToolResult, Usage},
    protocol::{Definition, Protocol, Request},
};
use serde_json::{Value, json};

use crate::exchange::stream;

fn body(protocol: &dyn Protocol, request: &Request<'_>) -> Value {
    serde_json::from_str(protocol.encode(request).unwrap().json()).unwrap()
}

#[test]
fn a_result_with_references_is_no_error() {
    let schema = r#"{"type":"object","properties":{}}"#;
    let tool = |name: &str| Definition::new(name, "x", schema).unwrap();
    let (search, deferred) = (tool("tool_search"), [tool("later")]);
    let call = ToolCall::new("t1", "tool_search", "{}").as_search();
    let turn = ModelTurn::new(
        vec![ModelPart::Call(call.clone())],
        StopReason::ToolCalls,
        Usage::default(),
    );
    let result = |loads: &[&str]| {
        let loads = loads.iter().map(|name| (*name).to_owned()).collect();
        ToolResult::failed(&call, "half of it failed").loading(loads)
    };
    for (loads, is_error) in [(&["later"][..], false), (&[], true)] {
        let items = [
            Item::Model(turn.clone()),
            Item::Results(vec![result(loads)]),
        ];
        let request = Request::new(&items).with_deferred(&search, &deferred);
        let body = body(&Anthropic::new("claude-sonnet-4-5"), &request);
        let sent = &body["messages"][1]["content"][0];
        assert_eq!(sent["is_error"] == true, is_error, "{sent}");
        assert_eq!(sent.to_string().contains("tool_reference"), !is_error);
    }
}

#[test]
fn empty_text_of_another_provider_is_left_out() {
    let call = ModelPart::Call(ToolCall::new("t1", "f", "{}"));
    let parts = vec![ModelPart::Text(" \n".to_owned()), call];
    let turn = ModelTurn::new(parts, StopReason::ToolCalls, Usage::default());
    let items = [Item::Model(turn)];
    let body = body(&Anthropic::new("m"), &Request::new(&items));
    let content = body["messages"][0]["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{body}");
    assert_eq!(content[0]["type"], "tool_use");
}

#[test]
fn members_that_say_nothing_do_not_go_back() {
    let message = json!({"role": "assistant", "content": "fine", "tool_calls": [], "reasoning_content": "", "reasoning": null, "refusal": null});
    let answer = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    for vendor in repertoire::protocol::ChatVendor::ALL {
        let chat = Chat::at(*vendor, "m");
        let items = [Item::Model(
            chat.decode(answer.to_string().as_bytes()).unwrap(),
        )];
        let body = body(&chat, &Request::new(&items));
        let back = &body["messages"][0];
        assert_eq!(
            *back,
            json!({"role": "assistant", "content": "fine"}),
            "{vendor:?}"
        );
    }
}

#[test]
fn other_choices_do_not_mix_with_the_first() {
    let chunk = |index: u8, text: &str, end: Value| json!({"choices": [{"index": index, "delta": {"content": text}, "finish_reason": end}]});
    let chunks = [
        chunk(0, "fi", Value::Null),
        chunk(1, "other", json!("length")),
        chunk(0, "ne", json!("stop")),
    ];
    let text: String = chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect();
    let turn = stream(&Chat::new("m"), text.as_bytes(), usize::MAX)
        .1
        .unwrap();
    assert_eq!(
        (turn.text().as_str(), turn.stop()),
        ("fine", StopReason::End)
    );
}

#[test]
fn a_line_break_of_two_bytes_may_arrive_in_two_pieces() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\r\ndata: \"finish_reason\":\"stop\"}]}\r\n\r\n";
    for size in [1, 2, 3, usize::MAX] {
        let turn = stream(&Chat::new("m"), text.as_bytes(), size).1.unwrap();
        assert_eq!(turn.text(), "a", "{size}");
    }
}
