//! All that is wrong with the arguments of a call, in words a model can act on.

use std::fmt::Write as _;

use serde_json::Value;

use super::read::MAX_ARGUMENT_DEPTH;
use super::{
    coerce,
    filling::At,
    locate, numbers, overlooked,
    read::{self, Unread},
    reader::Error,
    walk,
};
use crate::tool::{ErrorKind, ToolError, code};

/// The most problems that one message lists.
const MOST: usize = 20;

/// The most characters of one problem.
const LONGEST: usize = 2_000;

/// What the arguments should have been, where that is beyond doubt, when decoding said `error`, or
/// said that something is missing or beyond its limits. Beside it are problems that the types may
/// not have: they may know a key by another name.
///
/// # Errors
///
/// What is wrong with them.
#[cold]
pub(super) fn mend(
    arguments: &str,
    schema: &'static str,
    error: Option<&At>,
    exact: bool,
) -> Result<(String, Vec<String>), ToolError> {
    let mut value = read::value(arguments)?;
    let schema = overlooked::parsed(schema);
    let changed = coerce::coerce(&mut value, &schema.value, exact);
    let problems = walk::problems(&value, &schema.value);
    let has_alias = problems.iter().any(|problem| problem.unknown.is_some());
    let problems: Vec<String> = problems.into_iter().map(|problem| problem.text).collect();
    let may_be_mended = problems.is_empty() || (changed && has_alias);
    if !may_be_mended {
        return Err(invalid(&problems));
    }
    if changed {
        Ok((value.to_string(), problems))
    } else {
        Err(unexplained(arguments, error))
    }
}

/// The arguments as they fit a schema, or all that is wrong with them, for a tool without types of
/// its own.
pub(super) fn check(arguments: &str, schema: &str, exact: bool) -> Result<Value, ToolError> {
    let plain = numbers::plain(arguments);
    let mut value = read::value(plain.as_deref().unwrap_or(arguments))?;
    // What is not JSON was found when the agent was built.
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    coerce::coerce(&mut value, &schema, exact);
    let problems = walk::problems(&value, &schema);
    if problems.is_empty() {
        return Ok(value);
    }
    let problems: Vec<String> = problems.into_iter().map(|problem| problem.text).collect();
    Err(invalid(&problems))
}

/// The arguments fit the schema, and the types refuse them all the same: serde's own words.
#[cold]
pub(super) fn unexplained(arguments: &str, error: Option<&At>) -> ToolError {
    let Some(At { error, place }) = error else {
        let what =
            "a value is beyond the limits that its schema names, once it is read as its type";
        return invalid(&[what.to_owned()]);
    };
    let words = short(error);
    let path = locate::path_at(arguments, *place);
    // Our own decoding names the place itself.
    if path.is_empty() || words.starts_with("`/") {
        invalid(&[words])
    } else {
        invalid(&[format!("`{path}`: {words}")])
    }
}

pub(super) fn invalid(problems: &[String]) -> ToolError {
    let shown: Vec<String> = problems.iter().take(MOST).map(|one| cut(one)).collect();
    let mut message = format!("the arguments do not fit: {}", shown.join("; "));
    let more = problems.len() - shown.len();
    if more > 0 {
        // Writing to a string cannot fail.
        let _ = write!(message, "; and {more} more");
    }
    ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS)
}

pub(super) fn not_json(arguments: &str, error: &Unread) -> ToolError {
    let error = match error {
        Unread::NotJson(error) => error,
        Unread::Other(error) => return invalid(&[short(error)]),
    };
    let what = if error.is_eof() {
        "the arguments are cut off: the JSON ends too early".to_owned()
    } else if error.to_string().starts_with("recursion limit exceeded") {
        let message = format!(
            "the arguments are nested deeper than {MAX_ARGUMENT_DEPTH} levels; send them flatter"
        );
        return ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS);
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

/// The words of a type's own decoding, which may repeat what was sent.
fn short(error: &Error) -> String {
    cut(&error.to_string())
}

/// What a key, a list or a type's own words make too long, is cut.
fn cut(problem: &str) -> String {
    match problem.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", problem.get(..end).unwrap_or_default()),
        None => problem.to_owned(),
    }
}

/// serde's own words. A line and column help nobody who wrote the text in one go.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
