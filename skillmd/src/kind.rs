//! The names of all findings, and how heavy each is under each profile.

use std::fmt;
use std::str::FromStr;

use crate::Profile;
use crate::finding::Severity;

/// How heavy a finding is under one profile; `None` is "not a finding there".
pub(crate) type Level = Option<Severity>;

const E: Level = Some(Severity::Error);
const W: Level = Some(Severity::Warning);
const L: Level = Some(Severity::Lint);
const O: Level = None;

macro_rules! kinds {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal [$spec:ident $strict:ident $claude:ident $lenient:ident],)+) => {
        /// What a [`Finding`](crate::Finding) is about.
        ///
        /// The names ([`Kind::name`]) are stable: they are what `allow` and `deny` take.
        ///
        #[doc = include_str!("../docs/kinds.md")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])+ $variant,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable name, for example `name-case`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Levels in the order of [`Profile::ALL`].
            pub(crate) const fn levels(self) -> [Level; 4] {
                match self { $(Self::$variant => [$spec, $strict, $claude, $lenient],)+ }
            }
        }
    };
}

kinds! {
    /// The file does not start with a `---` line.
    MissingFrontmatter = "missing-frontmatter" [E E E E],
    /// No `---` line closes the frontmatter.
    UnclosedFrontmatter = "unclosed-frontmatter" [E E E E],
    /// The frontmatter is not valid YAML.
    YamlSyntax = "yaml-syntax" [E E E E],
    /// The frontmatter uses a YAML anchor or alias.
    YamlAlias = "yaml-alias" [E E E E],
    /// The frontmatter uses a YAML tag.
    YamlTag = "yaml-tag" [E E E E],
    /// A key of the frontmatter is a list or a map.
    YamlComplexKey = "yaml-complex-key" [E E E E],
    /// A key stands twice in one map.
    DuplicateKey = "duplicate-key" [E E E E],
    /// The frontmatter is a list or a text, not a map.
    NotAMapping = "not-a-mapping" [E E E E],
    /// The file is not UTF-8.
    NotUtf8 = "not-utf8" [E E E E],
    /// The file is not named exactly `SKILL.md`.
    FileNameCase = "file-name-case" [E E E W],
    /// `name` is missing, empty or not text.
    MissingName = "missing-name" [E E E E],
    /// `description` is missing.
    MissingDescription = "missing-description" [E E E E],
    /// `name` holds capital letters.
    NameCase = "name-case" [E E E W],
    /// `name` holds something else than letters, digits and hyphens.
    NameCharacters = "name-characters" [E E E W],
    /// `name` is longer than 64 characters.
    NameTooLong = "name-too-long" [E E E W],
    /// `name` starts or ends with a hyphen.
    NameEdgeHyphen = "name-edge-hyphen" [E E E W],
    /// `name` holds two hyphens in a row.
    NameDoubleHyphen = "name-double-hyphen" [E E E W],
    /// `name` differs from the name of the skill's folder.
    NameDirectoryMismatch = "name-directory-mismatch" [E E E W],
    /// `description` is empty.
    DescriptionEmpty = "description-empty" [E E E E],
    /// `description` is a list or a map.
    DescriptionNotString = "description-not-string" [E E E E],
    /// `description` is longer than 1024 characters.
    DescriptionTooLong = "description-too-long" [E E E W],
    /// `license` is a list or a map.
    LicenseNotString = "license-not-string" [E E E W],
    /// `compatibility` is present and empty.
    CompatibilityEmpty = "compatibility-empty" [E E E W],
    /// `compatibility` is a list or a map.
    CompatibilityNotString = "compatibility-not-string" [E E E W],
    /// `compatibility` is longer than 500 characters.
    CompatibilityTooLong = "compatibility-too-long" [E E E W],
    /// `metadata` is a list or a text, not a map.
    MetadataNotMapping = "metadata-not-mapping" [E E E W],
    /// A value under `metadata` is a list or a map.
    MetadataValueNotString = "metadata-value-not-string" [E E E W],
    /// `allowed-tools` is a list or a map, not one text.
    AllowedToolsNotString = "allowed-tools-not-string" [E E O W],
    /// A key that the profile does not know.
    UnexpectedField = "unexpected-field" [L E L L],
    /// A key of Claude Code has a value that it does not understand.
    ClientKeyValue = "client-key-value" [O O E O],
    /// Two skills of one set have one name.
    DuplicateName = "duplicate-name" [E E E W],
    /// A file, a folder or a number of them is over a limit of the scan.
    ScanLimit = "scan-limit" [E E E W],
    /// A file or folder could not be read.
    Unreadable = "unreadable" [E E E W],
    /// A symbolic link points out of the scanned folder, nowhere, or back at a folder above it.
    SymlinkRefused = "symlink-refused" [E E E W],

    /// A value with an unquoted `: ` was read as text.
    UnquotedColon = "unquoted-colon" [O O O W],
    /// The file starts with a byte-order mark.
    Bom = "bom" [L L L L],
    /// Blanks follow a `---` fence.
    FenceTrailingBlanks = "fence-trailing-blanks" [L L L L],
    /// `allowed-tools` is separated by commas.
    AllowedToolsCommas = "allowed-tools-commas" [L L O L],
    /// A ` #` starts a comment and cuts the value before it.
    CommentCutsValue = "comment-cuts-value" [L L L L],
    /// A plain value that other readers take for a number, a date or a truth value.
    AmbiguousScalar = "ambiguous-scalar" [L L L L],
    /// A control character that a terminal or a model could stumble over.
    ControlCharacter = "control-character" [L L L L],
    /// `description` does not say when to use the skill.
    DescriptionNoWhen = "description-no-when" [L L L L],
    /// The body is empty.
    BodyEmpty = "body-empty" [L L L L],
    /// The body has more than 500 lines.
    BodyTooManyLines = "body-too-many-lines" [L L L L],
    /// The body has more than about 5,000 tokens.
    BodyTooManyTokens = "body-too-many-tokens" [L L L L],
    /// A link to a file that the skill does not have.
    LinkMissing = "link-missing" [L L L L],
    /// A link to a file that exists in another case only.
    LinkCase = "link-case" [L L L L],
    /// A link that leaves the skill's folder.
    LinkOutside = "link-outside" [L L L L],
    /// The text names a file under `scripts/`, `references/` or `assets/` that the skill does not have.
    MentionMissing = "mention-missing" [L L L L],
    /// A Markdown file beside the skill folders that looks like a skill.
    FlatSkillFile = "flat-skill-file" [L L L L],
    /// A `SKILL.md` below another skill, which makes it a file of that skill.
    NestedSkill = "nested-skill" [L L L L],
    /// A `SKILL.md` in a hidden folder, which is not looked into.
    HiddenSkill = "hidden-skill" [L L L L],
    /// A folder without any skill in it.
    FolderWithoutSkill = "folder-without-skill" [L L L L],
}

impl Kind {
    /// Whether this is advice, silenced by `allow` and raised by `deny`, and not
    /// a rule that refuses a file under some profile.
    ///
    /// ```
    /// use repertoire_skillmd::Kind;
    ///
    /// assert!(Kind::LinkMissing.is_lint());
    /// assert!(!Kind::NameCase.is_lint());
    /// ```
    #[must_use]
    pub fn is_lint(self) -> bool {
        self.levels()
            .iter()
            .flatten()
            .any(|level| *level == Severity::Lint)
    }

    /// What the kind is about, with an example that is wrong and one that is
    /// right, in Markdown.
    ///
    /// ```
    /// use repertoire_skillmd::Kind;
    ///
    /// assert!(Kind::NameCase.explanation().starts_with("A name has no capital letters"));
    /// ```
    #[must_use]
    pub fn explanation(self) -> &'static str {
        const ALL: &str = include_str!("../docs/kinds.md");
        let name = self.name();
        let section = ALL
            .split("\n## ")
            .find_map(|section| section.strip_prefix(name)?.strip_prefix('\n'));
        section
            .unwrap_or_default()
            .split("\n# ")
            .next()
            .unwrap_or_default()
            .trim()
    }

    pub(crate) fn level(self, profile: Profile) -> Level {
        let [spec, strict, claude, lenient] = self.levels();
        match profile {
            Profile::Spec => spec,
            Profile::Strict => strict,
            Profile::Claude => claude,
            Profile::Lenient => lenient,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a [`Kind`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown finding; expected a name such as `link-missing`")
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == text)
            .ok_or(UnknownKind)
    }
}
