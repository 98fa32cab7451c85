//! What a check is told about the file besides its bytes.

use crate::finding::Severity;
use crate::kind::Level;
use crate::{Kind, Profile};

/// How a file is judged, and what is known about it besides its bytes.
///
/// The check does no I/O: rules about the folder, the file's name and the other
/// files of the skill run only when these are given here.
///
/// ```
/// use repertoire_skillmd::{CheckOptions, Kind, Profile};
///
/// let options = CheckOptions::new()
///     .profile(Profile::Strict)
///     .directory("invoice-reader")
///     .file_name("SKILL.md")
///     .files(["SKILL.md", "references/vat.md"])
///     .allow(Kind::BodyEmpty)
///     .deny_lints();
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct CheckOptions<'a> {
    pub(crate) profile: Profile,
    pub(crate) directory: Option<&'a str>,
    pub(crate) file_name: Option<&'a str>,
    pub(crate) files: Option<Vec<&'a str>>,
    allow: Vec<Kind>,
    deny: Vec<Kind>,
    deny_lints: bool,
    without_lints: bool,
}

impl<'a> CheckOptions<'a> {
    /// The profile `spec`, nothing else known, no lint silenced or denied.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The profile to judge by.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The name of the folder that holds the file; `name` has to equal it.
    #[must_use]
    pub fn directory(mut self, name: &'a str) -> Self {
        self.directory = Some(name);
        self
    }

    /// The name of the file, without folders; it has to be `SKILL.md`.
    #[must_use]
    pub fn file_name(mut self, name: &'a str) -> Self {
        self.file_name = Some(name);
        self
    }

    /// All files of the skill, relative to its folder, with `/` between the
    /// parts. Links to files that are not listed are then found.
    #[must_use]
    pub fn files(mut self, files: impl IntoIterator<Item = &'a str>) -> Self {
        self.files = Some(files.into_iter().collect());
        self
    }

    /// Silences a lint, or a warning of the profile `lenient`. Errors stay.
    #[must_use]
    pub fn allow(mut self, kind: Kind) -> Self {
        self.allow.push(kind);
        self
    }

    /// Makes a lint or a warning an error. `deny` wins over `allow`.
    #[must_use]
    pub fn deny(mut self, kind: Kind) -> Self {
        self.deny.push(kind);
        self
    }

    /// Makes every lint that is not allowed by name an error.
    #[must_use]
    pub fn deny_lints(mut self) -> Self {
        self.deny_lints = true;
        self
    }

    /// Looks for no lint at all, which takes less time. For a program that loads
    /// skills and shows nobody the advice.
    ///
    /// ```
    /// use repertoire_skillmd::{check, CheckOptions};
    ///
    /// let source = b"---\nname: a\ndescription: Nouns.\nversion: 1\n---\n";
    /// assert_eq!(check(source, &CheckOptions::new()).findings().len(), 3);
    /// assert!(check(source, &CheckOptions::new().without_lints()).findings().is_empty());
    /// ```
    #[must_use]
    pub fn without_lints(mut self) -> Self {
        self.without_lints = true;
        self
    }

    /// Whether a finding of this level is looked for.
    pub(crate) fn wants(&self, level: Level) -> bool {
        level.is_some_and(|level| level != Severity::Lint || !self.without_lints)
    }

    pub(crate) fn is_allowed(&self, kind: Kind) -> bool {
        self.allow.contains(&kind)
    }

    pub(crate) fn is_denied(&self, kind: Kind, level: Severity) -> bool {
        self.deny.contains(&kind)
            || (self.deny_lints && level == Severity::Lint && !self.is_allowed(kind))
    }
}
