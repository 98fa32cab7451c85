//! What common errors are for a call: whether they pass, and what sort they are.
//!
//! That an operation was refused says nothing of what the tool had done before it, so a call that may
//! happen once is not made again. A tool that knows better says so with an error of its own.

use std::{error::Error, io};

use super::{ErrorKind, ToolError};

/// The most bytes of details that are kept.
const LONGEST_DETAILS: usize = 4_096;

/// What is refused, cut off or cannot be reached passes, and the call may be tried again. That the
/// operation which failed has changed nothing says nothing of what the tool did before it, so a call that
/// may happen once is not made again: only a [`ToolError`] of the tool's own says so.
impl From<io::Error> for ToolError {
    fn from(error: io::Error) -> Self {
        of_error(&error, io_kind(&error))
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        of_error(&error, None)
    }
}

#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
impl From<reqwest::Error> for ToolError {
    fn from(error: reqwest::Error) -> Self {
        // An address may hold a key.
        let error = error.without_url();
        let kind = http_kind(&error);
        of_error(&error, kind)
    }
}

/// What kind of failure it is, where that is known.
type Known = Option<ErrorKind>;

fn io_kind(error: &io::Error) -> Known {
    use io::ErrorKind as Io;
    Some(match error.kind() {
        Io::ConnectionRefused
        | Io::HostUnreachable
        | Io::NetworkUnreachable
        | Io::NetworkDown
        | Io::ResourceBusy
        | Io::WouldBlock
        | Io::ConnectionReset
        | Io::ConnectionAborted
        | Io::BrokenPipe
        | Io::Interrupted
        | Io::UnexpectedEof => ErrorKind::Transient,
        Io::TimedOut => ErrorKind::Timeout,
        Io::NotFound => ErrorKind::NotFound,
        Io::PermissionDenied => ErrorKind::Denied,
        _ => return None,
    })
}

#[cfg(all(feature = "http", not(target_arch = "wasm32")))]
fn http_kind(error: &reqwest::Error) -> Known {
    if let Some(status) = error.status() {
        return match status.as_u16() {
            408 | 425 | 429 | 500.. => Some(ErrorKind::Transient),
            401 | 403 => Some(ErrorKind::Denied),
            404 | 410 => Some(ErrorKind::NotFound),
            _ => None,
        };
    }
    if error.is_timeout() && !error.is_connect() {
        Some(ErrorKind::Timeout)
    } else if error.is_connect() || error.is_request() || error.is_body() {
        Some(ErrorKind::Transient)
    } else {
        None
    }
}

/// What a cause of an error says about it.
fn cause_kind(cause: &(dyn Error + 'static)) -> Known {
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        return io_kind(error);
    }
    #[cfg(all(feature = "http", not(target_arch = "wasm32")))]
    if let Some(error) = cause.downcast_ref::<reqwest::Error>() {
        return http_kind(error);
    }
    None
}

/// An error and its causes in one line. A cause that the error's own text repeats is left out. Where
/// nothing is known of the error itself, the first cause of which something is known says what it is.
pub(super) fn of_error(error: &dyn Error, known: Known) -> ToolError {
    let mut text = error.to_string();
    let mut known = known;
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        known = known.or_else(|| cause_kind(cause));
        next = cause.source();
    }
    let kind = known.unwrap_or(ErrorKind::Failed);
    let mut details = format!("{error:?}");
    if details.len() > LONGEST_DETAILS {
        let mut end = LONGEST_DETAILS;
        while !details.is_char_boundary(end) {
            end -= 1;
        }
        details.truncate(end);
    }
    ToolError::new(kind, text).with_details(details).uncertain()
}
