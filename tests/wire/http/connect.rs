//! Where a request goes and what it carries.

use repertoire::{
    Anthropic, Conversation, Gemini, Responses,
    conversation::ModelTurn,
    model::{Http, Model, Timeouts},
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
    let mine = || quick(Chat::new("m"), &server.url).client(client.clone());
    // What is set later leaves it as it is, or says that it does nothing.
    for model in [mine(), mine().timeouts(Timeouts::default())] {
        assert_eq!(outcome(&model, false).await.0, "fine");
    }
    assert_eq!(server.requests().len(), 2);
    for request in server.requests() {
        assert!(request.contains("user-agent: mine/1"), "{request}");
    }
    for model in [
        mine().proxy("http://127.0.0.1:1"),
        mine().root_certificate("x"),
    ] {
        let mut conversation = Conversation::new();
        conversation.push_user("hi");
        let request = Request::new(conversation.items());
        let error = model.respond(request).await.unwrap_err().to_string();
        assert!(error.contains("does nothing beside `client`"), "{error}");
    }
    assert_eq!(server.requests().len(), 2, "nothing was sent");
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

/// A protocol of a user's own, whose headers are odd.
struct Odd(&'static str, &'static str);

impl repertoire::protocol::Protocol for Odd {
    fn id(&self) -> &'static str {
        "odd"
    }

    fn capabilities(&self) -> repertoire::protocol::Capabilities {
        Chat::new("m").capabilities()
    }

    fn encode(
        &self,
        request: &Request<'_>,
    ) -> Result<repertoire::protocol::Body, repertoire::protocol::ProtocolError> {
        let body = Chat::new("m").encode(request)?;
        Ok(body.with_header(self.0, self.1))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, repertoire::protocol::ProtocolError> {
        Chat::new("m").decode(body)
    }
}

#[tokio::test]
async fn odd_headers_are_sent_or_refused() {
    for (name, value, expected) in [
        ("X-Version", "1", "fine"),
        ("x y", "1", "Setup - - x1"),
        ("x", "a\nb", "Setup - - x1"),
        ("Content-Length", "3", "Setup - - x1"),
    ] {
        let server = Server::start(vec![good()]).await;
        let (text, _) = outcome(&quick(Odd(name, value), &server.url), false).await;
        assert_eq!(text, expected, "{name}");
        let http = quick(Chat::new("m"), &server.url).header(name, value);
        assert_eq!(outcome(&http, false).await.0, expected, "{name}");
    }
    // An empty key is none, and one that is no ASCII cannot be sent.
    let server = Server::start(vec![good()]).await;
    assert_eq!(
        outcome(&quick(Chat::new("m"), &server.url).key(" "), false)
            .await
            .0,
        "fine"
    );
    assert!(!server.requests()[0].contains("authorization"));
    let http = quick(Chat::new("m"), &server.url).key("schlüssel");
    assert_eq!(outcome(&http, false).await.0, "Setup - - x1");
}

#[tokio::test]
async fn a_query_stays_behind_the_path_and_no_address_is_refused_at_once() {
    let server = Server::start(vec![good()]).await;
    let base = format!(" {}/v1?api-version=2 ", server.url);
    assert_eq!(
        outcome(&quick(Chat::new("m"), &base), false).await.0,
        "fine"
    );
    let request = server.requests().remove(0);
    assert!(
        request.starts_with("POST /v1/chat/completions?api-version=2 "),
        "{request}"
    );
    for wrong in ["127.0.0.1:80", "", "http://h#part"] {
        let (text, _) = outcome(&quick(Chat::new("m"), wrong), false).await;
        assert_eq!(text, "Setup - - x1", "{wrong}");
    }
}

#[tokio::test]
async fn an_empty_conversation_is_not_sent() {
    let server = Server::start(vec![good()]).await;
    let error = quick(Chat::new("m"), &server.url)
        .respond(Request::new(&[]))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("empty"), "{error}");
    assert!(server.requests().is_empty());
}
