//! What went wrong in a tool call, in one line.

use std::{borrow::Cow, fmt};

/// Why a tool call failed: a kind for the program, a code and one line for the model.
///
/// The model reads `CODE: message`, or the message alone where there is no code. A tool returns one
/// itself, or an error of its own that converts:
///
/// ```
/// use repertoire::{ToolError, tool, tool::ErrorKind};
///
/// struct ServiceDown;
///
/// impl From<ServiceDown> for ToolError {
///     fn from(_: ServiceDown) -> Self {
///         ToolError::new(ErrorKind::Transient, "search service down").with_code("E1001")
///     }
/// }
///
/// /// Search the web.
/// #[tool]
/// fn search(
///     /// What to look for.
///     query: &str,
/// ) -> Result<String, ServiceDown> {
///     Err(ServiceDown)
/// }
///
/// assert_eq!(ToolError::from(ServiceDown).to_string(), "E1001: search service down");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    code: Option<Cow<'static, str>>,
    kind: ErrorKind,
    message: String,
    /// What the model is not told.
    details: Option<String>,
    /// A fault that passes, after which the call may have had its effect all the same.
    uncertain: bool,
}

/// What sort of failure a [`ToolError`] is. It decides whether a call may be tried again.
///
/// ```
/// use repertoire::{ToolError, tool::ErrorKind};
///
/// let error = ToolError::new(ErrorKind::NotFound, "no such sku");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A passing fault: the same call may succeed later.
    Transient,
    /// The arguments are wrong: the model can mend them.
    Invalid,
    /// The call is not allowed.
    Denied,
    /// The tool, or what it was asked for, does not exist.
    NotFound,
    /// The call took too long.
    Timeout,
    /// The run was cancelled.
    Cancelled,
    /// The call may or may not have had its effect.
    Unknown,
    /// Any other failure.
    Failed,
}

impl ErrorKind {
    /// The kind in `snake_case`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::Invalid => "invalid",
            Self::Denied => "denied",
            Self::NotFound => "not_found",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
        }
    }
}

impl ToolError {
    /// A failure of some kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self {
            code: None,
            kind,
            message: one_line(&message.to_string()),
            details: None,
            uncertain: false,
        }
    }

    /// A failure that is none of the other kinds. Line breaks in the message become spaces.
    ///
    /// ```
    /// use repertoire::ToolError;
    ///
    /// assert_eq!(ToolError::failed("no\nluck").message(), "no luck");
    /// ```
    #[must_use]
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Failed, message)
    }

    /// The same failure with a short code such as `E1001`. Codes that start with `R0` are this
    /// crate's own. Line breaks become spaces, as in the message.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        let code = code.into();
        let is_plain = !code.contains(char::is_control);
        self.code = Some(if is_plain {
            code
        } else {
            one_line(&code).into()
        });
        self
    }

    /// The same failure with more to know for the program and its traces. The model is not told.
    ///
    /// ```
    /// use repertoire::ToolError;
    ///
    /// let error = ToolError::failed("the store is full").with_details("quota 10 GiB, shard 7");
    /// assert_eq!(error.to_string(), "the store is full");
    /// assert_eq!(error.details(), Some("quota 10 GiB, shard 7"));
    /// ```
    #[must_use]
    pub fn with_details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }

    /// What there is to know beside the message. Where a tool fails with an error type of its own, that
    /// is its `Debug` form.
    #[must_use]
    pub fn details(&self) -> Option<&str> {
        self.details.as_deref()
    }

    /// The same failure of a call that may have had its effect all the same.
    pub(crate) fn uncertain(mut self) -> Self {
        self.uncertain = true;
        self
    }

    /// Whether the call is known to have changed nothing.
    pub(crate) fn is_without_effect(&self) -> bool {
        !self.uncertain
            && matches!(
                self.kind,
                ErrorKind::Invalid | ErrorKind::Denied | ErrorKind::NotFound | ErrorKind::Transient
            )
    }

    /// The short code, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// What sort of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The same failure in other words.
    pub(crate) fn map_message(mut self, change: impl Fn(&str) -> String) -> Self {
        self.message = one_line(&change(&self.message));
        self.details = self.details.map(|details| change(&details));
        self
    }

    /// The failure of a tool that stood in for another, which had failed so.
    pub(crate) fn behind(mut self, first: &Self, name: &str) -> Self {
        self.message = format!("{}; in its place `{name}`: {self}", first.message);
        self.code = first.code.clone();
        self.details = match (&first.details, self.details) {
            (Some(first), Some(second)) => Some(format!("{first}; `{name}`: {second}")),
            (first, second) => second.or_else(|| first.clone()),
        };
        self.uncertain |= first.uncertain;
        self
    }

    /// The same error with at most so many bytes of message.
    pub(crate) fn capped(mut self, most: usize) -> Self {
        if self.message.len() > most {
            let size = self.message.len();
            let mut end = most;
            while !self.message.is_char_boundary(end) {
                end -= 1;
            }
            self.message.truncate(end);
            self.message
                .push_str(&format!(" [cut, {size} bytes in all]"));
        }
        self
    }

    /// What happened, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{code}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ToolError {}

/// Joins lines with a space, so that a message can never look like a second result.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
