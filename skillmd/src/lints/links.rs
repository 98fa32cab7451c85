//! Lints of the files that the body names.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Subject;
use super::files::{Files, Found};
use super::markdown::{code_spans, comments, fences, indented};
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::frame::short;
use crate::ranges::within;

/// What [`FOLDERS`] have in common, to look for all of them at once.
static FOLDER_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("s/"));

/// The greatest length of a link's target, in bytes.
const MAX_TARGET: usize = 1024;

/// Folders whose files a skill's text may name without linking to them.
const FOLDERS: [&str; 3] = ["scripts/", "references/", "assets/"];

pub(super) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    let body = &subject.text[subject.body.clone()];
    let files = subject.options.files.as_deref().map(Files::new);
    let links = link_targets(body);
    let mut faults: Vec<(Range<usize>, Fault<'_>)> = Vec::new();
    for place in &links {
        faults
            .extend(link(&body[place.clone()], files.as_ref()).map(|fault| (place.clone(), fault)));
    }
    let written = faults.len();
    if let Some(files) = &files {
        for place in mentions(body, &links) {
            faults.extend(mention(&body[place.clone()], files).map(|fault| (place, fault)));
        }
    }
    // Code is looked for only where something is to be said: most bodies are in order.
    if faults.is_empty() {
        return;
    }
    let mut hidden = Hidden::new(body);
    for (index, (place, fault)) in faults.into_iter().enumerate() {
        // A file is mostly mentioned as inline code; a link there is none.
        if !hidden.holds(place.start, index < written) {
            drafts.push(fault.draft(&body[place.clone()], place, subject.body.start));
        }
    }
}

/// What is wrong with a path that the body names.
enum Fault<'f> {
    Outside,
    /// The link has another case than this file.
    Case(&'f str),
    /// There is no file of this path.
    Missing(String),
    MentionCase(&'f str),
    MentionMissing,
}

impl Fault<'_> {
    fn draft(self, target: &str, place: Range<usize>, base: usize) -> Draft {
        let shown = short(target);
        let place = base + place.start..base + place.end;
        match self {
            Self::Outside => Draft::at(Kind::LinkOutside, place, format!("the link to `{shown}` leaves the skill's folder"))
                .help("copy the file into the skill's folder and link to it there; a skill is installed without its neighbours"),
            Self::Case(real) => {
                let path = place.start..place.start + path_length(target);
                Draft::at(Kind::LinkCase, place, format!("the link to `{shown}` has another case than the file, `{real}`"))
                    .help(format!("write `{real}`"))
                    .fix(Fix::replace(path, real))
            }
            Self::Missing(path) => Draft::at(Kind::LinkMissing, place, format!("the skill has no file `{}`", short(&path)))
                .help("add the file to the skill's folder, or mend or remove the link"),
            Self::MentionCase(real) => Draft::at(Kind::MentionMissing, place, format!("the text names `{shown}`, and the file is `{real}`"))
                .help(format!("write `{real}`")),
            Self::MentionMissing => Draft::at(Kind::MentionMissing, place, format!("the text names `{shown}`, and the skill has no such file"))
                .help("add the file to the skill's folder, or mend the text"),
        }
    }
}

fn link<'f>(target: &str, files: Option<&Files<'f>>) -> Option<Fault<'f>> {
    // Without a list of files only a way out is wrong.
    if files.is_none() && !target.starts_with('/') && !target.contains("..") {
        return None;
    }
    // Most links lead to a file, and are written as its path.
    let path = &target[..path_length(target)];
    if !path.contains('%') && files.is_some_and(|files| files.has(path)) {
        return None;
    }
    let path = local(path)?;
    if leaves(&path) {
        return Some(Fault::Outside);
    }
    let path = inside(&path);
    match files?.find(&path) {
        Found::Yes => None,
        Found::Otherwise(real) => Some(Fault::Case(real)),
        Found::No => Some(Fault::Missing(path)),
    }
}

fn mention<'f>(path: &str, files: &Files<'f>) -> Option<Fault<'f>> {
    // `scripts/../../x` is no file of the skill, and nothing that a person writes.
    if files.has(path) || leaves(path) {
        return None;
    }
    match files.find(&inside(path)) {
        Found::Yes => None,
        Found::Otherwise(real) => Some(Fault::MentionCase(real)),
        Found::No => Some(Fault::MentionMissing),
    }
}

/// Where the targets of all links stand, code or not, in order.
fn link_targets(body: &str) -> Vec<Range<usize>> {
    let bytes = body.as_bytes();
    let mut places = Vec::new();
    let mut line = Definitions::default();
    for bracket in memchr::memchr_iter(b']', bytes) {
        let found = match bytes.get(bracket + 1) {
            Some(b'(') if !is_elsewhere(body, bracket + 2) => target(body, bracket + 2),
            Some(b':') if line.starts_with_id(body, bracket) => target(body, bracket + 2),
            _ => None,
        };
        places.extend(found);
    }
    places
}

/// Looks for definitions, `[id]: target`; what starts with `[^` is a footnote.
#[derive(Default)]
struct Definitions {
    /// The end of the last line that was looked at.
    asked: usize,
}

impl Definitions {
    /// Whether the first `]:` of a line, at `bracket`, ends the id of a definition.
    fn starts_with_id(&mut self, body: &str, bracket: usize) -> bool {
        let bytes = body.as_bytes();
        if bracket < self.asked {
            return false;
        }
        let start = memchr::memrchr(b'\n', &bytes[self.asked..bracket])
            .map_or(self.asked, |newline| self.asked + newline + 1);
        self.asked =
            memchr::memchr(b'\n', &bytes[bracket..]).map_or(bytes.len(), |length| bracket + length);
        let id = body[start..bracket].trim_start_matches(' ');
        id.starts_with('[') && !id.starts_with("[^") && !id.contains(']')
    }
}

/// The target of a link that begins at `at`, within its line.
fn target(body: &str, at: usize) -> Option<Range<usize>> {
    let bytes = body.as_bytes();
    // Longer targets are data, and looking for the end of each could take long.
    let limit = bytes.len().min(at + MAX_TARGET);
    let start = at
        + bytes[at..limit]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
    let rest = &bytes[start..limit];
    if let [b'<', inner @ ..] = rest {
        let length = inner.iter().position(|byte| matches!(byte, b'>' | b'\n'))?;
        return (inner[length] == b'>').then_some(start + 1..start + 1 + length);
    }
    let mut depth = 0_usize;
    let end = rest.iter().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' => return true,
            byte => return byte.is_ascii_whitespace(),
        }
        false
    });
    let length = match end {
        Some(length) => length,
        None if limit == bytes.len() => rest.len(),
        None => return None,
    };
    (length > 0).then_some(start..start + length)
}

/// Whether a target can be seen at its start to be an address or an anchor.
fn is_elsewhere(body: &str, at: usize) -> bool {
    let rest = &body.as_bytes()[at..];
    rest.starts_with(b"https://") || rest.starts_with(b"http://") || rest.starts_with(b"#")
}

/// Where the body names a file of one of the conventional folders, links aside.
fn mentions(body: &str, links: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for slash in FOLDER_END.find_iter(body.as_bytes()).map(|at| at + 1) {
        // The slash is ASCII, so what ends behind it is text.
        let named = &body[..=slash];
        let Some(folder) = FOLDERS.into_iter().find(|folder| named.ends_with(folder)) else {
            continue;
        };
        let found = named.len() - folder.len();
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
    places
}

/// The parts of a body that are no text to a reader: code and comments.
struct Hidden<'b> {
    body: &'b str,
    blocks: Vec<Range<usize>>,
    comments: OnceCell<Vec<Range<usize>>>,
    /// Lines that are code by their indent.
    indented: OnceCell<Vec<Range<usize>>>,
    line: Line,
}

impl<'b> Hidden<'b> {
    fn new(body: &'b str) -> Self {
        Self {
            body,
            blocks: fences(body),
            comments: OnceCell::new(),
            indented: OnceCell::new(),
            line: Line::default(),
        }
    }

    /// Whether `at` stands in one of them; in inline code only if that counts.
    fn holds(&mut self, at: usize, inline: bool) -> bool {
        let body = self.body;
        if within(&self.blocks, at) || (inline && self.line.is_code(body, at)) {
            return true;
        }
        let comments = self.comments.get_or_init(|| {
            let mut line = Line::default();
            comments(body, &self.blocks, |at| line.is_code(body, at))
        });
        within(comments, at)
            || (self.line.is_indented(body, at)
                && within(self.indented.get_or_init(|| indented(body)), at))
    }
}

/// The line that was looked at last.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    code: OnceCell<Vec<Range<usize>>>,
}

impl Line {
    fn text<'b>(&mut self, body: &'b str, at: usize) -> &'b str {
        if !self.range.contains(&at) {
            let start =
                memchr::memrchr(b'\n', &body.as_bytes()[..at]).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', &body.as_bytes()[at..])
                .map_or(body.len(), |length| at + length);
            self.range = start..end;
            self.code = OnceCell::new();
        }
        &body[self.range.clone()]
    }

    /// Whether `at` stands in inline code.
    fn is_code(&mut self, body: &str, at: usize) -> bool {
        let text = self.text(body, at);
        let code = self.code.get_or_init(|| code_spans(text));
        within(code, at - self.range.start)
    }

    fn is_indented(&mut self, body: &str, at: usize) -> bool {
        self.text(body, at).starts_with([' ', '\t'])
    }
}

/// The path of a link to a file; `None` for an address, an anchor or a placeholder.
fn local(path: &str) -> Option<Cow<'_, str>> {
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
    memchr::memchr2(b'#', b'?', target.as_bytes()).unwrap_or(target.len())
}

/// `%20` and its like; what is no escape, or no text, stays as it is.
fn unescape(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
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
    String::from_utf8(out).map_or(Cow::Borrowed(path), Cow::Owned)
}

/// Whether `path` leads out of the folder it starts in, on its way or at its end.
fn leaves(path: &str) -> bool {
    let mut depth = 0_usize;
    path.starts_with('/')
        || path.split('/').any(|part| match part {
            "" | "." => false,
            ".." if depth == 0 => true,
            ".." => {
                depth -= 1;
                false
            }
            _ => {
                depth += 1;
                false
            }
        })
}

/// `path`, which does not leave its folder, without `.` and `..`.
fn inside(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
