//! Google Gemini: `POST /v1beta/models/{model}:generateContent`.
//!
//! <https://ai.google.dev/api/generate-content>

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
const ID: &str = "gemini";

/// Google Gemini.
///
/// The protocol knows no deferred tools. A found tool is added at the end of the declarations
/// ([`Reveal::Append`](super::Reveal::Append)) or called through another one
/// ([`Reveal::Dispatch`](super::Reveal::Dispatch)). It has no references in schemas either: they are
/// written out, and a type that stands within itself is written out twice more and then described.
#[derive(Clone, Debug)]
pub struct Gemini {
    model: String,
    pub(super) extra: Extra,
}

impl Gemini {
    /// The protocol for a model such as `gemini-3-flash-preview`.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            extra: Extra::default(),
        }
    }
}

impl Protocol for Gemini {
    fn id(&self) -> &'static str {
        ID
    }

    fn provider(&self) -> &str {
        "gcp.gemini"
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
        let model = self.model.strip_prefix("models/").unwrap_or(&self.model);
        let action = if request.stream() {
            "streamGenerateContent?alt=sse"
        } else {
            "generateContent"
        };
        Ok(Body::new(format!("/v1beta/models/{model}:{action}"), json))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(body)
    }

    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        let frames = stream::GeminiFrames::default();
        Some(Box::new(Framed::new(Framing::Events, frames)))
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new(
            "https://generativelanguage.googleapis.com",
            "GOOGLE_API_KEY",
        )
        // The order is that of Google's own client.
        .with_other_key_variable("GEMINI_API_KEY")
        .with_key_header("x-goog-api-key", "")
    }
}
