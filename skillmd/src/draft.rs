//! Findings as the rules make them: before a profile has weighed them and before
//! byte offsets have become lines and columns.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::{Finding, Fix, Severity, Span};
use crate::kind::Level;
use crate::{CheckOptions, Kind, Profile};

#[derive(Debug)]
pub(crate) struct Draft {
    kind: Kind,
    /// The name of it under `lenient`, where that gets over it.
    recovered: Option<Kind>,
    pub(crate) range: Option<Range<usize>>,
    message: Cow<'static, str>,
    help: Option<Cow<'static, str>>,
    fix: Option<Fix>,
    levels: [Level; 4],
}

impl Draft {
    pub(crate) fn at(
        kind: Kind,
        range: Range<usize>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            range: Some(range),
            ..Self::whole(kind, message)
        }
    }

    /// About the file as a whole.
    pub(crate) fn whole(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            recovered: None,
            range: None,
            message: shortened(visible(message.into())),
            help: None,
            fix: None,
            levels: kind.levels(),
        }
    }

    pub(crate) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    pub(crate) fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    pub(crate) fn has_fix(&self) -> bool {
        self.fix.is_some()
    }

    /// `lenient` gets over this, and has another name for it.
    pub(crate) fn recovered_as(mut self, kind: Kind) -> Self {
        self.recovered = Some(kind);
        self.levels[3] = kind.level(Profile::Lenient);
        self
    }

    fn kind(&self, profile: Profile) -> Kind {
        self.recovered
            .filter(|_| profile == Profile::Lenient)
            .unwrap_or(self.kind)
    }

    /// What `lenient` makes of this one, other than of its kind in general.
    pub(crate) fn lenient(mut self, level: Level) -> Self {
        self.levels[3] = level;
        self
    }

    pub(crate) fn level(&self, profile: Profile) -> Level {
        let at = match profile {
            Profile::Spec => 0,
            Profile::Strict => 1,
            Profile::Claude => 2,
            Profile::Lenient => 3,
        };
        self.levels[at]
    }

    fn refused_by(&self, profile: Profile) -> bool {
        self.level(profile) == Some(Severity::Error)
    }

    fn weigh(&self, options: &CheckOptions<'_>) -> Option<Severity> {
        let level = self.level(options.profile)?;
        if level == Severity::Error || options.is_denied(self.kind(options.profile), level) {
            return Some(Severity::Error);
        }
        (options.wants(Some(level)) && !options.is_allowed(self.kind(options.profile)))
            .then_some(level)
    }
}

/// A text in which nothing hides: what cannot be seen, or moves what is around it, stands as `\u{…}`.
pub(crate) fn visible(text: Cow<'_, str>) -> Cow<'_, str> {
    // Of ASCII only the control characters; all others begin with one of these bytes.
    let may_hide =
        |byte: u8| byte < 0x20 || matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3);
    if !crate::bytes::any(text.as_bytes(), may_hide) || !text.contains(hides) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if hides(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Controls, and what has no width or turns the direction of writing.
pub(crate) fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text without the greater part of a huge value.
fn shortened(text: Cow<'static, str>) -> Cow<'static, str> {
    /// More than a description with its key and advice: what is longer is no text for people.
    const MOST: usize = 4 * 1024 + 512;
    /// What is left of it.
    const LEFT: usize = 200;
    if text.len() <= MOST {
        return text;
    }
    match text.char_indices().nth(LEFT) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => text,
    }
}

/// The other profiles, most demanding first.
fn others(profile: Profile) -> impl Iterator<Item = Profile> {
    [Profile::Spec, Profile::Claude, Profile::Lenient]
        .into_iter()
        .filter(move |other| *other != profile)
}

/// The most demanding other profile that refuses nothing of this.
pub(crate) fn accepting(drafts: &[Draft], profile: Profile) -> Option<Profile> {
    others(profile).find(|other| !drafts.iter().any(|draft| draft.refused_by(*other)))
}

/// Weighs and places the drafts, sorted by place.
pub(crate) fn settle(
    mut drafts: Vec<Draft>,
    source: &[u8],
    options: &CheckOptions<'_>,
) -> Vec<Finding> {
    // Whole-file findings first, then by place; the sort is stable, so equal places keep the order of the rules.
    drafts.sort_by_key(|draft| draft.range.as_ref().map(|range| range.start));
    let mut cursor = Cursor::new(source);
    let mut findings = Vec::new();
    for draft in drafts {
        let Some(severity) = draft.weigh(options) else {
            continue;
        };
        let accepted_by = if draft.refused_by(options.profile) {
            accepting(std::slice::from_ref(&draft), options.profile)
        } else {
            None
        };
        let kind = draft.kind(options.profile);
        let span = draft.range.map(|range| cursor.span(range));
        findings.push(Finding {
            kind,
            severity,
            span,
            message: draft.message,
            help: draft.help,
            accepted_by,
            fix: draft.fix,
        });
    }
    findings
}

/// Turns offsets into lines and columns in one pass, for starts that never go back.
struct Cursor<'s> {
    source: &'s [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl<'s> Cursor<'s> {
    fn new(source: &'s [u8]) -> Self {
        Self {
            source,
            at: crate::frame::bom(source),
            line: 1,
            column: 1,
        }
    }

    fn span(&mut self, range: Range<usize>) -> Span {
        let start = range.start.min(self.source.len());
        let end = range.end.clamp(start, self.source.len());
        self.go(start);
        let (line, column) = (self.line, self.column);
        let mut ahead = Cursor {
            source: self.source,
            at: self.at,
            line,
            column,
        };
        ahead.go(end);
        Span {
            line,
            column,
            end_line: ahead.line,
            end_column: ahead.column,
            start,
            end,
        }
    }

    fn go(&mut self, to: usize) {
        if to <= self.at {
            return;
        }
        let passed = &self.source[self.at..to];
        let mut tail = passed;
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.column = 1;
            tail = &passed[last + 1..];
        }
        // Every byte but a UTF-8 continuation byte starts a character.
        self.column += tail.iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
        self.at = to;
    }
}
