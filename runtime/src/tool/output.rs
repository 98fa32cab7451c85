//! What a tool gives back to the model.

use serde::{Deserialize, Serialize};

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

impl<T: Into<String>> From<T> for ToolOutput {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}
