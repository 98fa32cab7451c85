//! OpenAI Responses: `POST /v1/responses`.
//!
//! <https://platform.openai.com/docs/api-reference/responses>

mod decode;
mod encode;

use super::{Body, Capabilities, Deferral, Protocol, ProtocolError, Request};
use crate::conversation::ModelTurn;

/// The name of the protocol in saved conversations and errors.
const ID: &str = "openai-responses";

/// OpenAI Responses, stateless: every request carries the whole history and nothing is stored.
///
/// Deferred tools are not sent. The model asks for them with `tool_search_call`, and
/// `tool_search_output` brings their definitions, so the tools of a request never change.
#[derive(Clone, Debug)]
pub struct Responses {
    model: String,
}

impl Responses {
    /// The protocol for a model such as `gpt-5.4`. Models before it have no tool search.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
        }
    }
}

impl Protocol for Responses {
    fn id(&self) -> &'static str {
        ID
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::Definitions)
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        let json = serde_json::to_string(&encode::body(&self.model, request)?)
            .map_err(ProtocolError::Encode)?;
        Ok(Body::new("/v1/responses", json))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(body)
    }
}
