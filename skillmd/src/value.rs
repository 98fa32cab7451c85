//! What stands in a frontmatter: texts, lists and maps, each with its place.

use std::borrow::Cow;
use std::ops::Range;

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(crate) key: Cow<'static, str>,
    pub(crate) key_range: Range<usize>,
    pub(crate) value: Value,
}

impl Entry {
    /// The key, decoded.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The bytes of the source that hold the key, quotes included.
    #[must_use]
    pub const fn key_range(&self) -> Range<usize> {
        self.key_range.start..self.key_range.end
    }

    /// The value.
    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.value
    }
}

/// A value of the frontmatter.
///
/// Scalars are texts, exactly as they were written: `007`, `1.10`, `yes` and `~`
/// are not turned into numbers, truth values or nulls. A key without a value has
/// an empty text.
///
/// ```
/// let document = repertoire_skillmd::parse(b"---\ntags: [a, 007]\n---\n").unwrap();
/// let tags = document.entry("tags").and_then(|tags| tags.as_list()).unwrap();
/// assert_eq!(tags[1].as_text(), Some("007"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub(crate) content: Content,
    pub(crate) range: Range<usize>,
}

/// What a [`Value`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A scalar, decoded (quotes, escapes and folding are gone), untrimmed.
    #[non_exhaustive]
    Text {
        /// The text.
        text: String,
        /// Whether it was written without quotes and not as a block.
        plain: bool,
    },
    /// A list, block or inline.
    List(Vec<Value>),
    /// A map, block or inline, in the order of the file.
    Map(Vec<Entry>),
}

impl Value {
    /// What it is.
    #[must_use]
    pub const fn content(&self) -> &Content {
        &self.content
    }

    /// The bytes of the source that hold it, quotes and brackets included; of a
    /// block scalar its lines, without the `|` or `>` above them.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.range.start..self.range.end
    }

    /// The text of a scalar, untrimmed.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&[Entry]> {
        match &self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// A scalar read as Claude Code reads truth values: `true`, `yes`, `on` and
    /// `1`, or `false`, `no`, `off` and `0`, in any case.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        let text = self.as_text()?.trim();
        let is = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        if is(["true", "yes", "on", "1"]) {
            Some(true)
        } else if is(["false", "no", "off", "0"]) {
            Some(false)
        } else {
            None
        }
    }

    /// A word for messages: what this is.
    pub(crate) const fn noun(&self) -> &'static str {
        match self.content {
            Content::Text { .. } => "a text",
            Content::List(_) => "a list",
            Content::Map(_) => "a map",
        }
    }
}
