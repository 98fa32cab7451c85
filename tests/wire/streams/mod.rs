//! Streams in any pieces, cut anywhere, with all the liberties that servers take.

mod both;
mod calls;
mod cut;

use self::calls::chat;

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
                let expected = ["x", "500"];
                let known = code.is_some_and(|code| expected.contains(&code.as_str()));
                assert!(known, "{}", protocol.id());
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
