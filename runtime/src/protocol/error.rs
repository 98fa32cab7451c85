//! Why a request could not be written or a response not be read.

use std::time::Duration;

/// Why a request could not be written or a response not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The request could not be written as JSON.
    #[error("the request cannot be written as JSON: {0}")]
    Encode(serde_json::Error),
    /// The provider would refuse the request because of one tool.
    #[error("tool `{tool}` cannot be sent to {protocol}: {problem}")]
    Tool {
        /// The protocol of the provider.
        protocol: &'static str,
        /// The name of the tool.
        tool: String,
        /// What is wrong with it and how to mend it.
        problem: String,
    },
    /// The provider has no way to say something that the request demands.
    #[error("{protocol} cannot do this: {problem}")]
    Unsupported {
        /// The protocol of the provider.
        protocol: &'static str,
        /// What it cannot do and what to do instead.
        problem: String,
    },
    /// The response is not the JSON that the protocol describes.
    #[error("the response is not of protocol `{protocol}`: {reason}")]
    Decode {
        /// The protocol that was expected.
        protocol: &'static str,
        /// What is wrong with it.
        reason: serde_json::Error,
    },
    /// A stream ended before the response was complete, or is no stream of the protocol.
    #[error("the {protocol} stream broke off: {problem}")]
    Stream {
        /// The protocol that was expected.
        protocol: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A stream has an event that is longer than any answer should be.
    #[error("an event of the {protocol} stream is longer than {limit} bytes")]
    TooLarge {
        /// The protocol that was expected.
        protocol: &'static str,
        /// The most bytes that an event may have.
        limit: usize,
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
        /// How long the provider asks to wait, where the error itself says so.
        retry_after: Option<Duration>,
    },
}

impl ProtocolError {
    /// An error of the provider.
    #[must_use]
    pub fn provider(
        protocol: &'static str,
        code: Option<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::Provider {
            protocol,
            code,
            message: message.into(),
            retry_after: None,
        }
    }

    pub(crate) fn decode(protocol: &'static str) -> impl Fn(serde_json::Error) -> Self + Copy {
        move |reason| Self::Decode { protocol, reason }
    }

    pub(crate) fn stream(protocol: &'static str, problem: impl Into<String>) -> Self {
        Self::Stream {
            protocol,
            problem: problem.into(),
        }
    }
}
