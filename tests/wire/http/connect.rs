//! Where a request goes and what it carries.

use repertoire::{
    Anthropic, Conversation, Gemini, Responses,
    conversation::ModelTurn,
    model::{Http, Model},
    protocol::{Chat, ChatVendor, Request},
};

use super::{CANARY, good, outcome, quick};
use crate::server::{Does, Server, answer};

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
