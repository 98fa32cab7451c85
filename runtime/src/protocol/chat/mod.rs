//! OpenAI Chat Completions and the hosts that speak it: `POST /chat/completions`.
//!
//! <https://platform.openai.com/docs/api-reference/chat>

mod calls;
mod decode;
mod encode;
mod stream;
mod vendor;

pub(crate) use encode::IMAGES_OF_RESULTS;
pub use vendor::ChatVendor;

use super::{
    Body, Capabilities, Deferral, Endpoint, Protocol, ProtocolError, Request, StreamDecoder,
    extra::Extra,
    raw,
    stream::{Framed, Framing},
};
use crate::conversation::ModelTurn;

/// OpenAI Chat Completions, as OpenAI and many other hosts speak it.
///
/// The protocol knows no deferred tools. A found tool is added at the end of `tools`
/// ([`Reveal::Append`](super::Reveal::Append)) or called through another one
/// ([`Reveal::Dispatch`](super::Reveal::Dispatch)).
///
/// ```
/// use repertoire::protocol::{Chat, ChatVendor, Protocol};
///
/// let chat = Chat::at(ChatVendor::DeepSeek, "deepseek-chat").extra("top_p", 0.9)?;
/// assert_eq!(chat.id(), "deepseek");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chat {
    model: String,
    vendor: ChatVendor,
    cache_key: Option<String>,
    pub(super) extra: Extra,
}

impl Chat {
    /// The protocol for a model of OpenAI.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self::at(ChatVendor::OpenAi, model)
    }

    /// The protocol for a model at one of the known hosts. For another host take the vendor that
    /// it resembles, [`Vllm`](ChatVendor::Vllm) if in doubt.
    #[must_use]
    pub fn at(vendor: ChatVendor, model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            vendor,
            cache_key: None,
            extra: Extra::default(),
        }
    }

    /// The same protocol, which sends `prompt_cache_key`: requests of one key are served where
    /// their common beginning is cached.
    #[must_use]
    pub fn prompt_cache_key(mut self, key: impl Into<String>) -> Self {
        self.cache_key = Some(key.into());
        self
    }

    /// The host.
    #[must_use]
    pub fn vendor(&self) -> ChatVendor {
        self.vendor
    }

    fn cache_key(&self) -> Option<&str> {
        self.cache_key.as_deref()
    }
}

impl Protocol for Chat {
    fn id(&self) -> &'static str {
        self.vendor.profile().id
    }

    fn provider(&self) -> &str {
        self.vendor.provider()
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn encode(&self, request: &Request<'_>) -> Result<Body, ProtocolError> {
        request.check_options(self.vendor.profile().id)?;
        let body = encode::body(self, self.vendor.profile(), request)?;
        let json = raw::body(&body, &self.extra)?;
        Ok(Body::new("/chat/completions", json))
    }

    fn decode(&self, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
        decode::turn(self.vendor.profile(), body)
    }

    fn decoder(&self) -> Option<Box<dyn StreamDecoder>> {
        let frames = stream::ChatFrames::new(self.vendor.profile());
        Some(Box::new(Framed::new(Framing::Events, frames)))
    }

    fn endpoint(&self) -> Endpoint {
        let profile = self.vendor.profile();
        Endpoint::new(profile.base_url, profile.key_variable)
    }
}
