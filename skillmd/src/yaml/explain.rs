//! YAML errors in words that say what to change.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::quote::{Pair, pair, quoted, spread};
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::value::Value;

/// One syntax error.
pub(super) struct Fault {
    pub(super) draft: Draft,
    /// Whether it is an unquoted `: ` inside a value.
    pub(super) is_colon: bool,
    /// Where the parser stopped, in bytes of the text between the fences.
    pub(super) at: usize,
}

/// `body` is the text between the fences, which starts at byte `base` of the file.
pub(super) fn explain(error: &ScanError, body: &str, base: usize) -> Fault {
    let at = boundary(body, error.marker().byte_offset().unwrap_or(0));
    let line = line_around(body, at);
    if let Some(draft) = key_fault(body, line.clone(), base) {
        return Fault {
            draft,
            is_colon: false,
            at,
        };
    }
    if let Some(draft) = super::open::fault(error.kind(), body, line.clone(), base, at) {
        return Fault {
            draft,
            is_colon: false,
            at,
        };
    }
    if let Some(draft) = super::tab::fault(body, line.clone(), base, at) {
        return Fault {
            draft,
            is_colon: false,
            at,
        };
    }
    let pair = pair(body, line.clone());
    if *error.kind() == ErrorKind::MappingValueNotAllowed {
        let pair = spread(body, line.clone());
        match &pair {
            Some(pair) if pair.value.contains(&at) => {
                return Fault {
                    draft: colon(body, base, at, pair),
                    is_colon: true,
                    at,
                };
            }
            _ => {
                if let Some(draft) =
                    line_above(body, line.start).and_then(|above| key_fault(body, above, base))
                {
                    return Fault {
                        draft,
                        is_colon: false,
                        at,
                    };
                }
            }
        }
    }
    let (span, message) = describe(error, body, at, pair.as_ref());
    let draft = Draft::at(
        Kind::YamlSyntax,
        base + span.start..base + span.end,
        message,
    );
    let draft = match pair.and_then(|pair| requote(error.kind(), body, base, &pair)) {
        Some((help, fix)) => draft.help(help).fix(fix),
        None => draft.help(advice(error.kind())),
    };
    Fault {
        draft,
        is_colon: false,
        at,
    }
}

/// The frontmatter is a list or a text.
pub(super) fn not_a_map(root: &Value, body: &str, range: Range<usize>) -> Draft {
    let mut at = 0;
    while at < body.len() {
        let (line, next) = crate::frame::line(body, at);
        if let Some(draft) = key_fault(body, line, range.start) {
            return draft;
        }
        at = next;
    }
    let message = format!(
        "the frontmatter must be a map of keys and values, and is {}",
        root.noun()
    );
    Draft::at(Kind::NotAMapping, root.range.clone(), message)
        .help("write `name: …` and `description: …`, each on a line of its own")
}

/// A line whose key and value YAML does not tell apart.
fn key_fault(body: &str, line: Range<usize>, base: usize) -> Option<Draft> {
    let text = &body[line.clone()];
    let key_len = text
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        .count();
    let (key, rest) = text.split_at(key_len);
    if key.is_empty() {
        return None;
    }
    let at = line.start + key_len;
    let (length, message) = if rest.starts_with('：') {
        (
            '：'.len_utf8(),
            format!(
                "the colon after `{key}` is the full-width colon U+FF1A, which YAML takes for a letter"
            ),
        )
    } else if rest.starts_with(':')
        && !rest[1..].starts_with([' ', '\t', '/', ':'])
        && rest.len() > 1
    {
        (1, format!("no blank follows the colon after `{key}`"))
    } else {
        return None;
    };
    let value = rest[length..].trim();
    let span = base + at..base + at + length;
    let fix = Fix::replace(
        base + at..base + line.start + text.trim_end().len(),
        format!(": {value}"),
    );
    Some(
        Draft::at(Kind::YamlSyntax, span, message)
            .help(format!("write `{key}: {value}`"))
            .fix(fix),
    )
}

/// An unquoted `: ` at `at`, inside the value of `pair`.
pub(super) fn colon(body: &str, base: usize, at: usize, pair: &Pair) -> Draft {
    let key = &body[pair.key.clone()];
    let value = without_comment(body, pair);
    let text = quoted(&folded(&body[value.clone()]));
    Draft::at(
        Kind::YamlSyntax,
        base + at..base + at + 1,
        format!("the value of `{key}` holds an unquoted `: `, which YAML takes for a further key"),
    )
    .help(match swallowed(&body[value.start..at]) {
        Some(known) => format!(
            "start a new line before `{known}`; or put the whole value in quotes: `{key}: {text}`"
        ),
        None => format!("put the value in quotes: `{key}: {text}`"),
    })
    .fix(Fix::replace(base + value.start..base + value.end, text))
}

/// The key that a lost line break has put at the end of the value before it.
fn swallowed(value: &str) -> Option<&'static str> {
    [
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
        "version",
        "author",
    ]
    .into_iter()
    .find(|known| {
        value.strip_suffix(known).is_some_and(|before| {
            !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ')
        })
    })
}

/// A plain text of several lines as YAML reads it: line breaks are blanks, empty lines line breaks.
fn folded(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        match empty {
            0 if out.is_empty() => {}
            0 => out.push(' '),
            empty => out.push_str(&"\n".repeat(empty)),
        }
        empty = 0;
        out.push_str(line);
    }
    Cow::Owned(out)
}

fn without_comment(body: &str, pair: &Pair) -> Range<usize> {
    let value = &body[pair.value.clone()];
    let end = value.find(" #").unwrap_or(value.len());
    pair.value.start..pair.value.start + value[..end].trim_end().len()
}

/// Where the error is to be shown, and what it is.
fn describe(
    error: &ScanError,
    body: &str,
    at: usize,
    pair: Option<&Pair>,
) -> (Range<usize>, String) {
    let here = at..at + body[at..].chars().next().map_or(0, char::len_utf8);
    let key = pair.map_or("", |pair| &body[pair.key.clone()]);
    // The parser has read the tab when it complains.
    let is_tab = matches!(
        error.kind(),
        ErrorKind::TabInBlockIndentation | ErrorKind::TabInIndentation | ErrorKind::TabNotAllowed
    );
    let here = if is_tab && body[..at].ends_with('\t') {
        at - 1..at
    } else {
        here
    };
    let message = match error.kind() {
        ErrorKind::UnexpectedCharacter { character } => {
            format!("a value may not start with `{character}`")
        }
        ErrorKind::UnknownAnchor => {
            "a value that starts with `*` is a YAML alias, and there is no anchor of that name"
                .to_owned()
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            "this quote is never closed".to_owned()
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote".to_owned()
        }
        ErrorKind::UnknownQuotedScalarEscape => {
            let escape = bad_escape(body, at).unwrap_or(here);
            let message = format!(
                "`{}` is not an escape that YAML knows inside double quotes",
                &body[escape.clone()]
            );
            return (escape, message);
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "a list may not start on the line of its key".to_owned()
        }
        ErrorKind::MappingKeyNotAllowed => {
            "`? ` opens a YAML key and may not start a value".to_owned()
        }
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed => "a tab may not indent a line".to_owned(),
        ErrorKind::ExpectedBlockMappingKey if !key.is_empty() => {
            format!("text follows the value of `{key}`")
        }
        ErrorKind::RecursionLimitExceeded => {
            "the frontmatter is nested more than 64 levels deep".to_owned()
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this line is neither `key: value` nor the continuation of the value above it"
                .to_owned()
        }
        ErrorKind::UnclosedFlowCollection { open } => format!("this `{open}` is never closed"),
        ErrorKind::CommentInterceptedScalar => {
            "a comment stands inside a value of several lines".to_owned()
        }
        _ => format!("this is not valid YAML: {}", error.info()),
    };
    (here, message)
}

/// The first escape after `at`, the opening quote, that YAML does not know.
fn bad_escape(body: &str, at: usize) -> Option<Range<usize>> {
    let mut chars = body.get(at + 1..)?.char_indices();
    while let Some((offset, c)) = chars.next() {
        if c == '\\' {
            let (_, escaped) = chars.next()?;
            if !"0abtnvfre \"/\\N_LPxuU\t\r\n".contains(escaped) {
                let start = at + 1 + offset;
                return Some(start..start + 1 + escaped.len_utf8());
            }
        }
    }
    None
}

/// The value in quotes, if YAML then gets past this line.
fn requote(kind: &ErrorKind, body: &str, base: usize, pair: &Pair) -> Option<(String, Fix)> {
    let value = &body[pair.value.clone()];
    let text = quoted(&meant(kind, value)?);
    let mended = format!(
        "{}{text}{}",
        &body[..pair.value.start],
        &body[pair.value.end..]
    );
    let reached = match super::load(&mended, 0) {
        Ok(_) => usize::MAX,
        Err(failure) => failure.0.marker().byte_offset().unwrap_or(0),
    };
    // Quotes that only move the fault to the next line help nobody.
    let end = pair.value.start + text.len();
    if mended
        .get(end..)
        .is_none_or(|rest| reached <= end + rest.len() - rest.trim_start().len())
    {
        return None;
    }
    let key = &body[pair.key.clone()];
    let fix = Fix::replace(base + pair.value.start..base + pair.value.end, text.clone());
    Some((format!("put the value in quotes: `{key}: {text}`"), fix))
}

/// The text that the author of a broken value had in mind.
fn meant(kind: &ErrorKind, value: &str) -> Option<String> {
    let quote = value.chars().next()?;
    if !matches!(quote, '"' | '\'') {
        return Some(value.to_owned());
    }
    let inner = &value[1..];
    let inner = match (kind, inner.strip_suffix(quote)) {
        (_, Some(inner)) => inner,
        (ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar, None) => {
            inner
        }
        // Text after a closing quote: the quotes belong to the text.
        (_, None) => return Some(value.to_owned()),
    };
    Some(if quote == '"' {
        inner.replace("\\\"", "\"")
    } else {
        inner.replace("''", "'")
    })
}

fn advice(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed => "indent with blanks instead of tabs",
        ErrorKind::RecursionLimitExceeded => "put deep data into a file of its own beside SKILL.md",
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "write `key: value`, or indent the line to continue the value above it"
        }
        ErrorKind::CommentInterceptedScalar => {
            "move the comment to a line above the key, or put the value in quotes"
        }
        _ => {
            "check the quotes, brackets and indentation of this line; a value in quotes is always text"
        }
    }
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn line_around(body: &str, at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &body.as_bytes()[..at]).map_or(0, |newline| newline + 1);
    crate::frame::line(body, start).0
}

fn line_above(body: &str, start: usize) -> Option<Range<usize>> {
    let above = body[..start].trim_end();
    (!above.is_empty()).then(|| line_around(body, above.len()))
}
