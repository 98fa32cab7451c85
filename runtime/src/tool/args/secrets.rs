//! What is wrong with the arguments of a tool that takes secrets, without their values.

use serde_json::Value;

use super::{coerce, explain, numbers, read, walk};
use crate::tool::{ErrorKind, ToolError, code};

/// The same error, or, where the tool takes secrets, one that repeats none of their values.
pub(crate) fn without_secrets(
    error: ToolError,
    arguments: &str,
    schema: &str,
    exact: bool,
    secrets: &[impl AsRef<str>],
) -> ToolError {
    if secrets.is_empty() || error.code() != Some(code::ARGUMENTS) {
        return error;
    }
    let arguments = read::text(arguments).unwrap_or_default();
    let plain = numbers::plain(arguments);
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let read = read::with_keys_twice(plain.as_deref().unwrap_or(arguments));
    let (mut value, twice) = read.unwrap_or_default();
    if !twice.is_empty() {
        return explain::invalid(&twice);
    }
    coerce::coerce(&mut value, &schema, exact);
    if !value.is_object() {
        let message = "the arguments are no JSON object, or were cut off; send one JSON object";
        return ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS);
    }
    let problems: Vec<String> = walk::problems(&value, &schema)
        .into_iter()
        .map(|problem| blind(problem.text, &value, secrets))
        .collect();
    if problems.is_empty() {
        // The words of a type's own decoding may hold any value.
        let names: Vec<&str> = secrets.iter().map(AsRef::as_ref).collect();
        let message = format!(
            "the arguments fit the schema and are refused all the same; what is wrong is not \
             repeated, since `{}` is secret",
            names.join("`, `")
        );
        return ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS);
    }
    explain::invalid(&problems)
}

/// A problem without what was sent, if it lies within a secret that was sent.
fn blind(problem: String, value: &Value, secrets: &[impl AsRef<str>]) -> String {
    let within = secrets.iter().map(AsRef::as_ref).find(|name| {
        let path = format!("`/{}", name.replace('~', "~0").replace('/', "~1"));
        let rest = problem.strip_prefix(&path);
        value.get(name).is_some() && rest.is_some_and(|rest| rest.starts_with(['`', '/']))
    });
    let Some(name) = within else {
        return problem;
    };
    // `path`: expected …, got …
    let expected = problem.find("`: expected ").and_then(|start| {
        let words = problem.get(start + "`: ".len()..)?;
        words.split(", got ").next()
    });
    match expected {
        Some(expected) => format!("`/{name}`: {expected}"),
        None => format!("`/{name}`: does not fit"),
    }
}
