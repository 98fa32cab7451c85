//! All that is wrong with the arguments of a call, in words a model can act on.

use std::fmt::Write as _;

use serde_json::Value;

use super::{coerce, locate, walk};
use crate::tool::{ErrorKind, ToolError, code};

/// The most problems that one message lists.
const MOST: usize = 20;

/// What the arguments should have been, where that is beyond doubt, or what is wrong with them, when
/// decoding said `error`, or said that something is missing or beyond its limits.
#[cold]
pub(super) fn mend(
    arguments: &str,
    schema: &str,
    error: Option<serde_json::Error>,
    exact: bool,
) -> Result<String, ToolError> {
    let mut value: Value = match serde_json::from_str(arguments) {
        Ok(value) => value,
        Err(error) => return Err(not_json(arguments, &error)),
    };
    // The schema was written by this crate's macros; were it not JSON, nothing would be checked.
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let changed = !exact && coerce::coerce(&mut value, &schema);
    let problems = walk::problems(&value, &schema);
    if !problems.is_empty() {
        return Err(invalid(&problems));
    }
    if changed {
        Ok(value.to_string())
    } else {
        Err(unexplained(arguments, error.as_ref()))
    }
}

/// The arguments as they fit a schema, or all that is wrong with them, for a tool without types of
/// its own.
pub(super) fn check(arguments: &str, schema: &str, exact: bool) -> Result<Value, ToolError> {
    let mut value: Value = match serde_json::from_str(arguments) {
        Ok(value) => value,
        Err(error) => return Err(not_json(arguments, &error)),
    };
    // What is not JSON was found when the agent was built.
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    if !exact {
        coerce::coerce(&mut value, &schema);
    }
    let problems = walk::problems(&value, &schema);
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(invalid(&problems))
    }
}

/// The arguments fit the schema, and the types refuse them all the same: serde's own words.
#[cold]
pub(super) fn unexplained(arguments: &str, error: Option<&serde_json::Error>) -> ToolError {
    let Some(error) = error else {
        return invalid(&["a required argument is missing".to_owned()]);
    };
    let words = without_position(error);
    let path = locate::path_at(arguments, error.line(), error.column());
    // Our own decoding names the place itself.
    match path.filter(|path| !path.is_empty() && !words.starts_with("`/")) {
        Some(path) => invalid(&[format!("`{path}`: {words}")]),
        None => invalid(&[words]),
    }
}

pub(super) fn invalid(problems: &[String]) -> ToolError {
    let shown = problems.get(..MOST).unwrap_or(problems);
    let mut message = format!("the arguments do not fit: {}", shown.join("; "));
    let more = problems.len() - shown.len();
    if more > 0 {
        // Writing to a string cannot fail.
        let _ = write!(message, "; and {more} more");
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
