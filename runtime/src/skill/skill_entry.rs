//! One skill, wherever it lies.

use std::{borrow::Cow, fmt};

use super::{EmbeddedSkill, disk::OnDisk, file_type};
use crate::catalog::one_line;

/// A skill: instructions for one kind of task, in a folder with a `SKILL.md`.
#[derive(Clone, Debug)]
pub struct Skill {
    pub(super) name: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) group: Option<Cow<'static, str>>,
    pub(super) allowed_tools: Vec<Cow<'static, str>>,
    pub(super) model_invocable: bool,
    pub(super) user_invocable: bool,
    pub(super) deprecated: Option<Deprecated>,
    pub(super) source: Source,
    /// The size of `SKILL.md` in bytes when the skill was found.
    pub(super) size: u64,
    /// Sorted by path.
    pub(super) files: Vec<SkillFile>,
}

/// That a skill should no longer be used.
#[derive(Clone, Debug)]
pub(super) struct Deprecated {
    /// Why, may be empty.
    pub(super) note: Cow<'static, str>,
    /// The skill to use instead, may be empty.
    pub(super) instead: Cow<'static, str>,
}

/// Where a skill lies.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Embedded(&'static EmbeddedSkill, &'static str),
    Disk(OnDisk),
}

/// A file of a skill beside its `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    pub(super) path: String,
    pub(super) size: u64,
}

/// Why a skill or one of its files could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The skill has no such file in its list.
    NoSuchFile,
    /// The file is not text.
    NotText {
        /// Its size in bytes.
        size: u64,
        /// What it seems to be, for example `a PNG image`.
        what: &'static str,
    },
    /// The file has changed or vanished since the skill was found.
    Changed(String),
}

impl Skill {
    /// The name, by which the model asks for the skill.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the skill is for and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The group the skill belongs to (`metadata.group`).
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.group.as_deref()
    }

    /// The tools that the skill names in `allowed-tools`. They approve nothing; a deferred one
    /// among them is loaded when the skill is read.
    pub fn allowed_tools(&self) -> impl Iterator<Item = &str> {
        self.allowed_tools.iter().map(AsRef::as_ref)
    }

    /// Whether a model may use the skill. Not if its author wrote `disable-model-invocation: true`.
    #[must_use]
    pub fn is_model_invocable(&self) -> bool {
        self.model_invocable
    }

    /// Whether a person may start the skill by name. Not if its author wrote
    /// `user-invocable: false`. The SDK itself offers skills to models alone.
    #[must_use]
    pub fn is_user_invocable(&self) -> bool {
        self.user_invocable
    }

    /// Whether the author has deprecated the skill (`metadata.deprecated` or
    /// `metadata.replaced-by`). The model is told so, and can read it all the same.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        self.deprecated.is_some()
    }

    /// The skill to use instead of this one (`metadata.replaced-by`).
    #[must_use]
    pub fn replaced_by(&self) -> Option<&str> {
        let instead = self
            .deprecated
            .as_ref()
            .map(|deprecated| deprecated.instead.as_ref());
        instead.filter(|instead| !instead.is_empty())
    }

    /// `deprecated: why; use `other` instead`, in one line.
    pub(super) fn deprecation(&self) -> Option<String> {
        let Deprecated { note, instead } = self.deprecated.as_ref()?;
        let mut text = "deprecated".to_owned();
        if !note.is_empty() {
            text.push_str(": ");
            text.push_str(&one_line(note));
        }
        if !instead.is_empty() {
            text.push_str(&format!("; use `{}` instead", one_line(instead)));
        }
        Some(text)
    }

    /// The files of the skill beside its `SKILL.md`, sorted by path.
    #[must_use]
    pub fn files(&self) -> &[SkillFile] {
        &self.files
    }

    /// The instructions: the text of `SKILL.md` without its frontmatter.
    ///
    /// A skill on disk is read again every time, so that an edit is seen.
    ///
    /// # Errors
    /// The file on disk has vanished or is no longer a skill.
    pub fn body(&self) -> Result<Cow<'static, str>, ReadError> {
        match &self.source {
            Source::Embedded(skill, _) => {
                let whole = skill.file("SKILL.md");
                let body = whole.and_then(|text| text.get(skill.body.0..skill.body.1));
                let body = body.and_then(|body| std::str::from_utf8(body).ok());
                Ok(Cow::Borrowed(body.unwrap_or_default()))
            }
            Source::Disk(disk) => disk.body(&self.name).map(Cow::Owned),
        }
    }

    /// A file of the skill as text, by its path in [`files`](Self::files).
    ///
    /// # Errors
    /// The skill lists no such file, the file is not text, or it has vanished.
    pub fn read_file(&self, path: &str) -> Result<Cow<'static, str>, ReadError> {
        // The list decides, not the file system: a path that is not on it leads nowhere.
        let Some(listed) = self.files.iter().find(|file| file.path == path) else {
            return Err(ReadError::NoSuchFile);
        };
        match &self.source {
            Source::Embedded(skill, _) => {
                let bytes = skill.file(&listed.path).ok_or(ReadError::NoSuchFile)?;
                if file_type::is_binary(bytes) {
                    return Err(ReadError::not_text(path, bytes));
                }
                std::str::from_utf8(bytes)
                    .map(Cow::Borrowed)
                    .map_err(|_| ReadError::not_text(path, bytes))
            }
            Source::Disk(disk) => disk.text(listed).map(Cow::Owned),
        }
    }

    /// The size of the longest text of the skill in bytes when it was found.
    pub(super) fn longest(&self) -> u64 {
        let files = self.files.iter().map(SkillFile::size);
        files.fold(self.size, u64::max)
    }

    pub(super) fn from_embedded(skill: &'static EmbeddedSkill, folder: &'static str) -> Self {
        let files = skill.files.iter().filter(|(path, _)| *path != "SKILL.md");
        let files = files.map(|(path, bytes)| SkillFile {
            path: (*path).to_owned(),
            size: bytes.len() as u64,
        });
        Self {
            name: Cow::Borrowed(skill.name),
            description: Cow::Borrowed(skill.description),
            group: skill.group.map(Cow::Borrowed),
            allowed_tools: skill
                .allowed_tools
                .iter()
                .copied()
                .map(Cow::Borrowed)
                .collect(),
            model_invocable: skill.model_invocable,
            user_invocable: skill.user_invocable,
            deprecated: skill.deprecated.map(|(note, instead)| Deprecated {
                note: Cow::Borrowed(note),
                instead: Cow::Borrowed(instead),
            }),
            source: Source::Embedded(skill, folder),
            size: (skill.body.1 - skill.body.0) as u64,
            files: files.collect(),
        }
    }

    /// The path of the skill's `SKILL.md`, or the name of an embedded skill.
    pub(super) fn location(&self) -> String {
        match &self.source {
            Source::Embedded(skill, _) => skill.name.to_owned(),
            Source::Disk(disk) => disk.location(),
        }
    }

    /// Where the skill lies, for messages to people.
    pub(super) fn place(&self) -> String {
        match &self.source {
            Source::Embedded(skill, folder) => {
                format!("{}{} (embedded)", slash(folder), skill.name)
            }
            Source::Disk(disk) => disk.file().display().to_string(),
        }
    }
}

impl SkillFile {
    /// The path below the skill's folder, with `/` between its parts.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The size in bytes when the skill was found.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }
}

/// A folder as the beginning of a path.
fn slash(folder: &str) -> String {
    format!("{}/", folder.trim_end_matches('/'))
}

impl ReadError {
    pub(super) fn not_text(path: &str, bytes: &[u8]) -> Self {
        Self::NotText {
            size: bytes.len() as u64,
            what: file_type::describe(path, bytes),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFile => f.write_str("the skill has no such file"),
            Self::NotText { size, what } => {
                write!(f, "the file is {what} of {size} bytes and not text")
            }
            Self::Changed(why) => write!(f, "the skill cannot be read any more: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}
