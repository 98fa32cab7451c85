//! What a user says: text, and what there is to see with it.

use serde::{Deserialize, Serialize};

use crate::tool::{Part, text_of};

/// What a user says: text, images, and texts with an address of their own.
///
/// A string is a message of one text, so `agent.run("…")` needs no word of it.
///
/// ```
/// use repertoire::{Conversation, conversation::UserMessage};
///
/// let mut conversation = Conversation::new();
/// conversation.push_user("What do I show you next?");
/// conversation.push_user(UserMessage::text("This.").with_image("image/png", "iVBORw0KGgo="));
/// assert_eq!(conversation.items().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct UserMessage {
    parts: Vec<Part>,
}

/// A message of one text is saved as that text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Saved {
    Text(String),
    Parts(Vec<Part>),
}

impl UserMessage {
    /// A message of one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().with_text(text)
    }

    /// The same message and one more text behind what is there.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        self.with_part(Part::Text(text.into()))
    }

    /// The same message and an image, for a model that can see. `data` is in base64.
    #[must_use]
    pub fn with_image(self, media_type: impl Into<String>, data: impl Into<String>) -> Self {
        self.with_part(Part::Image {
            media_type: media_type.into(),
            data: data.into(),
        })
    }

    /// The same message and a text with an address of its own, such as a file that was attached.
    #[must_use]
    pub fn with_resource(
        self,
        uri: impl Into<String>,
        media_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        self.with_part(Part::Resource {
            uri: uri.into(),
            media_type: media_type.into(),
            text: text.into(),
        })
    }

    /// The same message and one more part.
    #[must_use]
    pub fn with_part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All text, joined by line breaks.
    #[must_use]
    pub fn to_text(&self) -> String {
        text_of(&self.parts)
    }
}

impl<T: Into<String>> From<T> for UserMessage {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

impl From<Saved> for UserMessage {
    fn from(saved: Saved) -> Self {
        match saved {
            Saved::Text(text) => Self::text(text),
            Saved::Parts(parts) => Self { parts },
        }
    }
}

impl From<UserMessage> for Saved {
    fn from(message: UserMessage) -> Self {
        let mut parts = message.parts;
        match (parts.len(), parts.pop()) {
            (1, Some(Part::Text(text))) => Self::Text(text),
            (_, last) => {
                parts.extend(last);
                Self::Parts(parts)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_saved_as_a_text_and_everything_comes_back() {
        let save = |message: &UserMessage| serde_json::to_string(message).unwrap();
        let load = |json: &str| serde_json::from_str::<UserMessage>(json).unwrap();
        // As it was saved before there were parts.
        assert_eq!(load(r#""hi""#), UserMessage::from("hi"));
        assert_eq!(save(&"hi".into()), r#""hi""#);
        let all = [
            UserMessage::default(),
            UserMessage::from(""),
            UserMessage::text("a").with_text("b"),
            UserMessage::text("a").with_image("image/png", "AA=="),
            UserMessage::default().with_image("image/png", "AA=="),
            UserMessage::default().with_resource("file:///a", "text/plain", "b"),
        ];
        for message in all {
            assert_eq!(load(&save(&message)), message);
        }
        assert_eq!(
            UserMessage::text("a")
                .with_image("x", "y")
                .with_text("b")
                .to_text(),
            "a\nb"
        );
    }
}
