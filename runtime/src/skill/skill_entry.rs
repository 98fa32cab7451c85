//! One skill, wherever it lies.

use std::borrow::Cow;

use super::{EmbeddedSkill, ReadError, file_type, on_disk::OnDisk};
use crate::catalog::one_line;

/// A skill: instructions for one kind of task, in a folder with a `SKILL.md`.
///
/// ```
/// use repertoire::Skills;
///
/// for skill in Skills::from_roots(["skills"]).iter() {
///     println!("{}: {}", skill.name(), skill.description());
///     for file in skill.files() {
///         println!("  {} ({} bytes)", file.path(), file.size());
///     }
/// }
/// ```
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

/// A file of a skill beside its `SKILL.md`, which [`Skill::read_file`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    pub(super) path: String,
    pub(super) size: u64,
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
            Source::Disk(disk) => {
                let body = disk.body(&self.name).map(Cow::Owned);
                body.map_err(|reason| self.changed("SKILL.md", reason))
            }
        }
    }

    /// A file of the skill as text, by its path in [`files`](Self::files).
    ///
    /// # Errors
    /// The skill lists no such file, the file is not text, or it has vanished.
    pub fn read_file(&self, path: &str) -> Result<Cow<'static, str>, ReadError> {
        // The list decides, not the file system: a path that is not on it leads nowhere.
        let Some(listed) = self.files.iter().find(|file| file.path == path) else {
            return Err(self.no_such_file(path));
        };
        let bytes = match &self.source {
            Source::Embedded(skill, _) => {
                let bytes = skill.file(&listed.path).map(Cow::Borrowed);
                bytes.ok_or_else(|| self.no_such_file(path))?
            }
            Source::Disk(disk) => {
                let bytes = disk.bytes(listed).map(Cow::Owned);
                bytes.map_err(|reason| self.changed(path, reason))?
            }
        };
        text(bytes).map_err(|bytes| ReadError::NotText {
            skill: self.name().to_owned(),
            file: path.to_owned(),
            size: bytes.len() as u64,
            what: file_type::describe(path, &bytes),
        })
    }

    fn no_such_file(&self, path: &str) -> ReadError {
        ReadError::NoSuchFile {
            skill: self.name().to_owned(),
            file: path.to_owned(),
            known: self.files.iter().map(|file| file.path.clone()).collect(),
        }
    }

    fn changed(&self, path: &str, reason: String) -> ReadError {
        ReadError::Changed {
            skill: self.name().to_owned(),
            file: path.to_owned(),
            reason,
        }
    }

    /// Whether reading the skill waits for the disk.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.source, Source::Disk(_))
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
            size: skill.body.1.saturating_sub(skill.body.0) as u64,
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

/// Bytes as the text that they are, or as they came if they are none.
fn text(bytes: Cow<'static, [u8]>) -> Result<Cow<'static, str>, Cow<'static, [u8]>> {
    if file_type::is_binary(&bytes) {
        return Err(bytes);
    }
    match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) => Err(Cow::Borrowed(bytes)),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Owned(text)),
            Err(error) => Err(Cow::Owned(error.into_bytes())),
        },
    }
}

/// A folder as the beginning of a path.
fn slash(folder: &str) -> String {
    format!("{}/", folder.trim_end_matches('/'))
}
