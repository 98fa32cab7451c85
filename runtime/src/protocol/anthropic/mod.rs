//! Anthropic Messages: `POST /v1/messages`.
//!
//! <https://docs.claude.com/en/api/messages>

mod decode;
mod encode;

use super::{Body, Capabilities, Deferral, Protocol, ProtocolError, Request};
use crate::conversation::ModelTurn;

/// The name of the protocol in saved conversations and errors.
const ID: &str = "anthropic";

/// The protocol demands a limit on output tokens; this one is used where a request names none.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// Anthropic Messages.
///
/// Every tool is sent in every request, the deferred ones marked `defer_loading`, which keeps them
/// out of the model's sight. The result of a search holds `tool_reference` blocks, and the provider
/// shows the model what they point to. The tools of a request never change.
#[derive(Clone, Debug)]
pub struct Anthropic {
    model: String,
}

impl Anthropic {
    /// The protocol for a model such as `claude-sonnet-4-5`. Models before the fourth generation
    /// have no tool references.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
        }
    }
}

impl Protocol for Anthropic {
    fn id(&self) -> &'static str {
        ID
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::References)
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        let json = serde_json::to_string(&encode::body(&self.model, request)?)
            .map_err(ProtocolError::Encode)?;
        Ok(Body::new("/v1/messages", json).with_header("anthropic-version", "2023-06-01"))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(body)
    }
}
