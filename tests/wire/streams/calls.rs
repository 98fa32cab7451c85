//! Calls whose pieces are marked in many ways.

use super::*;

/// A chat stream of these deltas.
pub fn chat(deltas: &[Value], finish: &str) -> String {
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
