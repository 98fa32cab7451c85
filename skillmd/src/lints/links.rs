//! Lints of the files that the body names.

use std::ops::Range;

use memchr::memmem;

use super::Subject;
use super::files::{Files, Found};
use super::markdown::{code_spans, fences};
use crate::Kind;
use crate::draft::Draft;
use crate::frame::short;

/// The greatest length of a link's target, in bytes.
const MAX_TARGET: usize = 1024;

/// Folders whose files a skill's text may name without linking to them.
const FOLDERS: [&str; 3] = ["scripts/", "references/", "assets/"];

pub(super) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    let body = &subject.text[subject.body.clone()];
    let mut places = link_targets(body);
    let files = subject.options.files.as_deref().map(Files::new);
    let mentions = files
        .as_ref()
        .map(|_| mentions(body, &places))
        .unwrap_or_default();
    if places.is_empty() && mentions.is_empty() {
        return;
    }
    let code = fences(body);
    places.retain(|place| !within(&code, place.start));
    let base = subject.body.start;
    let mut line = Line::default();
    for place in places {
        if !line.is_code(body, place.start) {
            link(
                &body[place.clone()],
                base + place.start..base + place.end,
                files.as_ref(),
                drafts,
            );
        }
    }
    let Some(files) = files else { return };
    for place in mentions
        .into_iter()
        .filter(|place| !within(&code, place.start))
    {
        mention(
            &body[place.clone()],
            base + place.start..base + place.end,
            &files,
            drafts,
        );
    }
}

/// Where the targets of all links stand, code or not, in order.
fn link_targets(body: &str) -> Vec<Range<usize>> {
    let bytes = body.as_bytes();
    let mut places: Vec<Range<usize>> = memmem::find_iter(bytes, "](")
        .filter_map(|found| target(body, found + 2))
        .collect();
    // Definitions, `[id]: target`; what starts with `[^` is a footnote.
    let mut line = 0..0;
    for found in memmem::find_iter(bytes, "]:") {
        if found < line.end {
            continue;
        }
        let start = memchr::memrchr(b'\n', &bytes[line.end..found])
            .map_or(line.end, |newline| line.end + newline + 1);
        let end =
            memchr::memchr(b'\n', &bytes[found..]).map_or(bytes.len(), |length| found + length);
        line = start..end;
        let id = body[start..found].trim_start_matches(' ');
        if id.starts_with('[') && !id.starts_with("[^") && !id.contains(']') {
            places.extend(target(body, found + 2));
        }
    }
    places.sort_by_key(|place| place.start);
    places
}

/// The target of a link that begins at `at`, within its line.
fn target(body: &str, at: usize) -> Option<Range<usize>> {
    // Longer targets are data, and looking for the end of each could take long.
    let mut limit = body.len().min(at + MAX_TARGET);
    while !body.is_char_boundary(limit) {
        limit -= 1;
    }
    let rest = &body[at..limit];
    let start = at + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    let rest = &body[start..limit];
    if let Some(inner) = rest.strip_prefix('<') {
        let length = inner.find(['>', '\n'])?;
        return inner[length..]
            .starts_with('>')
            .then_some(start + 1..start + 1 + length);
    }
    let mut depth = 0_usize;
    let length = rest
        .find(|c: char| match c {
            '(' => {
                depth += 1;
                false
            }
            ')' if depth > 0 => {
                depth -= 1;
                false
            }
            c => c == ')' || c.is_whitespace(),
        })
        .unwrap_or(rest.len());
    (length > 0 && (length < rest.len() || limit == body.len())).then_some(start..start + length)
}

/// Where the body names a file of one of the conventional folders, links aside.
fn mentions(body: &str, links: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = body.as_bytes();
    let mut places = Vec::new();
    for folder in FOLDERS {
        for found in memmem::find_iter(bytes, folder) {
            let before = &body[..found];
            let before = before.strip_suffix("./").unwrap_or(before);
            let is_start = before
                .chars()
                .next_back()
                .is_none_or(|c| c.is_whitespace() || "`(\"'[*|".contains(c));
            if !is_start || within(links, found) {
                continue;
            }
            let path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
            let rest = &body[found..];
            let length = rest.find(|c| !path(c)).unwrap_or(rest.len());
            let text = rest[..length].trim_end_matches(['.', '/']);
            let follows = rest[length..].chars().next();
            // A file has an extension; `scripts/*.py` and `references/<topic>.md` are patterns.
            let is_file = text
                .rsplit('/')
                .next()
                .is_some_and(|name| name.trim_start_matches('.').contains('.'));
            if is_file && !follows.is_some_and(|c| "*<{[$…".contains(c)) {
                places.push(found..found + text.len());
            }
        }
    }
    places.sort_by_key(|place| place.start);
    places
}

/// Whether one of the sorted `ranges` holds `at`.
fn within(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.start <= at);
    after
        .checked_sub(1)
        .and_then(|index| ranges.get(index))
        .is_some_and(|range| range.contains(&at))
}

/// The inline code of the line that was looked at last.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    code: Vec<Range<usize>>,
}

impl Line {
    fn is_code(&mut self, body: &str, at: usize) -> bool {
        if !self.range.contains(&at) {
            let start =
                memchr::memrchr(b'\n', &body.as_bytes()[..at]).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', &body.as_bytes()[at..])
                .map_or(body.len(), |length| at + length);
            self.range = start..end;
            self.code = code_spans(&body[start..end]);
        }
        within(&self.code, at - self.range.start)
    }
}

fn link(target: &str, place: Range<usize>, files: Option<&Files<'_>>, drafts: &mut Vec<Draft>) {
    let Some(path) = local(target) else { return };
    let shown = short(target);
    let Some(inside) = inside(&path) else {
        drafts.push(
            Draft::at(Kind::LinkOutside, place, format!("the link to `{shown}` leaves the skill's folder"))
                .help("copy the file into the skill's folder and link to it there; a skill is installed without its neighbours"),
        );
        return;
    };
    match files.map(|files| files.find(&inside)) {
        None | Some(Found::Yes) => {}
        Some(Found::Otherwise(real)) => drafts.push(
            Draft::at(
                Kind::LinkCase,
                place.clone(),
                format!("the link to `{shown}` has another case than the file, `{real}`"),
            )
            .help(format!("write `{real}`"))
            .fix(crate::finding::Fix::replace(
                place.start..place.start + path_length(target),
                real,
            )),
        ),
        Some(Found::No) => drafts.push(
            Draft::at(
                Kind::LinkMissing,
                place,
                format!("the skill has no file `{}`", short(&inside)),
            )
            .help("add the file to the skill's folder, or mend or remove the link"),
        ),
    }
}

fn mention(path: &str, place: Range<usize>, files: &Files<'_>, drafts: &mut Vec<Draft>) {
    let Some(inside) = inside(path) else { return };
    let (message, help) = match files.find(&inside) {
        Found::Yes => return,
        Found::Otherwise(real) => (
            format!("the text names `{}`, and the file is `{real}`", short(path)),
            format!("write `{real}`"),
        ),
        Found::No => (
            format!(
                "the text names `{}`, and the skill has no such file",
                short(path)
            ),
            "add the file to the skill's folder, or mend the text".to_owned(),
        ),
    };
    drafts.push(Draft::at(Kind::MentionMissing, place, message).help(help));
}

/// The path of a link to a file; `None` for an address, an anchor or a placeholder.
fn local(target: &str) -> Option<String> {
    let path = &target[..path_length(target)];
    let has_scheme = path.find(':').is_some_and(|colon| {
        path[..colon]
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
    });
    let is_placeholder =
        path.contains(['{', '}', '<', '>', '$', '*', '…', '`', '"', '\'']) || path.contains("...");
    let is_file = path.contains(['.', '/']);
    if path.is_empty() || has_scheme || path.starts_with("//") || is_placeholder || !is_file {
        return None;
    }
    Some(unescape(path))
}

/// The length of a target without its query and fragment.
fn path_length(target: &str) -> usize {
    target.find(['#', '?']).unwrap_or(target.len())
}

/// `%20` and its like; what is no escape, or no text, stays as it is.
fn unescape(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escaped = path
            .get(at + 1..at + 3)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped.filter(|_| *byte == b'%') {
            Some(escaped) => {
                out.push(escaped);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

/// `path` without `.` and `..`; `None` when it leaves the folder it starts in.
fn inside(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
