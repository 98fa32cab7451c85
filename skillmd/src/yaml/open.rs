//! What spoils the lines after it: a bracket that is never closed, a directive.

use std::ops::Range;

use granit_parser::ErrorKind;

use super::quote::{Pair, pair, quoted};
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;

/// The fault behind an error at `at`, in the line `line`, that says nothing of its cause.
pub(super) fn fault(
    kind: &ErrorKind,
    body: &str,
    line: Range<usize>,
    base: usize,
    at: usize,
) -> Option<Draft> {
    if body[line.clone()].starts_with('%') {
        let place = base + line.start..base + line.start + body[line].trim_end().len();
        let message = "a line that starts with `%` is a YAML directive, which has no place here";
        return Some(Draft::at(Kind::YamlSyntax, place, message).help(
            "remove the line; or, if it is text, put the value that it belongs to in quotes",
        ));
    }
    if matches!(
        kind,
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::UnknownQuotedScalarEscape
            | ErrorKind::RecursionLimitExceeded
    ) {
        return None;
    }
    let pair = open_before(body, line.start, at)?;
    let bracket = pair.value.start;
    let (open, close) = match body.as_bytes().get(bracket) {
        Some(b'[') => ('[', ']'),
        _ => ('{', '}'),
    };
    let place = base + bracket..base + bracket + 1;
    let draft = Draft::at(
        Kind::YamlSyntax,
        place,
        format!("this `{open}` is never closed"),
    );
    let text = quoted(&body[pair.value.clone()]);
    let mended = [&body[..bracket], &text, &body[pair.value.end..]].concat();
    let reached = match super::load(&mended, 0) {
        Ok(_) => usize::MAX,
        Err(failure) => failure.0.marker().byte_offset().unwrap_or(0),
    };
    // A list of several lines is no text.
    if reached <= at + text.len() - pair.value.len() {
        return Some(draft.help(format!("close it with `{close}`")));
    }
    let key = &body[pair.key.clone()];
    let fix = Fix::replace(base + bracket..base + pair.value.end, text.clone());
    let help = format!(
        "close it with `{close}`; or, if it is text, put the value in quotes: `{key}: {text}`"
    );
    Some(draft.help(help).fix(fix))
}

/// The last line before `line` that opens a bracket which is still open at `at`, where another key
/// begins.
fn open_before(body: &str, line: usize, at: usize) -> Option<Pair> {
    let indent = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let own = indent(&body[line..]);
    let mut end = line;
    while end > 0 {
        let start = memchr::memrchr(b'\n', &body.as_bytes()[..end - 1]).map_or(0, |at| at + 1);
        let text = &body[start..end];
        if !text.trim().is_empty() && indent(text) <= own {
            let pair = pair(body, crate::frame::line(body, start).0)?;
            let value = &body[pair.value.clone()];
            let opens = value.starts_with(['[', '{']) && depth(&body[pair.value.start..at]) > 0;
            return opens.then_some(pair);
        }
        end = start;
    }
    None
}

/// How many brackets of `text` are open at its end, quotes aside.
fn depth(text: &str) -> usize {
    let (mut depth, mut quote) = (0_usize, None);
    for byte in text.bytes() {
        match (byte, quote) {
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'[' | b'{', None) => depth += 1,
            (b']' | b'}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth
}
