//! All that is wrong with the arguments of a call, in words a model can act on.

use serde_json::Value;

use super::walk;
use crate::tool::{ErrorKind, ToolError, code};

/// The most problems that one message lists.
const MOST: usize = 20;

/// What to tell the model, when decoding said `error`, or said that something is missing.
#[cold]
pub(super) fn explain(
    arguments: &str,
    schema: &'static str,
    error: Option<serde_json::Error>,
) -> ToolError {
    let value: Value = match serde_json::from_str(arguments) {
        Ok(value) => value,
        Err(error) => return not_json(arguments, &error),
    };
    // The schema was written by this crate's macros; were it not JSON, nothing would be checked.
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let mut problems = walk::problems(&value, &schema);
    if problems.is_empty() {
        problems.push(match error {
            Some(error) => without_position(&error),
            None => "a required argument is missing".to_owned(),
        });
    }
    let more = problems.len().saturating_sub(MOST);
    problems.truncate(MOST);
    let mut message = format!("the arguments do not fit: {}", problems.join("; "));
    if more > 0 {
        message.push_str(&format!("; and {more} more"));
    }
    ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS)
}

fn not_json(arguments: &str, error: &serde_json::Error) -> ToolError {
    let what = if error.is_eof() {
        "the arguments are cut off: the JSON ends too early".to_owned()
    } else {
        format!(
            "the arguments are not JSON: {} at line {} column {}",
            without_position(error),
            error.line(),
            error.column()
        )
    };
    let start: String = arguments.chars().take(40).collect();
    ToolError::new(
        ErrorKind::Invalid,
        format!("{what}; send one JSON object, got `{start}`"),
    )
    .with_code(code::ARGUMENTS)
}

/// serde's own words. A line and column help nobody who wrote the text in one go.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
