//! A server with every fault there is: what a program sees of it, and that no key gets out.

mod called;
mod connect;
mod faults;
mod limits;
mod secrets;
mod tls;

use std::time::Duration;

use repertoire::{
    Conversation,
    model::{Http, Model, ModelError, Retries, Timeouts},
    protocol::{Protocol, Request, StreamEvent},
};

use crate::server::{Does, answer};

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
