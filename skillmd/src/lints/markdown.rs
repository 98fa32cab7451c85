//! As much of Markdown as it takes to find links outside of code.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use crate::ranges::within;

/// The fenced code blocks of `body`, in order. One that is never closed reaches to the end.
pub(super) fn fences(body: &str) -> Vec<Range<usize>> {
    let bytes = body.as_bytes();
    let mut fences = Vec::new();
    let mut at = 0;
    let (mut ticks, mut tildes) = (Next::new("```"), Next::new("~~~"));
    while let Some(start) = min(ticks.from(bytes, at), tildes.from(bytes, at)) {
        let mark = bytes[start];
        let length = run(bytes, start);
        at = start + length;
        if !starts_line(bytes, start) {
            continue;
        }
        at = close(bytes, at, mark, length);
        fences.push(start..at);
    }
    fences
}

/// The HTML comments of `body` outside of `blocks`, in order. `is_code` says whether a byte stands in
/// inline code.
pub(super) fn comments(
    body: &str,
    blocks: &[Range<usize>],
    mut is_code: impl FnMut(usize) -> bool,
) -> Vec<Range<usize>> {
    let end = memmem::Finder::new("-->");
    let mut comments = Vec::new();
    let mut at = 0;
    let mut next = Next::new("<!--");
    while let Some(start) = next.from(body.as_bytes(), at) {
        at = start + 4;
        if within(blocks, start) || is_code(start) {
            continue;
        }
        at = end
            .find(&body.as_bytes()[at..])
            .map_or(body.len(), |length| at + length + 3);
        comments.push(start..at);
    }
    comments
}

/// The lines that are code because four blanks or a tab indent them: after an empty line, and not
/// below an item of a list.
pub(super) fn indented(body: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut after_empty, mut in_list, mut in_code) = (true, false, false);
    let mut at = 0;
    while at < body.len() {
        let start = at;
        at =
            memchr::memchr(b'\n', &body.as_bytes()[at..]).map_or(body.len(), |end| start + end + 1);
        let line = &body[start..at];
        let text = line.trim_start_matches([' ', '\t']);
        if text.trim_end().is_empty() {
            after_empty = true;
            continue;
        }
        let indent = &line[..line.len() - text.len()];
        let is_deep = indent.len() >= 4 || indent.contains('\t');
        in_code = is_deep && !in_list && (in_code || after_empty);
        if in_code {
            lines.push(start..at);
        } else if !is_deep && starts_item(text) {
            in_list = true;
        } else if indent.is_empty() {
            in_list = false;
        }
        after_empty = false;
    }
    lines
}

/// Whether a line without its blanks starts with the mark of a list's item.
fn starts_item(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let mark = &line[digits..];
    let is_mark = match digits {
        0 => mark.starts_with(['-', '*', '+']),
        1..=9 => mark.starts_with(['.', ')']),
        _ => false,
    };
    is_mark && mark[1..].starts_with([' ', '\t', '\n', '\r'])
}

/// The end of a block that `length` times `mark` opened before `at`.
fn close(bytes: &[u8], mut at: usize, mark: u8, length: usize) -> usize {
    let mut next = Next::new(if mark == b'`' { "```" } else { "~~~" });
    while let Some(start) = next.from(bytes, at) {
        let end = start + run(bytes, start);
        at = end;
        // Looking for the line's end at every run of a long line would take long.
        if end - start < length || !starts_line(bytes, start) {
            continue;
        }
        let line_end =
            memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |length| end + length);
        if bytes[end..line_end].iter().all(u8::is_ascii_whitespace) {
            return line_end;
        }
    }
    bytes.len()
}

/// A search for one needle that does not look twice at the same bytes.
struct Next {
    finder: memmem::Finder<'static>,
    found: Option<usize>,
    fresh: bool,
}

impl Next {
    fn new(needle: &'static str) -> Self {
        Self {
            finder: memmem::Finder::new(needle),
            found: None,
            fresh: false,
        }
    }

    fn from(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if !self.fresh || self.found.is_some_and(|found| found < at) {
            self.found = self.finder.find(&bytes[at..]).map(|found| at + found);
            self.fresh = true;
        }
        self.found
    }
}

fn min(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn run(bytes: &[u8], start: usize) -> usize {
    bytes[start..]
        .iter()
        .take_while(|byte| **byte == bytes[start])
        .count()
}

/// Whether only blanks and quotation marks of Markdown stand before `at` in its line.
fn starts_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at]
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
    before.is_none_or(|before| bytes[before] == b'\n')
}

/// The inline code of one line, in order: a run of backticks up to the next run of the same length.
pub(super) fn code_spans(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        at = start + run(bytes, start);
        runs.push(start..at);
    }
    // For each run the next one of its length, found from the back.
    let mut partner: Vec<Option<usize>> = vec![None; runs.len()];
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (index, run) in runs.iter().enumerate().rev() {
        partner[index] = last.insert(run.len(), index);
    }
    let mut spans = Vec::new();
    let mut index = 0;
    while index < runs.len() {
        match partner[index] {
            Some(close) => {
                spans.push(runs[index].start..runs[close].end);
                index = close + 1;
            }
            None => index += 1,
        }
    }
    spans
}
