//! Why a call of a provider's service failed.

use std::{fmt, time::Duration};

/// Why a call of a provider's service failed.
///
/// It never holds a key: where a provider repeats the key in its message, it is blotted out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    pub(crate) provider: &'static str,
    pub(crate) kind: CallErrorKind,
    pub(crate) status: Option<u16>,
    pub(crate) code: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) attempts: u32,
    /// Whether the service said that the same request may succeed later, or not.
    pub(crate) may_pass: Option<bool>,
    pub(crate) message: String,
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// There is no key, or the client could not be set up.
    Setup,
    /// No connection could be made, or it was lost before an answer.
    Connect,
    /// A time limit ran out.
    Timeout,
    /// The connection was lost in the middle of the answer.
    Interrupted,
    /// The provider answered with an error; status and code say which.
    Provider,
    /// The answer is larger than allowed.
    TooLarge,
    /// The answer is none of the protocol.
    Protocol,
}

impl CallError {
    /// A failure at a provider.
    #[must_use]
    pub fn new(provider: &'static str, kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self {
            provider,
            kind,
            status: None,
            code: None,
            request_id: None,
            retry_after: None,
            attempts: 1,
            may_pass: None,
            message: message.into(),
        }
    }

    /// The name of the protocol or vendor.
    #[must_use]
    pub fn provider(&self) -> &'static str {
        self.provider
    }

    /// What kind of failure it was.
    #[must_use]
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }

    /// Whether the same request may succeed later.
    pub(crate) fn passes(&self) -> bool {
        if let Some(may_pass) = self.may_pass {
            return may_pass;
        }
        match self.status {
            Some(status) => matches!(status, 408 | 409 | 429 | 500..),
            None => match self.kind {
                CallErrorKind::Connect | CallErrorKind::Timeout | CallErrorKind::Interrupted => {
                    true
                }
                CallErrorKind::Provider => self.code().is_some_and(is_passing),
                _ => false,
            },
        }
    }

    /// The HTTP status, if there was an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// The provider's own short code.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// The identifier of the request in the provider's logs.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// How long the provider asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// How often it was tried.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// What went wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Whether a code of a provider says that the same request may succeed later: the words for what
/// else is a status 408, 429, 5xx or 529, which a stream that has begun has no place for.
pub(crate) fn is_passing(code: &str) -> bool {
    const WORDS: [&str; 15] = [
        "api_error",
        "deadline_exceeded",
        "internal",
        "internal_error",
        "internal_server_error",
        "overloaded",
        "overloaded_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "resource_exhausted",
        "server_error",
        "service_unavailable",
        "timeout",
        "timeout_error",
        "unavailable",
    ];
    match code.parse::<u16>() {
        Ok(status) => matches!(status, 408 | 409 | 429 | 500..=599),
        Err(_) => WORDS.contains(&code.to_ascii_lowercase().as_str()),
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.provider, self.message)?;
        let mut more = Vec::new();
        more.extend(self.status.map(|status| format!("status {status}")));
        more.extend(self.code.as_ref().map(|code| format!("code `{code}`")));
        more.extend(self.request_id.as_ref().map(|id| format!("request {id}")));
        if self.attempts > 1 {
            more.push(format!("{} attempts", self.attempts));
        }
        if !more.is_empty() {
            write!(f, " ({})", more.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for CallError {}
