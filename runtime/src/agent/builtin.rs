//! Tools that the SDK itself brings. They look at the conversation and run no user code.

use std::{borrow::Cow, future::ready};

use futures_channel::oneshot;
use serde::Deserialize;

use super::{Event, Inner};
use crate::{
    conversation::{Conversation, Item, ToolResult},
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    skill::ReadError,
    tool::{ErrorKind, ToolError, ToolOutput, blocking::blocking, code},
};

/// A tool that answers from what the agent knows.
pub(crate) trait Builtin: MaybeSend + MaybeSync + 'static {
    /// The answer to one call.
    fn answer(&self, arguments: &str, view: &View<'_>) -> Answer;

    /// The same where something has to be waited for. By default nothing has.
    fn answer_in_time<'a>(
        &'a self,
        arguments: &'a str,
        view: &'a View<'_>,
    ) -> BoxFuture<'a, Answer> {
        Box::pin(ready(self.answer(arguments, view)))
    }
}

/// A text of a skill, or why there is none.
pub(crate) type Text = Result<Cow<'static, str>, ReadError>;

/// Reads on a thread of its own, so that a slow disk holds up nothing else.
pub(crate) async fn read_apart(
    read: impl FnOnce() -> Text + Send + 'static,
) -> Result<Text, ToolError> {
    let (sender, receiver) = oneshot::channel();
    blocking(move || {
        // Nobody may be waiting any more.
        let _ = sender.send(read());
        Ok(ToolOutput::default())
    })
    .await?;
    let lost = |_| ToolError::failed("the file could not be read");
    receiver.await.map_err(lost)
}

/// What a builtin tool may look at.
pub(crate) struct View<'a> {
    pub(crate) conversation: &'a Conversation,
    /// Results of the calls before this one in the same step.
    pub(crate) step: &'a [Option<ToolResult>],
    pub(crate) agent: &'a Inner,
}

impl<'a> View<'a> {
    /// Whether a tool is switched off.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        self.agent.is_off(name)
    }

    /// The names of the tools that are always shown.
    pub(crate) fn shown_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let shown = self.agent.shown(self.conversation);
        shown.tools.iter().map(crate::protocol::Definition::name)
    }

    /// The results the model has or will have when it reads this answer, oldest first.
    pub(crate) fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.conversation
            .results()
            .chain(self.step.iter().flatten())
    }

    /// The results since the user spoke last, the newest first.
    pub(crate) fn latest_results(&self) -> impl Iterator<Item = &ToolResult> {
        let items = self.conversation.items().iter().rev();
        let items = items.take_while(|item| !matches!(item, Item::User(_)));
        let results = items.filter_map(|item| match item {
            Item::Results(results) => Some(results),
            _ => None,
        });
        let before = results.flat_map(|results| results.iter().rev());
        self.step.iter().rev().flatten().chain(before)
    }

    /// Whether the model had seen a tool's definition when it wrote the calls of this step.
    pub(crate) fn loaded_before(&self, name: &str) -> bool {
        loads(self.conversation.results(), name)
    }

    /// Whether a tool's definition is loaded, or will be by a call before this one.
    pub(crate) fn is_loaded(&self, name: &str) -> bool {
        loads(self.results(), name)
    }
}

fn loads<'a>(mut results: impl Iterator<Item = &'a ToolResult>, name: &str) -> bool {
    results.any(|result| result.loads().iter().any(|loaded| loaded == name))
}

/// What a builtin tool answers.
pub(crate) struct Answer {
    pub(crate) outcome: Result<ToolOutput, ToolError>,
    pub(crate) loads: Vec<String>,
    pub(crate) events: Vec<Event>,
    /// The skill whose instructions the answer holds.
    pub(crate) skill: Option<String>,
}

impl Answer {
    pub(crate) fn failed(error: ToolError) -> Self {
        Self {
            outcome: Err(error),
            loads: Vec::new(),
            events: Vec::new(),
            skill: None,
        }
    }

    pub(crate) fn ok(output: impl Into<ToolOutput>) -> Self {
        Self {
            outcome: Ok(output.into()),
            loads: Vec::new(),
            events: Vec::new(),
            skill: None,
        }
    }

    pub(crate) fn loading(mut self, loads: Vec<String>) -> Self {
        self.loads = loads;
        self
    }

    pub(crate) fn with_skill(mut self, skill: &str) -> Self {
        self.skill = Some(skill.to_owned());
        self
    }

    pub(crate) fn with_event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }
}

/// The arguments of a tool of the SDK. `expected` shows the model what they look like.
pub(crate) fn arguments<'a, T: Deserialize<'a>>(
    text: &'a str,
    expected: &str,
) -> Result<T, ToolError> {
    let text = match text.trim() {
        "" => "{}",
        text => text,
    };
    // The decoder would take a list for an object with the same fields in order.
    let decoded = if text.starts_with('{') {
        serde_json::from_str(text).map_err(|error| error.to_string())
    } else {
        Err("the arguments are not a JSON object".to_owned())
    };
    decoded.map_err(|why| wrong_arguments(&why, expected))
}

/// Says what is wrong with the arguments of a tool of the SDK.
pub(crate) fn wrong_arguments(why: &str, expected: &str) -> ToolError {
    ToolError::new(ErrorKind::Invalid, format!("{why}; expected {expected}"))
        .with_code(code::ARGUMENTS)
}
