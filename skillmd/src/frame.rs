//! Cuts a file into frontmatter and body. No YAML here.

use std::borrow::Cow;
use std::ops::Range;

use crate::Kind;
use crate::draft::Draft;

/// U+FEFF in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The length of the byte-order mark that `source` starts with, 0 without one.
pub(crate) fn bom(source: &[u8]) -> usize {
    if source.starts_with(BOM) {
        BOM.len()
    } else {
        0
    }
}

/// A file cut at its fences. Ranges are bytes of the whole source.
pub(crate) struct Frame {
    pub(crate) opening: Range<usize>,
    /// Everything between the fences, whole lines.
    pub(crate) header: Range<usize>,
    pub(crate) closing: Range<usize>,
    /// Everything after the line of the closing fence, untrimmed.
    pub(crate) rest: Range<usize>,
}

/// Cuts `text`, whose first `skip` bytes are a byte-order mark.
pub(crate) fn cut(text: &str, skip: usize) -> Result<Frame, Box<Draft>> {
    let (opening, mut at) = line(text, skip);
    if !is_fence(&text[opening.clone()]) {
        return Err(Box::new(no_opening(text, opening)));
    }
    let start = at;
    while at < text.len() {
        let (here, next) = line(text, at);
        if is_fence(&text[here.clone()]) {
            return Ok(Frame {
                opening,
                header: start..at,
                closing: here,
                rest: next..text.len(),
            });
        }
        at = next;
    }
    Err(Box::new(no_closing(text, opening, start)))
}

/// The line at `at` without its end, and where the next one starts.
pub(crate) fn line(text: &str, at: usize) -> (Range<usize>, usize) {
    let rest = &text.as_bytes()[at..];
    match memchr::memchr(b'\n', rest) {
        Some(length) => {
            let end = if rest[..length].last() == Some(&b'\r') {
                at + length - 1
            } else {
                at + length
            };
            (at..end, at + length + 1)
        }
        None => (at..text.len(), text.len()),
    }
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|blanks| blanks.bytes().all(|byte| byte == b' ' || byte == b'\t'))
}

fn no_opening(text: &str, first: Range<usize>) -> Draft {
    let line_text = &text[first.clone()];
    let trimmed = line_text.trim();
    let fence_later = text[first.end..]
        .lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(is_fence);
    let help = if text[first.start..].trim().is_empty() {
        "the file is empty; start it with `---`, a `name:` line, a `description:` line and `---`"
    } else if trimmed.is_empty() && fence_later {
        "remove the empty lines above the opening `---`"
    } else if is_fence(trimmed) && !line_text.contains('\r') {
        "remove the blanks before the opening `---`"
    } else if line_text.starts_with("---") && line_text.contains('\r') {
        "the lines end in a lone carriage return; save the file with LF or CRLF line ends"
    } else if trimmed.starts_with('\u{feff}') {
        "remove the second byte-order mark"
    } else if trimmed.starts_with("\\---") {
        "remove the backslash before `---`"
    } else if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
        "take the frontmatter out of the code block, so that `---` is the first line of the file"
    } else if trimmed == "+++" {
        "the frontmatter is YAML, not TOML; put it between two `---` lines, as `name: …` and `description: …`"
    } else if trimmed.starts_with("---") {
        "write exactly `---` on the first line, and nothing after it"
    } else {
        "start the file with `---`, a `name:` line, a `description:` line and `---`"
    };
    Draft::at(
        Kind::MissingFrontmatter,
        first,
        "the first line must be `---`, which opens the frontmatter",
    )
    .help(help)
}

fn no_closing(text: &str, opening: Range<usize>, start: usize) -> Draft {
    let mut help =
        "put `---` on a line of its own after the last key of the frontmatter".to_owned();
    let mut at = start;
    while at < text.len() {
        let (here, next) = line(text, at);
        let line_text = &text[here.clone()];
        if line_text.trim_end() == "..." {
            help = "close the frontmatter with `---` instead of `...`".to_owned();
            break;
        }
        if is_fence(line_text.trim_start()) {
            help = format!(
                "remove the blanks before the closing `---`: `{}`",
                line_text.trim()
            );
            break;
        }
        if line_text.starts_with("---") {
            help = format!(
                "write exactly `---` where the file has `{}`",
                short(line_text)
            );
            break;
        }
        at = next;
    }
    Draft::at(
        Kind::UnclosedFrontmatter,
        opening,
        "no `---` line closes the frontmatter",
    )
    .help(help)
}

/// At most forty characters of `text`, for a message.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    if text.len() <= 40 {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
