//! What is said to a model and what it answers, in the exact JSON of each provider.
//!
//! A [`Protocol`] is pure: it turns a [`Request`] into bytes and bytes into a [`ModelTurn`]. It opens no connection and reads no clock, so a
//! program with a client of its own can use it alone.

mod anthropic;
mod capabilities;
mod chat;
mod definition;
mod dialect;
mod endpoint;
mod error;
mod extra;
mod failure;
mod function;
mod gemini;
mod ids;
mod images;
mod loose;
mod ollama;
mod raw;
mod request;
mod responses;
mod stream;

pub use anthropic::{Anthropic, CacheTime};
pub use capabilities::{Capabilities, Deferral, Reveal};
pub(crate) use chat::IMAGES_OF_RESULTS;
pub use chat::{Chat, ChatVendor};
pub use definition::Definition;
pub use endpoint::Endpoint;
pub use error::ProtocolError;
#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
pub(crate) use failure::provider_error;
pub use gemini::Gemini;
pub use ollama::Ollama;
pub use request::{Body, Effort, Request, RequestOptions, ToolChoice};
pub use responses::Responses;
pub use stream::{StreamDecoder, StreamEvent};

use crate::{
    conversation::ModelTurn,
    maybe_send::{MaybeSend, MaybeSync},
};

/// One provider's way to write requests and responses.
///
/// ```
/// use repertoire::protocol::{Protocol, Request, Responses};
/// use repertoire::Conversation;
///
/// let mut conversation = Conversation::new();
/// conversation.push_user("hello");
/// let request = Request::new(conversation.items()).with_system("Be brief.");
/// let body = Responses::new("gpt-5.4").encode(&request)?;
/// assert_eq!(body.path(), "/responses");
/// assert!(body.json().contains(r#""instructions":"Be brief.""#));
/// # Ok::<(), repertoire::protocol::ProtocolError>(())
/// ```
pub trait Protocol: MaybeSend + MaybeSync + 'static {
    /// The name that marks the turns of this protocol, so that only it replays their bytes.
    fn id(&self) -> &'static str;

    /// Who runs the model, for traces, in the words of OpenTelemetry. Default: [`id`](Self::id).
    fn provider(&self) -> &str {
        self.id()
    }

    /// Which model it is, for traces. Default: nothing.
    fn model(&self) -> &str {
        ""
    }

    /// What the model behind the protocol can do.
    fn capabilities(&self) -> Capabilities;

    /// The request as the provider wants it.
    ///
    /// # Errors
    /// The request cannot be said in this protocol; the error says which part.
    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError>;

    /// The response that a provider's bytes hold.
    ///
    /// # Errors
    /// The bytes are an error of the provider, or not a response of this protocol.
    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError>;

    /// What reads the response of a request with [`Request::stream`]. Default: nothing, and such
    /// requests are not made.
    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        None
    }

    /// Where requests go unless the user says otherwise, and how a key is shown there. Default: a
    /// server on this machine, port 8000, key in `authorization` from `API_KEY`.
    fn endpoint(&self) -> Endpoint {
        Endpoint::new("http://localhost:8000", "API_KEY")
    }
}
