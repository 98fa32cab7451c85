//! Lines of the form `key: value`, and quoting a value so that YAML reads it as text.

use std::fmt::Write as _;
use std::ops::Range;

/// A line that looks like `key: value`; ranges are bytes of the text it was found in.
pub(crate) struct Pair {
    pub(crate) key: Range<usize>,
    /// From the first to the last character that is not a blank; may be empty.
    pub(crate) value: Range<usize>,
    /// How many bytes stand before the key.
    pub(crate) indent: usize,
}

/// Reads `text[line]` as `key: value`.
pub(crate) fn pair(text: &str, line: Range<usize>) -> Option<Pair> {
    let body = &text[line.clone()];
    let mut indent = body.len() - body.trim_start_matches(' ').len();
    while body[indent..].starts_with("- ") {
        let rest = &body[indent + 2..];
        indent = body.len() - rest.trim_start_matches(' ').len();
    }
    let rest = &body[indent..];
    let colon = match rest.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let close = rest[1..].find(char::from(*quote))? + 2;
            let after = rest[close..].trim_start_matches(' ');
            after.starts_with(':').then_some(rest.len() - after.len())?
        }
        b'#' | b'[' | b'{' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' | b'?'
        | b'-' => return None,
        _ => separator(rest)?,
    };
    let start = line.start + indent;
    let value = &rest[colon + 1..];
    let value_start = line.start + body.len() - value.trim_start_matches([' ', '\t']).len();
    Some(Pair {
        key: start..start + rest[..colon].trim_end().len(),
        value: value_start..value_start + text[value_start..line.end].trim_end().len(),
        indent,
    })
}

/// Where the first `:` stands that is followed by a blank or the end of the line.
pub(crate) fn separator(text: &str) -> Option<usize> {
    memchr::memchr_iter(b':', text.as_bytes()).find(|at| {
        matches!(
            text.as_bytes().get(at + 1),
            None | Some(b' ' | b'\t' | b'\r' | b'\n')
        )
    })
}

/// The pair whose plain value holds the line at `line`, with all lines of that value: the pair of the
/// line itself, or that of a line above it that is indented less.
pub(crate) fn spread(text: &str, line: Range<usize>) -> Option<Pair> {
    let indent = |line: &Range<usize>| {
        let text = &text[line.clone()];
        text.len() - text.trim_start_matches(' ').len()
    };
    let own = indent(&line);
    let mut start = line.start;
    while start > 0 && own > 0 {
        start =
            memchr::memrchr(b'\n', &text.as_bytes()[..start - 1]).map_or(0, |newline| newline + 1);
        let above = crate::frame::line(text, start).0;
        if text[above.clone()].trim().is_empty() || indent(&above) >= own {
            continue;
        }
        match pair(text, above) {
            Some(pair) if pair.indent < own && is_plain(text, &pair) => {
                return Some(whole(text, pair));
            }
            _ => break,
        }
    }
    pair(text, line).map(|pair| whole(text, pair))
}

/// Whether the value of a pair is a plain scalar that starts on the pair's line.
fn is_plain(text: &str, pair: &Pair) -> bool {
    let first = text.as_bytes().get(pair.value.start);
    !pair.value.is_empty() && !first.is_some_and(|byte| b"\"'[{|>&*!#%@`".contains(byte))
}

/// The pair with the lines that continue its value, if that is plain: those that are indented deeper.
pub(crate) fn whole(text: &str, pair: Pair) -> Pair {
    if !is_plain(text, &pair) {
        return pair;
    }
    let mut end = pair.value.end;
    let mut at = crate::frame::line(text, end).1;
    while at < text.len() {
        let (line, next) = crate::frame::line(text, at);
        let content = text[line.clone()].trim();
        let indent = line.len() - text[line.clone()].trim_start_matches(' ').len();
        if !content.is_empty() {
            if indent <= pair.indent || content.starts_with('#') {
                break;
            }
            end = line.start + text[line.clone()].trim_end().len();
            if content.contains(" #") {
                break;
            }
        }
        at = next;
    }
    Pair {
        value: pair.value.start..end,
        ..pair
    }
}

/// `text` as a quoted YAML scalar on one line.
///
/// ```text
/// it's a: test   ->  "it's a: test"
/// say "a: b"     ->  'say "a: b"'
/// ```
pub(crate) fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) && !text.chars().any(char::is_control) {
        return format!("\"{text}\"");
    }
    if !text.contains('\'') && !text.chars().any(char::is_control) {
        return format!("'{text}'");
    }
    let mut out = String::with_capacity(text.len() + 8);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Writing to a `String` cannot fail.
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
