//! How strictly a file is judged.

use std::fmt;
use std::str::FromStr;

/// How strictly a `SKILL.md` is judged.
///
/// The rules are the same everywhere; a profile decides which of them refuse a
/// file and which only warn.
///
/// ```
/// use repertoire_skillmd::Profile;
///
/// assert_eq!("lenient".parse(), Ok(Profile::Lenient));
/// assert_eq!(Profile::default(), Profile::Spec);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Every rule of the specification is an error; a key that the
    /// specification does not list is a lint.
    #[default]
    Spec,
    /// Like [`Profile::Spec`], and a key that the specification does not list is
    /// an error, as in the reference library.
    Strict,
    /// Like [`Profile::Spec`], and the thirteen further keys of Claude Code are
    /// known and their values checked; lists of tools, paths and arguments may
    /// be YAML lists.
    Claude,
    /// For files from disk that somebody else wrote: what can be loaded is
    /// loaded, with warnings. A value with an unquoted `: ` is read as text.
    Lenient,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 4] = [Self::Spec, Self::Strict, Self::Claude, Self::Lenient];

    /// The name a user writes: `spec`, `strict`, `claude` or `lenient`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Strict => "strict",
            Self::Claude => "claude",
            Self::Lenient => "lenient",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a [`Profile`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownProfile;

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown profile; expected `spec`, `strict`, `claude` or `lenient`")
    }
}

impl std::error::Error for UnknownProfile {}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.name() == text)
            .ok_or(UnknownProfile)
    }
}
