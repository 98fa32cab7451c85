//! Limits of time and size, and what an error tells.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use repertoire::{
    Anthropic, Conversation, Gemini, Ollama,
    model::{CallErrorKind as Kind, Model, ModelError, Timeouts},
    protocol::{Chat, Request, StreamEvent},
};
use serde_json::json;

use super::{CHUNK, outcome, quick};
use crate::server::{Does, Server, answer, stream_head};

#[tokio::test]
async fn the_total_limit_covers_retries() {
    let server = Server::start(vec![Does::SendsAndHangs(Vec::new())]).await;
    let mut timeouts = Timeouts::default();
    timeouts.total = Duration::from_millis(200);
    let start = Instant::now();
    let (text, _) = outcome(
        &quick(Chat::new("m"), &server.url).timeouts(timeouts),
        false,
    )
    .await;
    assert_eq!(text, "Timeout - - x1");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn where_the_time_runs_out_between_tries_the_last_one_is_told() {
    let busy = answer(
        503,
        &[("retry-after-ms", "1000"), ("x-request-id", "r7")],
        "{}",
    );
    let server = Server::start(vec![Does::Sends(busy)]).await;
    let mut timeouts = Timeouts::default();
    timeouts.total = Duration::from_millis(300);
    let model = quick(Chat::new("m"), &server.url).timeouts(timeouts);
    let (text, _) = outcome(&model, false).await;
    assert_eq!(text, "Timeout 503 - x1");
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let request = Request::new(conversation.items());
    let error = model.respond(request).await.unwrap_err().to_string();
    for part in [
        "no complete answer within 300ms",
        "the try before failed: ",
        "r7",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[tokio::test]
async fn an_error_that_a_stream_of_ollama_begins_with_is_tried_again() {
    let line = |json: &str| {
        let head = [("content-type", "application/x-ndjson")];
        Does::Sends(answer(200, &head, format!("{json}\n")))
    };
    let server = Server::start(vec![
        line(r#"{"error":"llama runner process has terminated"}"#),
        line(r#"{"message":{"role":"assistant","content":"fine"},"done":true}"#),
    ])
    .await;
    let (text, _) = outcome(&quick(Ollama::new("m"), &server.url), true).await;
    assert_eq!(text, "fine");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn the_provider_is_waited_for_as_long_as_it_asks() {
    // Gemini says it in the body, the others in a header.
    let body = json!({"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": [
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.4s"}]}});
    let good =
        json!({"candidates": [{"content": {"parts": [{"text": "fine"}]}, "finishReason": "STOP"}]});
    let server = Server::start(vec![
        Does::Sends(answer(429, &[], body.to_string())),
        Does::Sends(answer(200, &[], good.to_string())),
    ])
    .await;
    let start = Instant::now();
    let (text, _) = outcome(&quick(Gemini::new("m"), &server.url), false).await;
    assert_eq!(text, "fine");
    assert!(
        start.elapsed() >= Duration::from_millis(400),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn an_error_names_provider_status_code_and_request() {
    let body = r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"},"request_id":"req_1"}"#;
    let server = Server::start(vec![Does::Sends(answer(
        429,
        &[("retry-after", "90")],
        body,
    ))])
    .await;
    let model = quick(Anthropic::new("m"), &server.url);
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let error = match model.respond(Request::new(conversation.items())).await {
        Err(ModelError::Call(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error.provider(), "anthropic");
    assert_eq!(error.kind(), Kind::Provider);
    assert_eq!(error.status(), Some(429));
    assert_eq!(error.code(), Some("rate_limit_error"));
    assert_eq!(error.request_id(), Some("req_1"));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(90)));
    assert_eq!(
        error.to_string(),
        "anthropic: slow down (status 429, code `rate_limit_error`, request req_1)"
    );
}

#[tokio::test]
async fn a_huge_answer_is_refused_with_little_memory() {
    for stream in [false, true] {
        let server = Server::start(vec![Does::SendsZeros(200, 100 << 20)]).await;
        let before = resident();
        let (text, _) = outcome(
            &quick(Chat::new("m"), &server.url).largest_body(8 << 20),
            stream,
        )
        .await;
        assert_eq!(text, "TooLarge - - x1");
        let grown = resident().saturating_sub(before);
        println!(
            "stream {stream}: resident memory grew by {} MiB",
            grown >> 20
        );
        assert!(grown < 64 << 20, "{grown}");
    }
}

/// The resident memory of this process; 0 where the system does not say.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

#[tokio::test]
async fn the_first_event_is_told_while_the_server_withholds_the_rest() {
    let begun = [stream_head(), CHUNK.as_bytes().to_vec()].concat();
    let server = Server::start(vec![Does::SendsAndHangs(begun)]).await;
    let model = quick(Chat::new("m"), &server.url);
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let start = Instant::now();
    let first = Mutex::new(None);
    let mut hear = |event: StreamEvent| {
        first
            .lock()
            .unwrap()
            .get_or_insert((event, start.elapsed()));
    };
    let result = model
        .respond_streaming(Request::new(conversation.items()), &mut hear)
        .await;
    assert!(result.is_err());
    let (event, at) = first.lock().unwrap().take().unwrap();
    assert_eq!(event, StreamEvent::Text("fi".to_owned()));
    assert!(at < Duration::from_millis(250), "{at:?}");
}

#[tokio::test]
async fn the_body_of_an_error_is_read_up_to_a_limit() {
    let server = Server::start(vec![Does::SendsZeros(400, 100 << 20)]).await;
    let (text, _) = outcome(&quick(Chat::new("m"), &server.url), false).await;
    assert_eq!(text, "Provider 400 - x1");
    // What the sockets hold goes out before the connection is seen to be closed.
    let sent = server.zeros();
    println!("of an error of 100 MiB, {} MiB were sent", sent >> 20);
    assert!(sent < 32 << 20, "{sent}");
}
