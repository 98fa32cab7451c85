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
