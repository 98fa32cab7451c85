//! Adds a provider that the crate does not know.
//!
//! ```text
//! cargo run --example custom_protocol [-- BASE_URL]
//! ```
//!
//! The service takes `{"system", "tools", "log"}` at `/complete` and answers `{"say": text}` or
//! `{"call": tool, "with": {…}}`. Without a URL, a request and an answer are shown.

use std::{
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use repertoire::{
    Agent,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    model::Http,
    protocol::{Body, Capabilities, Deferral, Protocol, ProtocolError, Request},
};
use serde_json::{Value, json};

struct Complete;

impl Protocol for Complete {
    fn id(&self) -> &'static str {
        "complete"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        // All tools that the model may call now, found ones included.
        let tools = request.offered().map(|tool| json!({"name": tool.name(), "about": tool.description(), "schema": tool.schema()}));
        let mut log = Vec::new();
        for item in request.items() {
            match item {
                Item::User(message) => log.push(json!({"user": message.to_text()})),
                Item::Model(turn) => {
                    let calls = turn.calls().map(|call| json!({"call": call.name(), "with": call.arguments()}));
                    log.extend(calls.chain((!turn.text().is_empty()).then(|| json!({"say": turn.text()}))));
                }
                Item::Results(results) => log.extend(results.iter().map(|result| {
                    json!({"result": request.result_text(result), "failed": result.is_failed()})
                })),
                _ => {}
            }
        }
        let body =
            json!({"system": request.system(), "tools": tools.collect::<Vec<_>>(), "log": log});
        Ok(Body::new("/complete", body.to_string()))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        let answer: Value =
            serde_json::from_slice(body).map_err(|reason| ProtocolError::Decode {
                protocol: "complete",
                reason,
            })?;
        let (part, stop) = match (answer["call"].as_str(), answer["say"].as_str()) {
            // Identifiers have to differ from each other in a conversation.
            (Some(tool), _) => (
                ModelPart::Call(ToolCall::new(fresh_id(), tool, answer["with"].to_string())),
                StopReason::ToolCalls,
            ),
            (None, Some(text)) => (ModelPart::Text(text.to_owned()), StopReason::End),
            (None, None) => {
                return Err(ProtocolError::provider(
                    "complete",
                    None,
                    answer.to_string(),
                ));
            }
        };
        Ok(ModelTurn::new(vec![part], stop, Usage::default()))
    }
}

fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    format!(
        "{}-{}",
        now.as_nanos(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

async fn show() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(url) = std::env::args().nth(1) {
        let agent = Agent::builder(Http::new(Complete).base_url(url)).build()?;
        println!("{}", agent.run("Hello").await?.text());
        return Ok(());
    }
    let items = [Item::User("Hello".into())];
    println!(
        "{}",
        Complete
            .encode(&Request::new(&items).with_system("Be brief."))?
            .json()
    );
    println!("{}", Complete.decode(br#"{"say": "Hello."}"#)?.text());
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match show().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
