//! Where answers come from.

mod call_error;
#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
mod http;

use std::fmt;

pub use call_error::{CallError, CallErrorKind};
#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
pub use http::{Http, Retries, Timeouts};
/// The HTTP client behind [`Http`], for [`Http::client`].
#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
pub use reqwest;

use crate::{
    conversation::ModelTurn,
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    protocol::{Capabilities, ProtocolError, Request, StreamEvent},
};

/// Hears the pieces of a response while it arrives.
#[cfg(not(target_arch = "wasm32"))]
pub type OnEvent<'a> = &'a mut (dyn FnMut(StreamEvent) + Send + 'a);
/// Hears the pieces of a response while it arrives.
#[cfg(target_arch = "wasm32")]
pub type OnEvent<'a> = &'a mut (dyn FnMut(StreamEvent) + 'a);

/// A language model, however it is reached.
///
/// Implement it to bring a client of your own: encode the request with a
/// [`Protocol`](crate::protocol::Protocol), send the bytes, decode what comes back.
///
/// ```
/// use repertoire::{
///     BoxFuture,
///     conversation::{ModelPart, ModelTurn, StopReason, Usage},
///     model::{Model, ModelError},
///     protocol::{Capabilities, Deferral, Request},
/// };
///
/// /// Says how long the history is.
/// struct Counter;
///
/// impl Model for Counter {
///     fn capabilities(&self) -> Capabilities {
///         Capabilities::new(Deferral::None)
///     }
///
///     fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
///         let text = format!("{} items", request.items().len());
///         let turn = ModelTurn::new(vec![ModelPart::Text(text)], StopReason::End, Usage::default());
///         Box::pin(async move { Ok(turn) })
///     }
/// }
/// ```
pub trait Model: MaybeSend + MaybeSync + 'static {
    /// What the model can do.
    fn capabilities(&self) -> Capabilities;

    /// Who runs the model, for traces: `openai`, `anthropic`. Default: nothing.
    fn provider(&self) -> &str {
        ""
    }

    /// Which model it is, for traces. Default: nothing.
    fn model(&self) -> &str {
        ""
    }

    /// The body that a request would be sent as, so that its parts can be counted. Default: not
    /// known.
    fn encode(&self, request: &Request<'_>) -> Option<String> {
        let _ = request;
        None
    }

    /// One response to one request.
    ///
    /// # Errors
    /// No response could be had. The run ends; the conversation stays as it was and can continue.
    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>>;

    /// One response to one request, whose pieces are told while they arrive. Default: the pieces
    /// are told when all are there.
    ///
    /// # Errors
    /// As [`respond`](Self::respond). What was told before is void then.
    fn respond_streaming<'a>(
        &'a self,
        request: Request<'a>,
        on_event: OnEvent<'a>,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async move {
            let turn = self.respond(request).await?;
            StreamEvent::of_turn(&turn).into_iter().for_each(on_event);
            Ok(turn)
        })
    }
}

/// Why a model gave no response.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The request could not be written or the response not be read.
    Protocol(ProtocolError),
    /// The service could not be reached, or it answered with an error.
    Call(Box<CallError>),
    /// Anything else: the connection, a script that has no rule for the request, a user's own model.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl ModelError {
    /// An error of a user's own model.
    #[must_use]
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}

impl From<ProtocolError> for ModelError {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Protocol(error) => error.fmt(f),
            Self::Call(error) => error.fmt(f),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message is that of the error within, so what comes next is its source.
        match self {
            Self::Protocol(error) => error.source(),
            Self::Call(error) => error.source(),
            Self::Other(error) => error.source(),
        }
    }
}
