//! What a call came to.

use crate::{
    agent::Event,
    conversation::Session,
    tool::{ToolError, ToolOutput},
};

/// What a call under test came to; see [`call`](fn@super::call).
#[derive(Clone, Debug)]
pub struct Called {
    pub(super) outcome: Result<ToolOutput, ToolError>,
    pub(super) text: String,
    pub(super) events: Vec<Event>,
    pub(super) session: Session,
}

impl Called {
    /// What the model reads: the text of the result, or why the call failed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All parts of the result, if the call succeeded.
    #[must_use]
    pub fn output(&self) -> Option<&ToolOutput> {
        self.outcome.as_ref().ok()
    }

    /// Why the call failed, if it did: code, kind and message.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        self.outcome.as_ref().err()
    }

    /// The result, or why there is none.
    ///
    /// # Errors
    /// The call failed.
    pub fn into_result(self) -> Result<ToolOutput, ToolError> {
        self.outcome
    }

    /// What happened on the way, as in [`Reply::events`](crate::Reply::events).
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What the tool told by [`Context::progress`](crate::Context::progress), in order.
    pub fn progress(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match event {
            Event::Progress { message, .. } => Some(message.as_str()),
            _ => None,
        })
    }

    /// The values that the tools of the conversation share, as the call left them.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}
