//! Whether a tool that was understood is a good one.

use std::collections::HashSet;

use super::model::{Parameter, Tool};
use crate::{diagnostics::Diagnostics, docs, externs};

/// Reports what is wrong with a tool as a whole.
pub(crate) fn check(tool: &Tool, found: &mut Diagnostics) {
    for (tokens, message) in &tool.refused {
        found.at(tokens, message);
    }
    if let Some(problem) = name_problem(&tool.name.text) {
        found.at_span(
            tool.name.span,
            format!(
                "`{}` is no name for a tool: {problem}{}",
                tool.name.text, tool.rename_hint
            ),
        );
    }
    for (what, name) in [("toolset", &tool.toolset), ("group", &tool.group)] {
        if let Some(name) = name
            && let Some(problem) = name_problem(&name.text)
        {
            found.at_span(
                name.span,
                format!("`{}` is no name for a {what}: {problem}", name.text),
            );
        }
    }
    tool.flags.check(tool.is_async, found);
    if let (Some(span), Some(_)) = (tool.keeps_unknown, tool.flags.strict_at()) {
        found.at_span(
            span,
            "a `strict` tool takes no keys but its own; leave `strict` out, or this",
        );
    }
    let replacement = tool
        .deprecated
        .as_ref()
        .and_then(|deprecated| deprecated.replaced_by.as_ref());
    let paths = [
        ("fallback", tool.fallback.as_ref()),
        ("replaced_by", replacement),
        ("post_process", tool.policy.post_process()),
    ];
    for (key, path) in paths {
        if let Some(problem) = path.and_then(|path| externs::no_function(key, path)) {
            found.push(problem);
        }
    }
    let names: Vec<&str> = tool
        .arguments()
        .map(|(parameter, _)| parameter.name.text.as_str())
        .collect();
    let can_be_stopped = tool.is_async || tool.flags.blocking;
    tool.policy.check(can_be_stopped, &names, found);
    let is_empty = tool.description.text.trim().is_empty() && !tool.broken;
    if let (true, Some(span)) = (is_empty, tool.computed) {
        found.at_span(span, docs::COMPUTED);
    } else if is_empty {
        found.at_span(
            tool.description.span,
            "a tool needs a description, which is all the model knows of it: \
             write a doc comment, or `description = \"…\"`",
        );
    }
    let texts = (tool.snippet.iter())
        .chain(&tool.guidelines)
        .chain(&tool.tags)
        .chain(&tool.version)
        .chain(&tool.author);
    for text in texts.filter(|text| text.text.trim().is_empty()) {
        found.at_span(text.span, "this text is empty; leave the key out");
    }
    check_parameters(tool, found);
}

fn check_parameters(tool: &Tool, found: &mut Diagnostics) {
    let mut names = HashSet::new();
    for (parameter, _) in tool.arguments() {
        check_argument(tool, parameter, found);
        if !names.insert(&parameter.name.text) {
            found.at_span(
                parameter.name.span,
                format!("two parameters are called `{}`", parameter.name.text),
            );
        }
    }
}

fn check_argument(tool: &Tool, parameter: &Parameter, found: &mut Diagnostics) {
    let is_missing =
        parameter.description.is_empty() && !parameter.undocumented && !tool.undocumented;
    if let (true, Some(span)) = (is_missing, parameter.computed) {
        found.at_span(
            span,
            "a description can be read from a text, `concat!` and `stringify!`, and this is \
             something else; write a doc comment",
        );
    } else if is_missing {
        found.at_span(
            parameter.ident.span(),
            "a parameter needs a description for the model: write a doc comment before it, \
             or say `#[arg(undocumented)]`",
        );
    }
    if let Some(problem) = key_problem(&parameter.name.text) {
        found.at_span(
            parameter.name.span,
            format!(
                "a parameter's name goes to the model, and not all providers take this one: \
                 {problem}; write `#[arg(rename = \"…\")]`"
            ),
        );
    }
}

/// What is wrong with a parameter's name. Anthropic refuses a whole request for one that does not match
/// `^[a-zA-Z0-9_.-]{1,64}$`.
fn key_problem(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.is_empty() {
        return Some("it is empty".to_owned());
    }
    if let Some(wrong) = name.chars().find(|c| !fits(*c)) {
        return Some(format!(
            "it has {wrong:?}, and may only have ASCII letters, digits, `_`, `.` and `-`"
        ));
    }
    (name.len() > 64).then(|| format!("it has {} characters, and may have 64", name.len()))
}

/// What is wrong with a tool's name. All providers accept `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`.
fn name_problem(name: &str) -> Option<String> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let Some(first) = name.chars().next() else {
        return Some("it is empty".to_owned());
    };
    if let Some(wrong) = name.chars().find(|c| !letter(*c)) {
        return Some(format!(
            "it has {wrong:?}, and may only have ASCII letters, digits, `_` and `-`"
        ));
    }
    if !first.is_ascii_alphabetic() && first != '_' {
        return Some("it must start with an ASCII letter or `_`".to_owned());
    }
    if name.len() > 64 {
        return Some(format!("it has {} characters, and may have 64", name.len()));
    }
    None
}
