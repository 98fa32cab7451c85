//! From the text between the fences to entries with places.

mod build;
mod colon;
mod explain;
mod open;
pub(crate) mod quote;
mod tab;

use std::ops::Range;

use granit_parser::{Parser, ScanError};

use crate::Kind;
use crate::draft::Draft;
use crate::ranges::within;
use crate::value::{Content, Entry, Value};

/// Deeper nesting than this is refused; real files stay under ten.
const MAX_DEPTH: usize = 64;

/// What could be read of a frontmatter.
#[derive(Default)]
pub(crate) struct Header {
    pub(crate) entries: Vec<Entry>,
    /// Where comments stand.
    pub(crate) comments: Vec<Range<usize>>,
    /// Whether `entries` is everything, so that a key that is not there is missing.
    pub(crate) complete: bool,
    pub(crate) drafts: Vec<Draft>,
}

/// Reads `text[range]`. Never fails: what is wrong is among the drafts.
pub(crate) fn read(text: &str, range: Range<usize>) -> Header {
    let body = &text[range.clone()];
    let base = range.start;
    if let Some(draft) = unprintable(body, base) {
        return Header {
            drafts: vec![draft],
            ..Header::default()
        };
    }
    match load(body, base) {
        Ok(tree) => finish(tree, body, range),
        Err(failure) => {
            let (error, tree) = *failure;
            let fault = explain::explain(&error, body, base);
            if fault.is_colon
                && let Some(masked) = colon::mask(body)
                && let Ok(mut again) = load(masked.text(), base)
            {
                let plain = masked.restore(&mut again, base);
                let mut header = finish(again, body, range);
                // A colon that stands in a quoted text of several lines was not at fault.
                let at_fault = masked.colons().filter(|(at, _)| within(&plain, base + at));
                header.drafts.extend(at_fault.map(|(at, pair)| {
                    explain::colon(body, base, at, pair).recovered_as(Kind::UnquotedColon)
                }));
                return header;
            }
            failed(tree, &body[..fault.at], base, fault.draft)
        }
    }
}

/// What was read before the error, which was met after `before`.
fn failed(tree: build::Tree, before: &str, base: usize, draft: Draft) -> Header {
    let build::Tree {
        mut entries,
        comments,
        mut drafts,
        ..
    } = tree;
    // The last entry is cut off or misread when the error stands on its last line or on a
    // line that continues it; so is what was said about it.
    let error_line = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let continues = before[error_line..].starts_with([' ', '\t']) || before.len() == error_line;
    if let Some(last) = entries.last()
        && (continues || last.value.range.end >= base + error_line)
    {
        entries.pop();
    }
    let end = entries.last().map_or(base, |entry| entry.value.range.end);
    drafts.retain(|draft| draft.range.as_ref().is_some_and(|range| range.end <= end));
    drafts.push(draft);
    Header {
        entries,
        comments,
        complete: false,
        drafts,
    }
}

fn finish(tree: build::Tree, body: &str, range: Range<usize>) -> Header {
    let mut header = Header {
        entries: Vec::new(),
        comments: tree.comments,
        complete: false,
        drafts: tree.drafts,
    };
    match tree.root {
        None => header.complete = true,
        Some(Value {
            content: Content::Map(entries),
            ..
        }) => {
            header.entries = entries;
            header.complete = true;
        }
        Some(root) => header.drafts.push(explain::not_a_map(&root, body, range)),
    }
    header
}

type Failure = (ScanError, build::Tree);

fn load(text: &str, base: usize) -> Result<build::Tree, Box<Failure>> {
    let mut options = granit_parser::options! {
        disallow_directives: true,
        emit_anchor_events: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    options.set_emit_comments(true);
    let mut builder = build::Builder::new(text, base);
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if !builder.take(event, span) {
                    break;
                }
            }
            Err(error) => return Err(Box::new((error, builder.into_tree()))),
        }
    }
    Ok(builder.into_tree())
}

/// The first character that YAML does not allow in a text at all.
fn unprintable(body: &str, base: usize) -> Option<Draft> {
    let (at, found) = if body.starts_with('\u{feff}') {
        (0, '\u{feff}')
    } else if crate::bytes::any(body.as_bytes(), may_start_control) {
        let mut chars = body.char_indices();
        let found = chars.find(|(at, c)| is_unprintable(*c) || is_lone_return(body, *at, *c))?;
        if found.1 == '\r' {
            let at = base + found.0;
            let message = "a lone carriage return ends a line for YAML, and for nothing else here";
            let help = "save the file with LF or CRLF line ends";
            return Some(Draft::at(Kind::YamlSyntax, at..at + 1, message).help(help));
        }
        found
    } else {
        return None;
    };
    let at = base + at;
    let message = format!(
        "the control character U+{:04X} may not stand in YAML",
        u32::from(found)
    );
    Some(
        Draft::at(Kind::YamlSyntax, at..at + found.len_utf8(), message)
            .help("remove it, or write it as an escape inside double quotes"),
    )
}

/// Whether a character that starts with `byte` may be unprintable.
fn may_start_control(byte: u8) -> bool {
    crate::bytes::may_be_control(byte) || byte == 0xef
}

fn is_unprintable(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}'))
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn is_lone_return(body: &str, at: usize, c: char) -> bool {
    c == '\r' && body.as_bytes().get(at + 1) != Some(&b'\n')
}
