//! Why a request could not be written or a response not be read.

/// Why a request could not be written or a response not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The request could not be written as JSON.
    #[error("the request cannot be written as JSON: {0}")]
    Encode(#[source] serde_json::Error),
    /// The response is not the JSON that the protocol describes.
    #[error("the response is not a {protocol} response: {source}")]
    Decode {
        /// The protocol that was expected.
        protocol: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The provider answered with an error.
    #[error("{protocol} error{}: {message}", .code.as_ref().map(|code| format!(" `{code}`")).unwrap_or_default())]
    Provider {
        /// The protocol of the provider.
        protocol: &'static str,
        /// The provider's own short code.
        code: Option<String>,
        /// The provider's message.
        message: String,
    },
}
