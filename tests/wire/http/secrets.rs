//! No key gets out.

use repertoire::{
    Agent, Conversation, Error,
    model::{Http, ModelError, Retries},
    protocol::Chat,
};
use serde_json::json;

use super::{CANARY, outcome, quick};
use crate::server::{Does, Server, answer};

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

/// The message of a call that fails.
async fn message(http: &Http<Chat>) -> String {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let request = repertoire::protocol::Request::new(conversation.items());
    match repertoire::model::Model::respond(http, request).await {
        Err(error) => format!("{error} {error:?}"),
        Ok(_) => panic!("it did not fail"),
    }
}

/// No piece of the key that is long enough to be of use.
fn assert_no_piece(said: &str) {
    let together: String = said.split_whitespace().collect();
    assert!(!together.contains(&CANARY[..8]), "{said}");
}

#[tokio::test]
async fn a_key_that_is_cut_or_broken_is_not_told_either() {
    let html = [("content-type", "text/html")];
    let fill = |length: usize| "y".repeat(length);
    let (first, rest) = CANARY.split_at(12);
    for length in 175..200 {
        let page = format!("<body>{} {CANARY} more</body>", fill(length - 8));
        let long = json!({"error": {"message": format!("{}{CANARY}", fill(length + 1800))}});
        for does in [
            answer(502, &html, page),
            answer(502, &html, format!("{} {first}\n{rest}", fill(20))),
            answer(400, &[], long.to_string()),
        ] {
            let server = Server::start(vec![Does::Sends(does)]).await;
            let http = quick(Chat::new("m"), &server.url).retries(Retries::none());
            assert_no_piece(&message(&http).await);
        }
    }
}

#[tokio::test]
async fn passwords_and_queries_of_addresses_are_not_told() {
    let body = json!({"error": {"message": format!("user me:{CANARY}")}}).to_string();
    let server = Server::start(vec![Does::Sends(answer(407, &[], body))]).await;
    let host = server.url.trim_start_matches("http://");
    let plain = || Http::new(Chat::new("m")).retries(Retries::none());
    let cases = [
        plain().base_url(format!("http://me:{CANARY}@{host}")),
        plain()
            .base_url("http://models.invalid")
            .proxy(format!("http://me:{CANARY}@{host}")),
        plain().base_url(format!("http://127.0.0.1:1?key={CANARY}")),
        plain().base_url(format!("me:{CANARY}@127.0.0.1:1")),
        plain().base_url(format!("http://me:p/{CANARY}@127.0.0.1:1")),
    ];
    for http in cases {
        assert_no_piece(&format!("{http:?} {}", message(&http).await));
    }
    let chat = Chat::new("m").extra("api_key", CANARY).unwrap();
    assert_no_piece(&format!("{chat:?}"));
}
