//! What a tool gives back to the model.

use serde::{Deserialize, Serialize};

use crate::texts::fill;

/// What a tool call returns: one or more parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolOutput {
    parts: Vec<Part>,
}

/// A piece of a tool's output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Text, shown to the model as it is.
    Text(String),
    /// An image, shown to models that can see.
    Image {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
}

impl ToolOutput {
    /// An output that is one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Text(text.into())],
        }
    }

    /// The same output and an image. `data` is in base64.
    #[must_use]
    pub fn with_image(mut self, media_type: impl Into<String>, data: impl Into<String>) -> Self {
        self.parts.push(Part::Image {
            media_type: media_type.into(),
            data: data.into(),
        });
        self
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All text parts, joined by line breaks.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        let mut all = texts.next().unwrap_or_default().to_owned();
        for text in texts {
            all.push('\n');
            all.push_str(text);
        }
        all
    }
}

impl ToolOutput {
    /// The same output with at most so many bytes of text, cut between characters and rather at the
    /// end of a line. Where something is cut, `notice` says so: `{shown}` and `{size}` are bytes.
    #[must_use]
    pub(crate) fn capped(mut self, most: usize, notice: &str) -> Self {
        let mut left = most;
        for part in &mut self.parts {
            let Part::Text(text) = part else { continue };
            let size = text.len();
            if size <= left {
                left -= size;
                continue;
            }
            let mut end = left;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            // A whole line reads better than half of one, unless that would lose much.
            if let Some(newline) = text.get(..end).and_then(|text| text.rfind('\n'))
                && newline > end / 2
            {
                end = newline;
            }
            text.truncate(end);
            let (shown, size) = (end.to_string(), size.to_string());
            let notice = fill(notice, &[("shown", &shown), ("size", &size)]);
            text.push('\n');
            text.push_str(&notice);
            left = 0;
        }
        self
    }
}

impl<T: Into<String>> From<T> for ToolOutput {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}
