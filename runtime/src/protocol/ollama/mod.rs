//! Ollama: `POST /api/chat`.
//!
//! <https://docs.ollama.com/api/chat>

mod decode;
mod encode;
mod stream;

use super::{
    Body, Capabilities, Deferral, Endpoint, Protocol, ProtocolError, Request, StreamDecoder,
    extra::Extra,
    raw,
    stream::{Framed, Framing},
};
use crate::conversation::ModelTurn;

/// The name of the protocol in saved conversations and errors.
const ID: &str = "ollama";

/// Ollama's own protocol.
///
/// It knows no deferred tools and no `tool_choice`, and of a schema only seven words; what they
/// cannot say is written into the descriptions. The context is short by default and cut without a
/// word, so deferring tools matters here most; `extra("options", …)` sets `num_ctx`.
#[derive(Clone, Debug)]
pub struct Ollama {
    model: String,
    pub(super) extra: Extra,
}

impl Ollama {
    /// The protocol for a model such as `qwen3:4b`.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            extra: Extra::default(),
        }
    }
}

impl Protocol for Ollama {
    fn id(&self) -> &'static str {
        ID
    }

    fn provider(&self) -> &str {
        "ollama"
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        request.check_options(ID)?;
        let json = raw::body(&encode::body(self, request)?, &self.extra)?;
        Ok(Body::new("/api/chat", json))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(body)
    }

    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        let frames = stream::OllamaFrames::default();
        Some(Box::new(Framed::new(Framing::Lines, frames)))
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new("http://localhost:11434", "OLLAMA_API_KEY")
    }
}
