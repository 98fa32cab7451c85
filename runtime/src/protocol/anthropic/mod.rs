//! Anthropic Messages: `POST /v1/messages`.
//!
//! <https://docs.claude.com/en/api/messages>

mod decode;
mod encode;
mod stream;
mod wire;

use super::{
    Body, Capabilities, Deferral, Endpoint, Protocol, ProtocolError, Request, StreamDecoder,
    extra::Extra,
    raw,
    separate::separate,
    stream::{Framed, Framing},
};
use crate::conversation::ModelTurn;

/// The name of the protocol in saved conversations and errors.
const ID: &str = "anthropic";
/// The same for models and hosts without tool references, whose turns are not interchangeable.
const PLAIN_ID: &str = "anthropic-plain";

/// The protocol demands a limit on output tokens; this one is used where a request names none.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// The same for models that can say less.
const SMALL_MAX_TOKENS: u32 = 4096;

/// Parts of the names of models that can say less.
const SMALL: [&str; 6] = [
    "claude-1",
    "claude-2",
    "claude-instant",
    "claude-3-opus",
    "claude-3-sonnet",
    "claude-3-haiku",
];

/// Parts of the names of models that have no tool references.
const WITHOUT_REFERENCES: [&str; 4] = ["claude-2", "claude-3", "claude-instant", "claude-1"];

/// Parts of the names of models that are told how many tokens to think.
const BY_BUDGET: [&str; 8] = [
    "claude-3",
    "-4-0",
    "-4-1",
    "-4-5",
    "sonnet-4-2",
    "opus-4-2",
    "haiku-4-2",
    "claude-2",
];

/// Anthropic Messages.
///
/// Every tool is sent in every request, the deferred ones marked `defer_loading`, which keeps them
/// out of the model's sight. The result of a search holds `tool_reference` blocks, and the provider
/// shows the model what they point to. The tools of a request never change. Models before the
/// fourth generation, and hosts that only speak the same protocol
/// ([`without_references`](Self::without_references)), get found tools as
/// [`Reveal`](super::Reveal) says.
#[derive(Clone, Debug)]
pub struct Anthropic {
    model: String,
    references: bool,
    cache: Option<CacheTime>,
    pub(super) extra: Extra,
}

/// How long the provider keeps what a cache mark covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheTime {
    /// Five minutes since its last use.
    FiveMinutes,
    /// One hour, at a higher price.
    OneHour,
}

impl Anthropic {
    /// The protocol for a model such as `claude-sonnet-4-5`.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        Self {
            references: !WITHOUT_REFERENCES.iter().any(|old| model.contains(old)),
            model,
            cache: None,
            extra: Extra::default(),
        }
    }

    /// The same protocol for a host or a model that does not know `defer_loading`.
    #[must_use]
    pub fn without_references(mut self) -> Self {
        self.references = false;
        self
    }

    /// The same protocol, which asks the provider to cache what all requests begin with: a mark on
    /// the last tool that is always shown, and one on the system prompt. Default: no marks.
    #[must_use]
    pub fn prompt_cache(mut self, time: CacheTime) -> Self {
        self.cache = Some(time);
        self
    }

    fn name(&self) -> &'static str {
        if self.references { ID } else { PLAIN_ID }
    }

    fn has_references(&self) -> bool {
        self.references
    }

    fn cache_time(&self) -> Option<CacheTime> {
        self.cache
    }

    fn max_tokens(&self) -> u32 {
        match SMALL.iter().any(|part| self.model.contains(part)) {
            true => SMALL_MAX_TOKENS,
            false => DEFAULT_MAX_TOKENS,
        }
    }

    fn thinks_by_budget(&self) -> bool {
        BY_BUDGET.iter().any(|part| self.model.contains(part))
    }
}

impl Protocol for Anthropic {
    fn id(&self) -> &'static str {
        self.name()
    }

    fn provider(&self) -> &str {
        "anthropic"
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(if self.references {
            Deferral::References
        } else {
            Deferral::None
        })
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        request.check_options(self.name())?;
        let separated = separate(request.items(), self.name());
        let request = &separated
            .as_deref()
            .map_or(*request, |items| request.with_items(items));
        let json = raw::body(&encode::body(self, request)?, &self.extra)?;
        Ok(Body::new("/v1/messages", json).with_header("anthropic-version", "2023-06-01"))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(self.name(), body)
    }

    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        let frames = stream::AnthropicFrames::new(self.name());
        Some(Box::new(Framed::new(Framing::Events, frames)))
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new("https://api.anthropic.com", "ANTHROPIC_API_KEY")
            .with_key_header("x-api-key", "")
    }
}
