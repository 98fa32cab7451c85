//! A server with every fault there is: what a program sees of it, and that no key gets out.

use std::{
    io::Write,
    sync::Mutex,
    time::{Duration, Instant},
};

use repertoire::{
    Agent, Anthropic, Conversation, Error, Gemini, Responses,
    conversation::ModelTurn,
    model::{CallErrorKind as Kind, Http, Model, ModelError, Retries, Timeouts},
    protocol::{Chat, ChatVendor, Protocol, Request, StreamEvent},
};
use serde_json::json;

use crate::server::{Does, Server, answer, stream_head};

/// A key that must be found nowhere.
const CANARY: &str = "sk-canary-5f1d0c7b9e";

const GOOD: &str = r#"{"id":"c","choices":[{"message":{"role":"assistant","content":"fine"},"finish_reason":"stop"}]}"#;
const CHUNK: &str = "data: {\"id\":\"c\",\"choices\":[{\"delta\":{\"content\":\"fi\"}}]}\n\n";
const REST: &str = "data: {\"id\":\"c\",\"choices\":[{\"delta\":{\"content\":\"ne\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn quick<P: Protocol>(protocol: P, url: &str) -> Http<P> {
    let mut timeouts = Timeouts::default();
    timeouts.first_byte = Duration::from_millis(300);
    timeouts.idle = Duration::from_millis(300);
    timeouts.total = Duration::from_secs(20);
    let mut retries = Retries::default();
    retries.most = 2;
    retries.first_wait = Duration::from_millis(5);
    retries.longest_wait = Duration::from_millis(1500);
    Http::new(protocol)
        .base_url(url)
        .key(CANARY)
        .timeouts(timeouts)
        .retries(retries)
}

fn good() -> Does {
    Does::Sends(answer(200, &[], GOOD))
}

/// What came of a call: the text, or the error's kind, status, code and number of tries.
async fn outcome(model: &dyn Model, stream: bool) -> (String, Vec<StreamEvent>) {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let mut events = Vec::new();
    let request = Request::new(conversation.items());
    let result = if stream {
        model
            .respond_streaming(request, &mut |event| events.push(event))
            .await
    } else {
        model.respond(request).await
    };
    let text = match result {
        Ok(turn) => turn.text(),
        Err(ModelError::Call(error)) => {
            assert!(!format!("{error} {error:?}").contains(CANARY), "{error:?}");
            format!(
                "{:?} {} {} x{}",
                error.kind(),
                error
                    .status()
                    .map_or("-".to_owned(), |status| status.to_string()),
                error.code().unwrap_or("-"),
                error.attempts()
            )
        }
        Err(other) => panic!("{other:?}"),
    };
    (text, events)
}

async fn faulty(script: Vec<Does>, stream: bool) -> (String, usize) {
    let server = Server::start(script).await;
    let (text, _) = outcome(&quick(Chat::new("m"), &server.url), stream).await;
    (text, server.requests().len())
}

fn error_body(code: &str) -> String {
    json!({"error": {"message": "no", "type": "t", "code": code}}).to_string()
}

#[tokio::test]
async fn the_table_of_outcomes() {
    let limit =
        |headers: &[(&str, &str)]| Does::Sends(answer(429, headers, error_body("slow_down")));
    let soon = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(1));
    let whole = |text: &str| Does::Sends([stream_head(), text.as_bytes().to_vec()].concat());
    let begun = [stream_head(), CHUNK.as_bytes().to_vec()].concat();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let half = &GOOD[..40];
    let page = "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>";
    let html = [("content-type", "text/html")];
    // What the server does, whether it is asked for a stream, what comes of it, how often it is asked.
    let table: Vec<(&str, Vec<Does>, bool, &str, usize)> = vec![
        ("429, then well", vec![limit(&[]), good()], false, "fine", 2),
        (
            "429, retry-after-ms",
            vec![limit(&[("retry-after-ms", "20")]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after in seconds",
            vec![limit(&[("retry-after", "0.02")]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after as a date",
            vec![limit(&[("retry-after", &soon)]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after of an hour",
            vec![limit(&[("retry-after", "3600")]), good()],
            false,
            "Provider 429 slow_down x1",
            1,
        ),
        (
            "429, x-should-retry: false",
            vec![limit(&[("x-should-retry", "false")]), good()],
            false,
            "Provider 429 slow_down x1",
            1,
        ),
        (
            "429 for want of money",
            vec![
                Does::Sends(answer(429, &[], error_body("insufficient_quota"))),
                good(),
            ],
            false,
            "Provider 429 insufficient_quota x1",
            1,
        ),
        (
            "429 again and again",
            vec![limit(&[])],
            false,
            "Provider 429 slow_down x3",
            3,
        ),
        (
            "400, x-should-retry: true",
            vec![
                Does::Sends(answer(400, &[("x-should-retry", "true")], "{}")),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "529, then well",
            vec![
                Does::Sends(answer(529, &[], error_body("overloaded_error"))),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "500 again and again",
            vec![Does::Sends(answer(500, &[], "{}"))],
            false,
            "Provider 500 - x3",
            3,
        ),
        (
            "401",
            vec![
                Does::Sends(answer(401, &[], error_body("invalid_api_key"))),
                good(),
            ],
            false,
            "Provider 401 invalid_api_key x1",
            1,
        ),
        (
            "hang before the head",
            vec![Does::SendsAndHangs(Vec::new())],
            false,
            "Timeout - - x3",
            3,
        ),
        (
            "hang before the head, then well",
            vec![Does::SendsAndHangs(Vec::new()), good()],
            false,
            "fine",
            2,
        ),
        (
            "hang in the middle of a body",
            vec![
                Does::SendsAndHangs(answer(200, &[("content-length", "500")], half)),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "hang in the middle of a stream",
            vec![Does::SendsAndHangs(begun.clone()), good()],
            true,
            "Timeout - - x1",
            1,
        ),
        (
            "hang after the end of a stream",
            vec![Does::SendsAndHangs(
                [begun.clone(), REST.as_bytes().to_vec()].concat(),
            )],
            true,
            "fine",
            1,
        ),
        (
            "reset before the head",
            vec![Does::SendsAndResets(Vec::new()), good()],
            false,
            "fine",
            2,
        ),
        (
            "reset in the middle of a stream",
            vec![Does::SendsAndResets(begun.clone()), good()],
            true,
            "Interrupted - - x1",
            1,
        ),
        (
            "end in the middle of a stream",
            vec![whole(CHUNK), good()],
            true,
            "Interrupted - - x1",
            1,
        ),
        (
            "end before the first event",
            vec![whole(": wait\n\n"), whole(&format!("{CHUNK}{REST}"))],
            true,
            "fine",
            2,
        ),
        (
            "no [DONE]",
            vec![whole(&format!(
                "{CHUNK}{}",
                REST.replace("data: [DONE]\n\n", "")
            ))],
            true,
            "fine",
            1,
        ),
        ("a stream that is none", vec![good()], true, "fine", 1),
        (
            "truncated JSON",
            vec![Does::Sends(answer(200, &[], half)), good()],
            false,
            "Protocol - - x1",
            1,
        ),
        (
            "fewer bytes than promised",
            vec![
                Does::Sends(answer(200, &[("content-length", "500")], half)),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "a page in place of an error",
            vec![Does::Sends(answer(502, &html, page))],
            false,
            "Provider 502 - x3",
            3,
        ),
        (
            "a page in place of an answer",
            vec![Does::Sends(answer(200, &html, page))],
            false,
            "Protocol - - x1",
            1,
        ),
        (
            "an error with status 200",
            vec![Does::Sends(answer(200, &[], error_body("x")))],
            false,
            "Provider - x x1",
            1,
        ),
        (
            "an error in the stream",
            vec![whole(&format!("{CHUNK}data: {}\n\n", error_body("x")))],
            true,
            "Provider - x x1",
            1,
        ),
        (
            "redirect",
            vec![
                Does::Sends(answer(307, &[("location", "http://127.0.0.1:1/")], "")),
                good(),
            ],
            false,
            "Provider 307 - x1",
            1,
        ),
        (
            "gzip",
            vec![Does::Sends(answer(
                200,
                &[("content-encoding", "gzip")],
                gzip,
            ))],
            false,
            "fine",
            1,
        ),
        (
            "an empty body",
            vec![Does::Sends(answer(200, &[], ""))],
            false,
            "Protocol - - x1",
            1,
        ),
    ];
    for (name, script, stream, expected, requests) in table {
        let (text, asked) = faulty(script, stream).await;
        println!("{name:<34} {text}, asked {asked}");
        assert_eq!((text.as_str(), asked), (expected, requests), "{name}");
    }
}

#[tokio::test]
async fn nobody_there_is_a_lost_connection() {
    let (text, _) = outcome(&quick(Chat::new("m"), "http://127.0.0.1:1"), false).await;
    assert_eq!(text, "Connect - - x3");
}

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
        let server = Server::start(vec![Does::SendsZeros(100 << 20)]).await;
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
async fn each_protocol_asks_at_its_own_path_with_its_own_header() {
    let authorization = format!("authorization: bearer {CANARY}");
    type Connect = Box<dyn Fn(&str) -> Box<dyn Model>>;
    let cases: Vec<(Connect, &str, String)> = vec![
        (
            Box::new(|url| Box::new(quick(Chat::at(ChatVendor::Groq, "m"), url))),
            "POST /chat/completions ",
            authorization.clone(),
        ),
        (
            Box::new(|url| Box::new(quick(Responses::new("m"), &format!("{url}/v1/")))),
            "POST /v1/responses ",
            authorization.clone(),
        ),
        (
            Box::new(|url| Box::new(quick(Anthropic::new("m"), &format!("{url}/v1")))),
            "POST /v1/messages ",
            format!("x-api-key: {CANARY}"),
        ),
        (
            Box::new(|url| Box::new(quick(Gemini::new("m"), url))),
            "POST /v1beta/models/m:generateContent ",
            format!("x-goog-api-key: {CANARY}"),
        ),
        (
            Box::new(|url| Box::new(quick(Chat::new("m"), url).key_header("api-key", ""))),
            "POST /chat/completions ",
            format!("api-key: {CANARY}"),
        ),
    ];
    for (model, path, header) in cases {
        let server = Server::start(vec![Does::Sends(answer(400, &[], "{}"))]).await;
        outcome(model(&server.url).as_ref(), false).await;
        let request = server.requests().remove(0);
        assert!(request.starts_with(path), "{request}");
        let lower = request.to_lowercase();
        assert!(lower.contains(&header), "{request}");
        assert_eq!(
            lower.contains("anthropic-version: 2023-06-01"),
            path.contains("messages")
        );
        assert!(!request.split_once("\r\n\r\n").unwrap().1.contains(CANARY));
    }
}

#[tokio::test]
async fn a_key_is_in_nothing_that_is_printed_or_saved() {
    // The server repeats the key wherever it can.
    let body = json!({"error": {"message": format!("bad key {CANARY}!"), "code": CANARY}});
    let echo = Does::Sends(answer(401, &[("x-request-id", CANARY)], body.to_string()));
    let page = Does::Sends(answer(
        403,
        &[("content-type", "text/html")],
        format!("<title>{CANARY}</title>"),
    ));
    let redirect = Does::Sends(answer(
        302,
        &[("location", &format!("http://u:{CANARY}@h/?k={CANARY}"))],
        "",
    ));
    let mut said = String::new();
    for does in [echo, page, redirect] {
        let server = Server::start(vec![does]).await;
        let http = quick(Chat::new("m"), &server.url).header("x-more", CANARY);
        said.push_str(&format!("{http:?} {http:#?}"));
        let agent = Agent::builder(http).build().unwrap();
        let mut conversation = Conversation::new();
        let error = agent.run_in(&mut conversation, "hi").await.unwrap_err();
        said.push_str(&format!(
            "{error} {error:?} {error:#?} {}",
            conversation.to_json()
        ));
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            said.push_str(&format!("{error} {error:?}"));
            cause = error.source();
        }
        assert!(matches!(error, Error::Model(ModelError::Call(_))));
    }
    // A key that cannot be sent, a proxy with a password, nobody there.
    let http = quick(Chat::new("m"), "http://127.0.0.1:1").key(format!("{CANARY}\n{CANARY}"));
    said.push_str(&format!("{:?}", outcome(&http, false).await));
    let http = Http::new(Chat::new("m"))
        .key(CANARY)
        .proxy(format!("http://me:{CANARY}@127.0.0.1:1"))
        .retries(Retries::none());
    said.push_str(&format!("{http:?} {:?}", outcome(&http, false).await));
    assert!(said.contains("bad key [secret]!"), "{said}");
    assert!(!said.contains(CANARY), "{said}");
}

#[tokio::test]
async fn a_missing_key_names_the_variable() {
    let http = Http::new(Chat::at(ChatVendor::DeepSeek, "m"));
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let error = http
        .respond(Request::new(conversation.items()))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "deepseek: there is no key; set `DEEPSEEK_API_KEY`"
    );
}

#[tokio::test]
async fn a_client_of_the_users_own_is_used() {
    let server = Server::start(vec![good()]).await;
    let client = repertoire::model::reqwest::Client::builder()
        .tls_backend_preconfigured(tls())
        .user_agent("mine/1")
        .build()
        .unwrap();
    let (text, _) = outcome(&quick(Chat::new("m"), &server.url).client(client), false).await;
    assert_eq!(text, "fine");
    assert!(server.requests()[0].contains("user-agent: mine/1"));
}

fn tls() -> rustls::ClientConfig {
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

#[tokio::test]
async fn a_proxy_gets_the_request() {
    let proxy = Server::start(vec![good()]).await;
    let http = quick(Chat::new("m"), "http://models.invalid/v1").proxy(&proxy.url);
    let (text, _) = outcome(&http, false).await;
    assert_eq!(text, "fine");
    assert!(proxy.requests()[0].starts_with("POST http://models.invalid/v1/chat/completions "));
}

/// So that the compiler checks it: calls can be made from many threads.
#[allow(dead_code)]
fn futures_are_send(http: &Http<Chat>, request: Request<'static>) {
    fn is_send<T: Send>(_: T) {}
    fn turn(_: &ModelTurn) {}
    let future = async move { http.respond(request).await.map(|answer| turn(&answer)) };
    is_send(future);
}
