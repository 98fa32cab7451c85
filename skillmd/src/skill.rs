//! A skill that loads.

use std::ops::Range;

use crate::value::{Entry, Value};

/// The contents of a `SKILL.md` that loads under the profile it was checked by.
///
/// It holds no copy of the body: [`Skill::body`] cuts it out of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name where it is not the trimmed text of `name`.
    pub(crate) other_name: Option<String>,
    pub(crate) allowed_tools: Vec<String>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) body: Range<usize>,
}

impl Skill {
    /// The name: trimmed and in Unicode normalisation form NFKC. Under the profile
    /// `lenient` it is the name of the folder when the file has none.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.other_name {
            Some(name) => name,
            None => self.text("name").unwrap_or_default(),
        }
    }

    /// The description, trimmed. It may span lines.
    #[must_use]
    pub fn description(&self) -> &str {
        self.text("description").unwrap_or_default()
    }

    /// The license, trimmed; `None` when missing or empty.
    #[must_use]
    pub fn license(&self) -> Option<&str> {
        self.text("license")
    }

    /// What the skill needs to work, trimmed; `None` when missing or empty.
    #[must_use]
    pub fn compatibility(&self) -> Option<&str> {
        self.text("compatibility")
    }

    /// The text of a key, trimmed; `None` when there is none or it is empty.
    fn text(&self, key: &str) -> Option<&str> {
        self.entry(key)?
            .as_text()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// The entries of `metadata` in the order of the file. Under every profile
    /// but `lenient` each value is a text.
    #[must_use]
    pub fn metadata(&self) -> &[Entry] {
        self.entry("metadata")
            .and_then(Value::as_map)
            .unwrap_or_default()
    }

    /// The text of one entry of `metadata`.
    #[must_use]
    pub fn metadata_text(&self, key: &str) -> Option<&str> {
        find(self.metadata(), key)?.as_text()
    }

    /// The note of `metadata.deprecated`: why the skill should no longer be used, empty where the
    /// author gives no reason. `None` when the skill is not deprecated.
    ///
    /// A skill that names its successor in `metadata.replaced-by` is deprecated too.
    ///
    /// ```
    /// use repertoire_skillmd::{check, CheckOptions};
    ///
    /// let source = b"---\nname: a\ndescription: Use when asked.\nmetadata:\n  deprecated: slow\n  replaced-by: b\n---\nx\n";
    /// let checked = check(source, &CheckOptions::new());
    /// let skill = checked.skill().unwrap();
    /// assert_eq!((skill.deprecated(), skill.replaced_by()), (Some("slow"), Some("b")));
    /// ```
    #[must_use]
    pub fn deprecated(&self) -> Option<&str> {
        let note = find(self.metadata(), "deprecated");
        match note.map(|note| (note.as_bool(), note.as_text())) {
            Some((Some(false), _)) => None,
            Some((Some(true), _)) => Some(""),
            Some((None, note)) => Some(note.unwrap_or_default().trim()),
            None => self.replaced_by().map(|_| ""),
        }
    }

    /// The skill to use instead of this one (`metadata.replaced-by`).
    #[must_use]
    pub fn replaced_by(&self) -> Option<&str> {
        let name = self.metadata_text("replaced-by").map(str::trim);
        name.filter(|name| !name.is_empty())
    }

    /// The tools of `allowed-tools`, one item each, whether the file lists them
    /// with blanks, with commas or as a YAML list. They grant nothing by themselves.
    #[must_use]
    pub fn allowed_tools(&self) -> &[String] {
        &self.allowed_tools
    }

    /// All entries of the frontmatter in the order of the file, known or not.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The value of one key of the frontmatter.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Value> {
        find(&self.entries, key)
    }

    /// Whether the model must not start the skill by itself
    /// (`disable-model-invocation`, a key of Claude Code).
    ///
    /// Who writes the key wants the skill kept from models: a value that is neither a yes nor a no,
    /// and the key in another case or with `_`, count as `true`.
    #[must_use]
    pub fn disable_model_invocation(&self) -> Option<bool> {
        const KEY: &str = "disable-model-invocation";
        let known =
            |entry: &&Entry| entry.key == KEY || crate::rules::meant(&entry.key) == Some(KEY);
        let mut entries = self.entries.iter().filter(known).peekable();
        entries.peek()?;
        Some(entries.any(|entry| entry.value.as_bool() != Some(false)))
    }

    /// Whether a user may start the skill by name (`user-invocable`, a key of
    /// Claude Code).
    #[must_use]
    pub fn user_invocable(&self) -> Option<bool> {
        self.entry("user-invocable")?.as_bool()
    }

    /// The instructions: everything after the frontmatter, trimmed.
    ///
    /// `source` must be the bytes that were checked; of other bytes the result is
    /// empty or some part of them.
    #[must_use]
    pub fn body<'s>(&self, source: &'s [u8]) -> &'s str {
        source
            .get(self.body_span())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// The bytes of the source that hold [`Skill::body`].
    #[must_use]
    pub const fn body_span(&self) -> Range<usize> {
        self.body.start..self.body.end
    }
}

pub(crate) fn find<'e>(entries: &'e [Entry], key: &str) -> Option<&'e Value> {
    entries
        .iter()
        .find(|entry| entry.key == key)
        .map(|entry| &entry.value)
}
