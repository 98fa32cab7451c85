//! OpenAI Responses: `POST /responses`.
//!
//! <https://platform.openai.com/docs/api-reference/responses>

mod decode;
mod encode;
mod home;
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
const ID: &str = "openai-responses";
/// The same for models and hosts without tool search, whose turns are not interchangeable.
const PLAIN_ID: &str = "openai-responses-plain";

/// Beginnings of the names of OpenAI's models that have no tool search.
const WITHOUT_SEARCH: [&str; 9] = [
    "gpt-3", "gpt-4", "gpt-5-", "gpt-5.0", "gpt-5.1", "gpt-5.2", "gpt-5.3", "o1", "o3",
];

/// Beginnings of the names of OpenAI's models that do not reason, and refuse to be asked for it.
const WITHOUT_REASONING: [&str; 4] = ["gpt-3", "gpt-4", "chatgpt", "gpt-5-chat"];

/// OpenAI Responses, stateless: every request carries the whole history and nothing is stored.
///
/// Deferred tools are not sent. The model asks for them with `tool_search_call`, and
/// `tool_search_output` brings their definitions, so the tools of a request never change; what a
/// skill brings comes as `additional_tools`. Models
/// before `gpt-5.4`, and hosts that only speak the same protocol
/// ([`without_tool_search`](Self::without_tool_search)), get found tools as
/// [`Reveal`](super::Reveal) says.
#[derive(Clone, Debug)]
pub struct Responses {
    model: String,
    tool_search: bool,
    additional_tools: bool,
    encrypted_reasoning: bool,
    interleaved: bool,
    cache_key: Option<String>,
    pub(super) extra: Extra,
}

impl Responses {
    /// The protocol for a model such as `gpt-5.4`.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        let model = model.into();
        let old = WITHOUT_SEARCH.iter().any(|old| model.starts_with(old));
        Self {
            tool_search: !(old || model == "gpt-5" || model.starts_with("o4")),
            encrypted_reasoning: !WITHOUT_REASONING.iter().any(|old| model.starts_with(old)),
            model,
            additional_tools: true,
            interleaved: false,
            cache_key: None,
            extra: Extra::default(),
        }
    }

    /// The same protocol for a host or a model that has no `tool_search`.
    #[must_use]
    pub fn without_tool_search(mut self) -> Self {
        self.tool_search = false;
        self
    }

    /// The same protocol for a host that has `tool_search` and no `additional_tools`: a skill that
    /// is read then tells the model to search for the tools it names.
    #[must_use]
    pub fn without_additional_tools(mut self) -> Self {
        self.additional_tools = false;
        self
    }

    /// The same protocol for a host or a model that refuses `include` of `reasoning.encrypted_content`,
    /// as models do that do not reason. OpenAI's own are known by their names.
    #[must_use]
    pub fn without_encrypted_reasoning(mut self) -> Self {
        self.encrypted_reasoning = false;
        self
    }

    /// The same protocol for a host that wants each result right after its call, as DeepSeek does.
    /// Such hosts have no tool search.
    #[must_use]
    pub fn interleaved(mut self) -> Self {
        self.interleaved = true;
        self.without_tool_search()
    }

    /// The same protocol, which sends `prompt_cache_key`: requests of one key are served where
    /// their common beginning is cached.
    #[must_use]
    pub fn prompt_cache_key(mut self, key: impl Into<String>) -> Self {
        self.cache_key = Some(key.into());
        self
    }

    fn name(&self) -> &'static str {
        if self.tool_search { ID } else { PLAIN_ID }
    }

    fn has_encrypted_reasoning(&self) -> bool {
        self.encrypted_reasoning
    }

    fn has_tool_search(&self) -> bool {
        self.tool_search
    }

    fn has_additional_tools(&self) -> bool {
        self.tool_search && self.additional_tools
    }

    fn is_interleaved(&self) -> bool {
        self.interleaved
    }

    fn cache_key(&self) -> Option<&str> {
        self.cache_key.as_deref()
    }
}

impl Protocol for Responses {
    fn id(&self) -> &'static str {
        self.name()
    }

    fn provider(&self) -> &str {
        "openai"
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(if self.tool_search {
            Deferral::Definitions
        } else {
            Deferral::None
        })
        .with_additional_tools(self.has_additional_tools())
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        request.check_options(self.name())?;
        let separated = separate(request.items(), self.name());
        let request = &separated
            .as_deref()
            .map_or(*request, |items| request.with_items(items));
        let json = raw::body(&encode::body(self, request)?, &self.extra)?;
        Ok(Body::new("/responses", json))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(self.name(), body)
    }

    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        let frames = stream::ResponsesFrames::new(self.name());
        Some(Box::new(Framed::new(Framing::Events, frames)))
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint::new("https://api.openai.com/v1", "OPENAI_API_KEY")
    }
}
