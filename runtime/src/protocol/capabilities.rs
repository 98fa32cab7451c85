//! What a model can do, as far as the SDK acts on it.

/// What the model behind a [`Protocol`](super::Protocol) or a [`Model`](crate::model::Model) can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// How the provider takes tools that are loaded later.
    pub deferral: Deferral,
    /// How such tools reach the model where the provider has no way of its own.
    pub reveal: Reveal,
    /// Whether the program can hand over definitions that no search has found, where the provider
    /// takes [`Deferral::Definitions`] (OpenAI Responses, `additional_tools`). Then a skill that is
    /// read loads the tools it names; without it the skill tells the model to search for them.
    /// Default: no.
    pub additional_tools: bool,
}

/// How a provider takes tools that are loaded in the middle of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deferral {
    /// The definitions are sent when they are found (OpenAI Responses, `tool_search_output`).
    Definitions,
    /// All definitions are sent at the start, marked; a reference loads one (Anthropic Messages,
    /// `tool_reference`).
    References,
    /// The provider knows nothing of it; [`Reveal`] says what is done instead.
    None,
}

/// How a found tool reaches a model whose provider cannot defer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reveal {
    /// The definition is added at the end of the request's tools. The model calls it as any other;
    /// the provider's prompt cache is lost from there on.
    #[default]
    Append,
    /// The definition is in the text of the search result, and the model calls the tool through
    /// `call_tool`. The request's tools never change, so the prompt cache holds.
    Dispatch,
}

impl Capabilities {
    /// A model with this kind of deferral and otherwise default behaviour.
    #[must_use]
    pub fn new(deferral: Deferral) -> Self {
        Self {
            deferral,
            reveal: Reveal::default(),
            additional_tools: false,
        }
    }

    /// The same capabilities with another way to reveal tools.
    #[must_use]
    pub fn with_reveal(mut self, reveal: Reveal) -> Self {
        self.reveal = reveal;
        self
    }

    /// The same capabilities with or without definitions that no search has found.
    #[must_use]
    pub fn with_additional_tools(mut self, additional_tools: bool) -> Self {
        self.additional_tools = additional_tools;
        self
    }
}
