//! One fault or piece of advice, with its place and its cure.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::{Kind, Profile};

/// How heavy a [`Finding`] is under the profile that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Advice: the file is valid, and could serve its readers better.
    Lint,
    /// A rule is broken, and the profile loads the file all the same.
    Warning,
    /// The file does not load.
    Error,
}

impl Severity {
    /// `lint`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place in a file.
///
/// Lines and columns count from 1; a column counts characters (code points), and
/// a byte-order mark at the start of the file counts as nothing. The byte range
/// is into the source as it was given, mark included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) end_line: usize,
    pub(crate) end_column: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    /// The line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// The line of the first byte after the place.
    #[must_use]
    pub const fn end_line(&self) -> usize {
        self.end_line
    }

    /// The column of the first byte after the place.
    #[must_use]
    pub const fn end_column(&self) -> usize {
        self.end_column
    }

    /// The bytes of the source; may be empty.
    #[must_use]
    pub const fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// One replacement of a [`Fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Edit {
    /// The bytes of the source to replace; empty for an insertion.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.range.start..self.range.end
    }

    /// What stands there afterwards.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A mechanical cure: edits of the file, or a new name for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub(crate) edits: Vec<Edit>,
    pub(crate) rename: Option<String>,
}

impl Fix {
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            edits: vec![Edit {
                range,
                text: text.into(),
            }],
            rename: None,
        }
    }

    /// The edits, sorted, without overlap.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// `source` with the edits made; the bytes must be the ones that were checked.
    ///
    /// ```
    /// use repertoire_skillmd::{check, CheckOptions};
    ///
    /// let source = b"---\nname: a\ndescription: Use when: now\n---\nSteps.\n";
    /// let checked = check(source, &CheckOptions::new());
    /// let fixed = checked.findings()[0].fix().unwrap().apply(source);
    /// assert_eq!(fixed, b"---\nname: a\ndescription: \"Use when: now\"\n---\nSteps.\n");
    /// ```
    #[must_use]
    pub fn apply(&self, source: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(source.len() + 64);
        let mut at = 0;
        for Edit { range, text } in &self.edits {
            let start = range.start.clamp(at, source.len().max(at));
            out.extend_from_slice(source.get(at..start).unwrap_or_default());
            out.extend_from_slice(text.as_bytes());
            at = range.end.max(start);
        }
        out.extend_from_slice(source.get(at..).unwrap_or_default());
        out
    }

    /// The name that the file should have.
    #[must_use]
    pub fn rename(&self) -> Option<&str> {
        self.rename.as_deref()
    }
}

/// One fault of a file, or one piece of advice about it.
///
/// [`render`](crate::render) shows it with the line it is about.
///
/// ```
/// use repertoire_skillmd::{check, CheckOptions, Kind, Severity};
///
/// let checked = check(b"---\nname: a\n---\nx\n", &CheckOptions::new());
/// let finding = &checked.findings()[0];
/// assert_eq!((finding.kind(), finding.severity()), (Kind::MissingDescription, Severity::Error));
/// assert_eq!(finding.message(), "`description` is missing");
/// assert!(finding.help().is_some_and(|help| help.starts_with("add a `description: …` line")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(crate) kind: Kind,
    pub(crate) severity: Severity,
    pub(crate) span: Option<Span>,
    pub(crate) message: Cow<'static, str>,
    pub(crate) help: Option<Cow<'static, str>>,
    pub(crate) accepted_by: Option<Profile>,
    pub(crate) fix: Option<Fix>,
}

impl Finding {
    /// What it is about.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// How heavy it is under the profile that was asked for.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Whether the file does not load because of it.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        matches!(self.severity, Severity::Error)
    }

    /// Where it is. `None`: it is about the file or folder as a whole.
    #[must_use]
    pub const fn span(&self) -> Option<&Span> {
        self.span.as_ref()
    }

    /// What is wrong and what is allowed, in one line without the file's path.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How to mend it; what stands in backticks can be pasted.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// For an error: the most demanding other profile that would not refuse the
    /// file for this reason.
    #[must_use]
    pub const fn accepted_by(&self) -> Option<Profile> {
        self.accepted_by
    }

    /// A mechanical cure, where there is one.
    #[must_use]
    pub const fn fix(&self) -> Option<&Fix> {
        self.fix.as_ref()
    }
}
