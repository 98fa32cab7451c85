//! Recorded traffic decodes, and its calls are the ones that the raw JSON holds.

use std::collections::BTreeMap;

use repertoire::protocol::{ProtocolError, StreamEvent};
use serde_json::{Value, json};

use crate::{
    exchange::{Api, Exchange, Recorded, stream},
    recorded,
};

/// A call read from the raw JSON: identifier where the wire has one, name, arguments.
#[derive(Debug)]
struct RawCall {
    id: Option<String>,
    name: String,
    /// A string where the wire has one, otherwise the object.
    arguments: Value,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn id(value: &Value) -> Option<String> {
    value
        .as_str()
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
}

/// The `data:` lines of a stream, or its lines.
fn chunks(text: &str) -> Vec<Value> {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("data: ").unwrap_or(line));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn raw_calls(api: Api, exchange: &Exchange) -> Vec<RawCall> {
    let pieces = match &exchange.response {
        Recorded::Body(body) => vec![body.clone()],
        Recorded::Stream(text) => chunks(text),
    };
    match api {
        Api::Responses => responses_calls(&pieces),
        Api::Chat(_) => chat_calls(&pieces),
        Api::Anthropic => anthropic_calls(&pieces),
        Api::Gemini => pieces
            .iter()
            .filter_map(|piece| piece["candidates"][0]["content"]["parts"].as_array())
            .flatten()
            .filter_map(|part| part.get("functionCall"))
            .map(|call| RawCall {
                id: id(&call["id"]),
                name: text(&call["name"]),
                arguments: call.get("args").cloned().unwrap_or_else(|| json!({})),
            })
            .collect(),
        Api::Ollama => pieces
            .iter()
            .filter_map(|piece| piece["message"]["tool_calls"].as_array())
            .flatten()
            .map(|call| RawCall {
                id: id(&call["id"]),
                name: text(&call["function"]["name"]),
                arguments: call["function"]["arguments"].clone(),
            })
            .collect(),
    }
}

fn responses_calls(pieces: &[Value]) -> Vec<RawCall> {
    let mut items: Vec<Value> = Vec::new();
    for piece in pieces {
        if piece["type"] == "response.output_item.done" {
            items.push(piece["item"].clone());
        } else if let Some(output) = piece["output"].as_array() {
            items.extend(output.iter().cloned());
        }
    }
    let calls = items
        .into_iter()
        .filter_map(|item| match item["type"].as_str() {
            Some("function_call") => Some(RawCall {
                id: id(&item["call_id"]),
                name: text(&item["name"]),
                arguments: item["arguments"].clone(),
            }),
            Some("tool_search_call") if item["call_id"].is_string() => Some(RawCall {
                id: id(&item["call_id"]),
                name: "tool_search".to_owned(),
                arguments: item["arguments"].clone(),
            }),
            _ => None,
        });
    calls.collect()
}

fn chat_calls(pieces: &[Value]) -> Vec<RawCall> {
    let mut calls: Vec<RawCall> = Vec::new();
    let mut places: BTreeMap<i64, usize> = BTreeMap::new();
    for piece in pieces {
        let choice = &piece["choices"][0];
        for call in choice["message"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            calls.push(RawCall {
                id: id(&call["id"]),
                name: text(&call["function"]["name"]),
                arguments: call["function"]["arguments"].clone(),
            });
        }
        for call in choice["delta"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let index = call["index"].as_i64().unwrap_or(0);
            let fresh =
                id(&call["id"]).filter(|id| !calls.iter().any(|call| call.id.as_ref() == Some(id)));
            if fresh.is_some() || !places.contains_key(&index) {
                places.insert(index, calls.len());
                calls.push(RawCall {
                    id: fresh,
                    name: text(&call["function"]["name"]),
                    arguments: json!(""),
                });
            }
            let known = &mut calls[places[&index]];
            let more = text(&known.arguments) + &text(&call["function"]["arguments"]);
            known.arguments = json!(more);
        }
    }
    calls
}

fn anthropic_calls(pieces: &[Value]) -> Vec<RawCall> {
    let mut calls: BTreeMap<i64, (RawCall, String)> = BTreeMap::new();
    for piece in pieces {
        for (index, block) in piece["content"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            if block["type"] == "tool_use" {
                let call = RawCall {
                    id: id(&block["id"]),
                    name: text(&block["name"]),
                    arguments: block["input"].clone(),
                };
                calls.insert(index as i64, (call, String::new()));
            }
        }
        let index = piece["index"].as_i64().unwrap_or(-1);
        let block = &piece["content_block"];
        if block["type"] == "tool_use" {
            let call = RawCall {
                id: id(&block["id"]),
                name: text(&block["name"]),
                arguments: json!({}),
            };
            calls.insert(index, (call, String::new()));
        }
        if let (Some(json), Some((_, input))) = (
            piece["delta"]["partial_json"].as_str(),
            calls.get_mut(&index),
        ) {
            input.push_str(json);
        }
    }
    let finished = calls.into_values().map(|(mut call, input)| {
        if !input.trim().is_empty() {
            call.arguments = serde_json::from_str(&input).unwrap();
        }
        call
    });
    finished.collect()
}

#[test]
fn every_recorded_response_decodes_or_is_the_providers_own_error() {
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut decoded, mut calls) = (0, 0);
    let exchanges = recorded("every_recorded_response_decodes_or_is_the_providers_own_error");
    if exchanges.is_empty() {
        return;
    }
    for exchange in &exchanges {
        let Some(api) = exchange.api() else { continue };
        let place = format!("{}[{}]", exchange.file, exchange.number);
        match exchange.decode(api.protocol().as_ref()) {
            Ok(turn) => {
                decoded += 1;
                assert!(exchange.status < 400, "{place}: {turn:?}");
                let raw = raw_calls(api, exchange);
                let ours: Vec<_> = turn.calls().collect();
                assert_eq!(raw.len(), ours.len(), "{place}: {raw:?} {ours:?}");
                for (raw, ours) in raw.iter().zip(ours) {
                    calls += 1;
                    assert_eq!(raw.name, ours.name(), "{place}");
                    match &raw.id {
                        Some(id) => assert_eq!(id, ours.id(), "{place}"),
                        None => assert!(!ours.id().is_empty(), "{place}"),
                    }
                    match &raw.arguments {
                        Value::String(text) if text.is_empty() => {
                            assert_eq!(ours.arguments(), "{}", "{place}");
                        }
                        Value::String(text) => assert_eq!(text, ours.arguments(), "{place}"),
                        Value::Null => assert_eq!(ours.arguments(), "{}", "{place}"),
                        object => {
                            let ours: Value = serde_json::from_str(ours.arguments()).unwrap();
                            assert_eq!(*object, ours, "{place}");
                        }
                    }
                }
            }
            Err(ProtocolError::Provider { code, .. }) => {
                let code = code.unwrap_or_default();
                let reason = format!("{} {} {code}", api.name(), exchange.status);
                refused
                    .entry(reason)
                    .or_default()
                    .push(exchange.file.clone());
            }
            Err(other) => panic!("{place}: {other}"),
        }
    }
    println!("{decoded} decoded, {calls} calls compared");
    assert_eq!((decoded, calls), (1074, EXPECTED_CALLS));
    // All that may be refused: errors of the providers, by protocol, status and code. The two with
    // status 200 are errors in the middle of a stream.
    let expected = [
        ("anthropic 400 invalid_request_error", 6),
        ("anthropic 401 authentication_error", 2),
        ("anthropic 404 not_found_error", 2),
        ("chat 200 tool_use_failed", 2),
        ("chat 400 exceed_context_size_error", 1),
        ("chat 400 invalid_request_error", 1),
        ("chat 400 tool_use_failed", 2),
        ("chat 404 model_not_found", 1),
        ("chat 500 server_error", 1),
        ("gemini 404 NOT_FOUND", 1),
        ("responses 400 invalid_request_error", 1),
        ("responses 400 model_not_found", 4),
        ("responses 400 previous_response_not_found", 1),
        ("responses 401 ", 1),
        ("responses 401 invalid_api_key", 4),
    ];
    let counted: Vec<(&str, usize)> = refused
        .iter()
        .map(|(reason, files)| (reason.as_str(), files.len()))
        .collect();
    assert_eq!(counted, expected, "{refused:#?}");
}

/// How many calls the recordings hold; a change of the data shows here.
const EXPECTED_CALLS: usize = 579;

#[test]
fn events_of_a_stream_say_the_same_as_its_turn() {
    for exchange in recorded("events_of_a_stream_say_the_same_as_its_turn") {
        let (Some(api), Recorded::Stream(text)) = (exchange.api(), &exchange.response) else {
            continue;
        };
        let (events, turn) = stream(api.protocol().as_ref(), text.as_bytes(), usize::MAX);
        let Ok(turn) = turn else { continue };
        let mut said = String::new();
        let mut calls: Vec<(String, String, String, bool)> = Vec::new();
        for event in &events {
            match event {
                StreamEvent::Text(text) => said.push_str(text),
                StreamEvent::CallStart { index, id, name } => {
                    assert_eq!(*index, calls.len(), "{}", exchange.file);
                    calls.push((id.clone(), name.clone(), String::new(), false));
                }
                StreamEvent::CallArguments { index, delta } => calls[*index].2.push_str(delta),
                StreamEvent::CallEnd { index } => calls[*index].3 = true,
                _ => {}
            }
        }
        assert_eq!(said, turn.text(), "{}", exchange.file);
        let told: Vec<(String, String, String, bool)> = turn
            .calls()
            .map(|call| {
                let arguments = call.arguments().to_owned();
                (
                    call.id().to_owned(),
                    call.name().to_owned(),
                    arguments,
                    true,
                )
            })
            .collect();
        for (told, call) in told.iter().zip(&mut calls) {
            // Nothing is told of empty arguments, which the turn writes as an empty object.
            if call.2.is_empty() {
                call.2.push_str("{}");
            }
            assert_eq!(told, call, "{}", exchange.file);
        }
        assert_eq!(told.len(), calls.len(), "{}", exchange.file);
        assert_eq!(events.last(), Some(&StreamEvent::Stop(turn.stop())));
    }
}
