//! Calls that arrive in pieces.

use super::*;

fn deltas(calls: &[Value]) -> Vec<ToolCall> {
    let mut text = String::new();
    for call in calls {
        text.push_str(&format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"tool_calls": [call]}}]})
        ));
    }
    text.push_str("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");
    let turn = stream(&Chat::new("m"), text.as_bytes(), usize::MAX)
        .1
        .unwrap();
    turn.calls().cloned().collect()
}

#[test]
fn trap_19_calls_that_all_have_index_0_stay_apart() {
    let calls = deltas(&[
        json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}}),
        json!({"index": 0, "id": "b", "function": {"name": "g", "arguments": "{\"x\":2}"}}),
    ]);
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1].arguments(), "{\"x\":2}");
}

#[test]
fn trap_20_a_call_without_identifier_or_index_is_not_lost() {
    for first in [
        json!({"index": 0, "function": {"name": "f", "arguments": ""}}),
        json!({"function": {"name": "f", "arguments": ""}}),
    ] {
        let calls = deltas(&[first, json!({"function": {"arguments": "{}"}})]);
        assert_eq!(calls.len(), 1);
        assert!(!calls[0].id().is_empty());
        assert_eq!((calls[0].name(), calls[0].arguments()), ("f", "{}"));
    }
}

#[test]
fn trap_21_empty_identifiers_and_names_later_on_change_nothing_and_index_1_is_the_first() {
    let calls = deltas(&[
        json!({"index": 1, "id": "a", "function": {"name": "f", "arguments": "{"}}),
        json!({"index": 1, "id": "", "function": {"name": "", "arguments": "}"}}),
    ]);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        (calls[0].id(), calls[0].name(), calls[0].arguments()),
        ("a", "f", "{}")
    );
}

#[test]
fn trap_22_the_same_call_twice_is_two_calls() {
    let call = |id: &str| json!({"id": id, "function": {"name": "roll", "arguments": {}}});
    let body = json!({"message": {"role": "assistant", "content": "", "tool_calls": [call(""), call(""), call("a"), call("b")]}, "done": true});
    let plain = Ollama::new("m")
        .decode(body.to_string().as_bytes())
        .unwrap();
    let (_, streamed) = stream(
        &Ollama::new("m"),
        format!("{body}\n").as_bytes(),
        usize::MAX,
    );
    for turn in [plain, streamed.unwrap()] {
        let mut ids: Vec<String> = turn.calls().map(|call| call.id().to_owned()).collect();
        assert_eq!(ids.len(), 4);
        ids.dedup();
        assert_eq!(ids.len(), 4);
    }
}
