//! Where answers come from.

use std::fmt;

use crate::{
    conversation::ModelTurn,
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    protocol::{Capabilities, ProtocolError, Request},
};

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

    /// One response to one request.
    ///
    /// # Errors
    /// No response could be had. The run ends; the conversation stays as it was and can continue.
    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>>;
}

/// Why a model gave no response.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The request could not be written or the response not be read.
    Protocol(ProtocolError),
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
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message is that of the error within, so what comes next is its source.
        match self {
            Self::Protocol(error) => error.source(),
            Self::Other(error) => error.source(),
        }
    }
}
