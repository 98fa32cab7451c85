//! What a tool gives back to the model.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{ErrorKind, ToolError, code};
use crate::texts::fill;

/// What a tool call returns: one or more parts.
///
/// Most tools return text or a type that is written as JSON; this is for the rest.
///
/// ```
/// use repertoire::{ToolOutput, tool};
///
/// /// Draw the sales by month.
/// #[tool]
/// fn sales_chart() -> ToolOutput {
///     ToolOutput::text("sales by month").with_image("image/png", "iVBORw0KGgo=")
/// }
///
/// assert_eq!(sales_chart().to_text(), "sales by month");
/// ```
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
    /// A text with an address of its own, such as a file. The model reads the text; the address is
    /// for clients that can follow it.
    Resource {
        /// Where it is, such as `file:///stock.csv`.
        uri: String,
        /// Its media type, such as `text/csv`.
        media_type: String,
        /// Its content.
        text: String,
    },
}

impl ToolOutput {
    /// An output that is one text.
    ///
    /// ```
    /// use repertoire::ToolOutput;
    ///
    /// assert_eq!(ToolOutput::text("seven").to_text(), "seven");
    /// ```
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Text(text.into())],
        }
    }

    /// The same output and an image. `data` is in base64.
    ///
    /// ```
    /// use repertoire::ToolOutput;
    ///
    /// let chart = ToolOutput::text("sales by month").with_image("image/png", "iVBORw0KGgo=");
    /// assert_eq!(chart.parts().len(), 2);
    /// ```
    #[must_use]
    pub fn with_image(mut self, media_type: impl Into<String>, data: impl Into<String>) -> Self {
        self.parts.push(Part::Image {
            media_type: media_type.into(),
            data: data.into(),
        });
        self
    }

    /// The same output and a text with an address of its own.
    ///
    /// ```
    /// use repertoire::ToolOutput;
    ///
    /// let output = ToolOutput::text("two lines")
    ///     .with_resource("file:///stock.csv", "text/csv", "A-1042,7\nB-7,0");
    /// assert_eq!(output.to_text(), "two lines\nA-1042,7\nB-7,0");
    /// ```
    #[must_use]
    pub fn with_resource(
        mut self,
        uri: impl Into<String>,
        media_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        self.parts.push(Part::Resource {
            uri: uri.into(),
            media_type: media_type.into(),
            text: text.into(),
        });
        self
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The value that a tool has returned, for a tool that calls another one.
    ///
    /// A value that was no text stands here as JSON. Text that is not JSON is a value of type
    /// `String`.
    ///
    /// ```
    /// use repertoire::ToolOutput;
    ///
    /// assert_eq!(ToolOutput::text("[1, 2]").decode::<Vec<u8>>().unwrap(), [1, 2]);
    /// assert_eq!(ToolOutput::text("two words").decode::<String>().unwrap(), "two words");
    /// ```
    ///
    /// # Errors
    /// The value is of another type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        let text = self.to_text();
        let wrong = match serde_json::from_str(&text) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        T::deserialize(Value::String(text)).map_err(|_| {
            ToolError::new(
                ErrorKind::Failed,
                format!("the result of the tool is of another type: {wrong}"),
            )
            .with_code(code::RESULT)
        })
    }

    /// All text parts, joined by line breaks.
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(&self.parts)
    }
}

/// The texts among some parts, joined by line breaks.
pub(crate) fn text_of(parts: &[Part]) -> String {
    let mut texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) | Part::Resource { text, .. } => Some(text.as_str()),
        Part::Image { .. } => None,
    });
    let mut all = texts.next().unwrap_or_default().to_owned();
    for text in texts {
        all.push('\n');
        all.push_str(text);
    }
    all
}

impl ToolOutput {
    /// Adds a part.
    pub(crate) fn push(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// The same output with at most so many bytes of text, cut between characters and rather at the
    /// end of a line. Where something is cut, `notice` says so: `{shown}` and `{size}` are bytes.
    #[must_use]
    pub(crate) fn capped(mut self, most: usize, notice: &str) -> Self {
        let mut left = most;
        let sizes = self.parts.iter().map(|part| match part {
            Part::Text(text) | Part::Resource { text, .. } => text.len(),
            Part::Image { .. } => 0,
        });
        let size: usize = sizes.sum();
        let mut said = false;
        for part in &mut self.parts {
            let (Part::Text(text) | Part::Resource { text, .. }) = part else {
                continue;
            };
            if text.len() <= left {
                left -= text.len();
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
            let shown = most - left + end;
            left = 0;
            // Once for all that follows.
            if !std::mem::replace(&mut said, true) {
                let (shown, size) = (shown.to_string(), size.to_string());
                let notice = fill(notice, &[("shown", &shown), ("size", &size)]);
                text.push('\n');
                text.push_str(&notice);
            }
        }
        self.parts
            .retain(|part| !matches!(part, Part::Text(text) if said && text.is_empty()));
        self
    }
}

impl<T: Into<String>> From<T> for ToolOutput {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}
