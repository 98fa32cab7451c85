//! One history between a user, a model and its tools.

mod item;
mod turn;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use item::{CallKind, Item, ResultStatus, ToolCall, ToolResult};
pub use turn::{ModelPart, ModelTurn, StopReason, Usage, Verbatim};

/// The version that [`Conversation`] writes. Older versions stay readable.
const VERSION: u32 = 1;

/// One history: what the user said, what the model answered, what the tools returned.
///
/// It is the only state of a run. Which tools are loaded and which skills have been read is read off
/// the items, so a conversation that was saved, cut short or shortened continues anywhere.
///
/// ```
/// use repertoire::Conversation;
///
/// let mut conversation = Conversation::new();
/// conversation.push_user("Is A-1042 in stock?");
/// let saved = conversation.to_json();
/// let resumed = Conversation::from_json(&saved)?;
/// assert_eq!(resumed.items().len(), 1);
/// # Ok::<(), repertoire::conversation::LoadError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conversation {
    version: u32,
    items: Vec<Item>,
}

impl Conversation {
    /// An empty history.
    #[must_use]
    pub fn new() -> Self {
        Self {
            version: VERSION,
            items: Vec::new(),
        }
    }

    /// Everything said so far, oldest first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Adds what the user says.
    pub fn push_user(&mut self, text: impl Into<String>) {
        self.items.push(Item::User(text.into()));
    }

    /// The history as one JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and JSON that was parsed before: there is nothing here that JSON lacks.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a history that [`to_json`](Self::to_json) wrote.
    ///
    /// Calls that never got a result, because the program ended between the two, are closed with a
    /// failed result: providers refuse a history with open calls.
    ///
    /// # Errors
    /// The text is not a conversation, or it was written by a later version of this crate.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        let head: Head = serde_json::from_str(json).map_err(LoadError::Json)?;
        if head.version == 0 || head.version > VERSION {
            return Err(LoadError::Version(head.version));
        }
        let mut conversation: Self = serde_json::from_str(json).map_err(LoadError::Json)?;
        conversation.close_open_calls("the program ended before this call had a result");
        Ok(conversation)
    }

    /// Removes the items before `index`, for instance after writing a summary of them.
    ///
    /// Calls and results stay paired: a result whose call is removed goes with it. Tools that were
    /// loaded and skills that were read only in the removed items are no longer loaded or read.
    pub fn forget_before(&mut self, index: usize) {
        let index = index.min(self.items.len());
        self.items.drain(..index);
        while matches!(self.items.first(), Some(Item::Results(_))) {
            self.items.remove(0);
        }
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Gives every call without a result a failed one.
    pub(crate) fn close_open_calls(&mut self, why: &str) {
        let mut index = 0;
        while index < self.items.len() {
            if let Item::Model(turn) = &self.items[index] {
                let given: &[ToolResult] = match self.items.get(index + 1) {
                    Some(Item::Results(results)) => results,
                    _ => &[],
                };
                let complete: Vec<ToolResult> = turn
                    .calls()
                    .map(|call| {
                        given
                            .iter()
                            .find(|result| result.call_id() == call.id())
                            .cloned()
                            .unwrap_or_else(|| ToolResult::failed(call, why))
                    })
                    .collect();
                let follows = matches!(self.items.get(index + 1), Some(Item::Results(_)));
                match (complete.is_empty(), follows) {
                    (true, true) => {
                        self.items.remove(index + 1);
                    }
                    (true, false) => {}
                    (false, true) => self.items[index + 1] = Item::Results(complete),
                    (false, false) => self.items.insert(index + 1, Item::Results(complete)),
                }
            }
            index += 1;
        }
    }

    pub(crate) fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Results(results) => Some(results),
                _ => None,
            })
            .flatten()
    }
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// Why a saved conversation could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not JSON, or not the JSON of a conversation.
    Json(serde_json::Error),
    /// The text was written in a format that this version does not know.
    Version(u32),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "not a saved conversation: {error}"),
            Self::Version(found) => write!(
                f,
                "the conversation has format version {found}, this version reads 1 to {VERSION}; \
                 update repertoire"
            ),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Version(_) => None,
        }
    }
}
