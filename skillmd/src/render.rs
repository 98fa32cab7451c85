//! Findings as text, in the manner of rustc.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::draft::visible;
use crate::frame::bom;
use crate::{Finding, Profile, Severity};

/// Lines longer than this are cut around the place they are shown for.
const WIDTH: usize = 140;
/// So many bytes before and behind a place are looked at: the renderer takes a copy of the line.
const REACH: usize = 2_000;
/// A place over more lines than this is shown by its first line.
const MAX_LINES: usize = 6;

/// A finding as text without colour: the rule and the message, the place, the
/// line with a caret under the right character, and how to mend it.
///
/// `path` is shown as it is given; `source` must be the bytes that were checked.
/// The text ends without a line break. It names path and place, so two findings
/// of one build never have the same text.
///
/// ```
/// use repertoire_skillmd::{check, render, CheckOptions};
///
/// let source = b"---\nname: Pdf\ndescription: Reads PDF files. Use when a PDF is named.\n---\nSteps.\n";
/// let checked = check(source, &CheckOptions::new());
/// let text = render(&checked.findings()[0], "skills/pdf/SKILL.md", source);
/// assert_eq!(text, "\
/// name-case: `name` must be in lower case, and is `Pdf`
///  --> skills/pdf/SKILL.md:2:7
///   |
/// 2 | name: Pdf
///   |       ^^^
///   |
///   = help: write `name: pdf`
///   = note: under the profile `lenient` this is a warning");
/// ```
#[must_use]
pub fn render(finding: &Finding, path: &str, source: &[u8]) -> String {
    let title = format!("{}: {}", finding.kind, finding.message);
    let note = finding
        .accepted_by
        .map(|profile| elsewhere(finding, profile));
    let path = visible(Cow::Borrowed(path));
    let Some(span) = &finding.span else {
        return whole(&title, &path, finding.help.as_deref(), note.as_deref());
    };
    let excerpt = Excerpt::new(source, span.bytes(), span.line());
    let path = path.as_ref();
    let mut group = Group::with_title(Level::ERROR.no_name().primary_title(title.as_str()))
        .element(
            Snippet::source(excerpt.text.as_str())
                .path(path)
                .line_start(excerpt.first_line)
                .annotation(AnnotationKind::Primary.span(excerpt.range.clone())),
        );
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_ref()));
    }
    if let Some(note) = &note {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let text = Renderer::plain().term_width(WIDTH).render(&[group]);
    if excerpt.is_window {
        // The column that the renderer counted is that of the window.
        place(&text, path, span.line(), span.column())
    } else {
        text
    }
}

/// The text with the column of its place replaced.
fn place(text: &str, path: &str, line: usize, column: usize) -> String {
    let prefix = format!("--> {path}:{line}:");
    match text.split_once(&prefix) {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}{prefix}{column}{rest}")
        }
        None => text.to_owned(),
    }
}

/// A finding about a file or folder as a whole: there is no line to show.
fn whole(title: &str, path: &str, help: Option<&str>, note: Option<&str>) -> String {
    let help = help
        .map(|help| format!("\n  = help: {help}"))
        .unwrap_or_default();
    let note = note
        .map(|note| format!("\n  = note: {note}"))
        .unwrap_or_default();
    format!("{title}\n --> {path}{help}{note}")
}

/// What another profile makes of a finding that is an error under this one.
fn elsewhere(finding: &Finding, profile: Profile) -> String {
    match finding.kind.level(profile) {
        None => format!("the profile `{profile}` accepts this"),
        Some(Severity::Lint) => format!("under the profile `{profile}` this is a lint"),
        // Or an error that the profile gets over.
        Some(_) => format!("under the profile `{profile}` this is a warning"),
    }
}

/// The lines that a place touches, as text.
struct Excerpt {
    text: String,
    /// The place within `text`.
    range: Range<usize>,
    first_line: usize,
    /// Whether only a part of a very long line is shown.
    is_window: bool,
}

impl Excerpt {
    fn new(source: &[u8], place: Range<usize>, first_line: usize) -> Self {
        let floor = bom(source);
        let start = place.start.clamp(floor, source.len());
        let end = place.end.clamp(start, source.len());
        let line_start = memchr::memrchr(b'\n', &source[floor..start])
            .map_or(floor, |newline| floor + newline + 1);
        let first_end = line_end(source, start);
        let lines = memchr::memchr_iter(b'\n', &source[start..end]).count() + 1;
        let (end, line_end) = if lines > MAX_LINES {
            (first_end, first_end)
        } else {
            (end, line_end(source, end))
        };
        let reach = |at: usize, by: usize| at.saturating_sub(by).max(line_start);
        let (from, end, to) = (
            reach(start, REACH),
            end.min(start + REACH),
            line_end.min(end + REACH),
        );
        let is_window = from > line_start || to < line_end;
        let (line_start, end, line_end) = if is_window {
            (
                boundary(source, from),
                boundary(source, end),
                boundary(source, to),
            )
        } else {
            (line_start, end, line_end)
        };
        // Broken bytes are shown as U+FFFD, so each piece is decoded by itself.
        let mut text = String::from_utf8_lossy(&source[line_start..start]).into_owned();
        let from = text.len();
        text.push_str(&String::from_utf8_lossy(&source[start..end]));
        let to = text.len();
        text.push_str(&String::from_utf8_lossy(&source[end..line_end]));
        Self {
            text,
            range: from..to,
            first_line,
            is_window,
        }
    }
}

/// The first start of a character at or after `at`.
fn boundary(source: &[u8], at: usize) -> usize {
    let inside = |byte: &&u8| **byte & 0xC0 == 0x80;
    at + source
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take(3)
        .take_while(inside)
        .count()
}

fn line_end(source: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |length| at + length)
}
