//! The check: cuts, reads, applies every rule, weighs by profile.

use std::borrow::Cow;
use std::ops::Range;

use crate::draft::{Draft, accepting, settle};
use crate::finding::{Finding, Fix, Severity};
use crate::frame::{Frame, bom, cut};
use crate::rules::{Fields, normal, run, split_tools};
use crate::skill::{Skill, find};
use crate::value::{Entry, Value};
use crate::yaml::{Header, read};
use crate::{CheckOptions, Kind, Profile, lints};

/// What a check found out about one file.
///
/// ```
/// use repertoire_skillmd::{check, CheckOptions, Profile};
///
/// let checked = check(b"---\nname: A\ndescription: Use when asked.\n---\nx\n", &CheckOptions::new());
/// assert!(checked.skill().is_none());
/// assert_eq!(checked.errors().count(), 1);
/// assert_eq!(checked.accepted_by(), Some(Profile::Lenient));
/// ```
#[derive(Clone, Debug)]
pub struct Checked {
    /// What was read, whether it may be used or not.
    skill: Option<Skill>,
    refused: bool,
    findings: Vec<Finding>,
    accepted_by: Option<Profile>,
}

impl Checked {
    /// The skill, when nothing among the findings is an error.
    #[must_use]
    pub const fn skill(&self) -> Option<&Skill> {
        if self.refused {
            None
        } else {
            self.skill.as_ref()
        }
    }

    /// All findings, in the order of the file; those about the file as a whole first.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings that keep the file from loading.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_error())
    }

    /// For a file that does not load: the most demanding other profile that it
    /// loads under.
    #[must_use]
    pub const fn accepted_by(&self) -> Option<Profile> {
        self.accepted_by
    }

    /// The name as it is compared and its place, also when the skill does not load.
    pub(crate) fn name(&self) -> Option<(&str, Range<usize>)> {
        let skill = self
            .skill
            .as_ref()
            .filter(|skill| !skill.name().is_empty())?;
        Some((
            skill.name(),
            find(&skill.entries, "name").map_or(0..0, Value::range),
        ))
    }

    /// Adds findings that only a set of skills can have.
    pub(crate) fn extend(&mut self, findings: Vec<Finding>) {
        self.refused |= findings.iter().any(Finding::is_error);
        self.findings.extend(findings);
    }

    /// The skill and the findings, taken apart.
    #[must_use]
    pub fn into_parts(self) -> (Option<Skill>, Vec<Finding>) {
        (self.skill.filter(|_| !self.refused), self.findings)
    }
}

/// Checks the bytes of a `SKILL.md`. Does no I/O and panics on no input; the time
/// it takes grows with the length of the source.
///
/// ```
/// use repertoire_skillmd::{check, CheckOptions, Kind};
///
/// let source = b"---\nname: Pdf\ndescription: Reads PDF files. Use when a PDF is named.\n---\nSteps.\n";
/// let checked = check(source, &CheckOptions::new().directory("pdf"));
///
/// assert!(checked.skill().is_none());
/// let kinds: Vec<Kind> = checked.findings().iter().map(|finding| finding.kind()).collect();
/// assert_eq!(kinds, [Kind::NameCase, Kind::NameDirectoryMismatch]);
/// assert_eq!(checked.findings()[0].span().map(|span| (span.line(), span.column())), Some((2, 7)));
/// ```
#[must_use]
pub fn check(source: &[u8], options: &CheckOptions<'_>) -> Checked {
    let mut drafts = Vec::new();
    if let Some(name) = options.file_name {
        file_name(name, &mut drafts);
    }
    let text = decode(source, &mut drafts);
    let skip = bom(text.as_bytes());
    let loaded = match cut(text, skip) {
        Ok(frame) => Some(fill(text, frame, skip, options, &mut drafts)),
        // What follows broken bytes was not looked at: the fence may be there.
        Err(draft) if text.len() < source.len() => {
            if drafts.is_empty() {
                drafts.push(*draft);
            }
            None
        }
        Err(draft) => {
            drafts.push(*draft);
            None
        }
    };
    let accepted_by = accepting(&drafts, options.profile);
    let findings = settle(drafts, source, options);
    let refused = findings.iter().any(Finding::is_error);
    Checked {
        skill: loaded,
        refused,
        findings,
        accepted_by: if refused { accepted_by } else { None },
    }
}

/// The frontmatter and the place of the body, without any rule about fields.
#[derive(Clone, Debug)]
pub struct Document {
    entries: Vec<Entry>,
    body: Range<usize>,
}

impl Document {
    /// The entries of the frontmatter in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The value of one key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Value> {
        find(&self.entries, key)
    }

    /// The bytes of the source that hold the body, trimmed.
    #[must_use]
    pub const fn body_span(&self) -> Range<usize> {
        self.body.start..self.body.end
    }
}

/// Reads a file's frontmatter and finds its body, without asking what the keys
/// mean. No I/O, no panic.
///
/// # Errors
///
/// Everything that keeps the file from being read: no fences, bytes that are not
/// UTF-8, YAML that is broken or uses what is refused under every profile.
///
/// ```
/// let source = b"---\nname: pdf\nbuild: 007\n---\n\nSteps.\n";
/// let document = repertoire_skillmd::parse(source).unwrap();
/// assert_eq!(document.entry("build").and_then(|value| value.as_text()), Some("007"));
/// assert_eq!(&source[document.body_span()], b"Steps.");
/// ```
pub fn parse(source: &[u8]) -> Result<Document, Vec<Finding>> {
    let mut drafts = Vec::new();
    let text = decode(source, &mut drafts);
    let skip = bom(text.as_bytes());
    let mut document = Document {
        entries: Vec::new(),
        body: 0..0,
    };
    match cut(text, skip) {
        Ok(frame) => {
            let header = read(text, frame.header.clone());
            drafts.extend(header.drafts);
            document = Document {
                entries: header.entries,
                body: trimmed(text, frame.rest),
            };
        }
        Err(draft) => drafts.push(*draft),
    }
    drafts.retain(|draft| draft.level(Profile::Spec) == Some(Severity::Error));
    if drafts.is_empty() {
        Ok(document)
    } else {
        Err(settle(drafts, source, &CheckOptions::new()))
    }
}

fn fill(
    text: &str,
    frame: Frame,
    skip: usize,
    options: &CheckOptions<'_>,
    drafts: &mut Vec<Draft>,
) -> Skill {
    let mut header = read(text, frame.header.clone());
    drafts.append(&mut header.drafts);
    run(
        &Fields::new(&header, frame.closing.clone(), text),
        options,
        drafts,
    );
    let body = trimmed(text, frame.rest.clone());
    if options.wants(Some(Severity::Lint)) {
        lints::run(
            &lints::Subject {
                text,
                skip,
                frame: &frame,
                header: &header,
                body: body.clone(),
                options,
            },
            drafts,
        );
    }
    skill(header, body, options.directory)
}

fn skill(header: Header, body: Range<usize>, directory: Option<&str>) -> Skill {
    let written = find(&header.entries, "name")
        .and_then(Value::as_text)
        .unwrap_or_default()
        .trim();
    let name = if written.is_empty() {
        directory.unwrap_or_default()
    } else {
        written
    };
    let other_name = Some(normal(name))
        .filter(|name| name != written)
        .map(Cow::into_owned);
    let allowed_tools = find(&header.entries, "allowed-tools")
        .map(split_tools)
        .unwrap_or_default();
    Skill {
        other_name,
        allowed_tools,
        entries: header.entries,
        body,
    }
}

/// The part of `source` that is UTF-8; says so when that is not all of it.
fn decode<'s>(source: &'s [u8], drafts: &mut Vec<Draft>) -> &'s str {
    let error = match std::str::from_utf8(source) {
        Ok(text) => return text,
        Err(error) => error,
    };
    let good = error.valid_up_to();
    let bad = good..good + error.error_len().unwrap_or(source.len() - good).max(1);
    let utf16 = source.starts_with(&[0xFF, 0xFE]) || source.starts_with(&[0xFE, 0xFF]);
    let message = if utf16 {
        "the file is UTF-16, and must be UTF-8".to_owned()
    } else {
        format!(
            "the file is not UTF-8: byte {} (0x{:02X}) starts no character",
            // An error stands at a byte that there is.
            good,
            source[good]
        )
    };
    drafts.push(Draft::at(Kind::NotUtf8, bad, message).help("save the file as UTF-8"));
    // `valid_up_to` says that this much is UTF-8.
    std::str::from_utf8(&source[..good]).unwrap_or_default()
}

fn file_name(name: &str, drafts: &mut Vec<Draft>) {
    const RIGHT: &str = "SKILL.md";
    if name == RIGHT {
        return;
    }
    let message = format!(
        "the file must be named `{RIGHT}`, and is named `{}`",
        crate::frame::short(name)
    );
    let draft = Draft::whole(Kind::FileNameCase, message).help(format!("rename it to `{RIGHT}`"));
    let draft = draft.fix(Fix {
        edits: Vec::new(),
        rename: Some(RIGHT.to_owned()),
    });
    // The reference library reads `skill.md` as well, and no other spelling.
    drafts.push(if name == "skill.md" {
        draft
    } else {
        draft.lenient(Some(Severity::Error))
    });
}

/// `range` without the white space at both ends of its text.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    let inner = inner.trim();
    start..start + inner.len()
}
