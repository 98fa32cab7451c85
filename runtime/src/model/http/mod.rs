//! The protocols over HTTP.

mod call;
mod client;
mod fault;
mod key;
mod retry;
mod settings;
mod url;

pub use settings::{Retries, Timeouts};

use std::{fmt, sync::OnceLock};

use client::Parts;
use key::Secret;

use super::{Model, ModelError, OnEvent};
use crate::{
    conversation::ModelTurn,
    maybe_send::BoxFuture,
    protocol::{
        Anthropic, Capabilities, Chat, ChatVendor, Gemini, Ollama, Protocol, Request, Responses,
    },
};

/// The largest answer unless the user says otherwise.
const LARGEST_BODY: usize = 64 << 20;

/// A model behind a provider's service.
///
/// Needs a tokio runtime with time and I/O. The connection is checked by the system's certificates.
/// Redirects are refused, since a key must not go to another host.
///
/// ```no_run
/// use repertoire::{Agent, Anthropic, model::Http, protocol::{Chat, ChatVendor}};
///
/// # fn main() -> repertoire::Result<()> {
/// // The key is in `ANTHROPIC_API_KEY`.
/// let agent = Agent::builder(Anthropic::from_env("claude-sonnet-4-5")).build()?;
/// // A server on this machine.
/// let local = Http::new(Chat::at(ChatVendor::LlamaCpp, "qwen3")).base_url("http://localhost:9000/v1");
/// let agent = Agent::builder(local).build()?;
/// # Ok(())
/// # }
/// ```
pub struct Http<P> {
    protocol: P,
    base_url: String,
    key: Option<Secret>,
    headers: Vec<(String, Secret)>,
    key_header: Option<(String, String)>,
    timeouts: Timeouts,
    retries: Retries,
    largest_body: usize,
    parts: Parts,
    client: OnceLock<Result<reqwest::Client, String>>,
    /// The user's own, which nothing else changes.
    own_client: Option<reqwest::Client>,
}

impl<P: Protocol> Http<P> {
    /// The service of the protocol's own provider, without a key.
    #[must_use]
    pub fn new(protocol: P) -> Self {
        Self {
            base_url: protocol.endpoint().base_url().to_owned(),
            protocol,
            key: None,
            headers: Vec::new(),
            key_header: None,
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            largest_body: LARGEST_BODY,
            parts: Parts::default(),
            client: OnceLock::new(),
            own_client: None,
        }
    }

    /// The same, with the key from the provider's usual variable. Where it is not set, the first
    /// call fails and names it, unless a [`base_url`](Self::base_url) was given.
    ///
    /// | provider | variable |
    /// |---|---|
    /// | OpenAI, Responses and Chat | `OPENAI_API_KEY` |
    /// | Anthropic | `ANTHROPIC_API_KEY` |
    /// | Gemini | `GOOGLE_API_KEY`, else `GEMINI_API_KEY` |
    /// | DeepSeek | `DEEPSEEK_API_KEY` |
    /// | Qwen on DashScope | `DASHSCOPE_API_KEY` |
    /// | Groq | `GROQ_API_KEY` |
    /// | OpenRouter | `OPENROUTER_API_KEY` |
    /// | Mistral | `MISTRAL_API_KEY` |
    /// | Ollama, both protocols; not needed on this machine | `OLLAMA_API_KEY` |
    /// | vLLM, where the server was given one | `VLLM_API_KEY` |
    /// | llama.cpp, where the server was given one | `LLAMA_API_KEY` |
    ///
    /// A protocol of your own says its variable by
    /// [`endpoint`](crate::protocol::Protocol::endpoint).
    #[must_use]
    pub fn from_env(protocol: P) -> Self {
        Self::from_variables(protocol, |name| std::env::var(name).ok())
    }

    fn from_variables(protocol: P, variable: impl Fn(&str) -> Option<String>) -> Self {
        let mut keys = protocol.endpoint().key_variables().filter_map(variable);
        let key = keys.find(|key| !key.trim().is_empty());
        let http = Self::new(protocol);
        match key {
            Some(key) => http.key(key),
            None => http,
        }
    }

    /// The key. It is never printed, saved or put into an error. An empty one is none.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Secret::new(key)).filter(|key| !key.reveal().is_empty());
        self
    }

    /// Another service that speaks the protocol: everything before `/chat/completions`,
    /// `/responses`, `/v1/messages`, `/v1beta/models/…` or `/api/chat`. It begins with `http://` or
    /// `https://`; a query stays behind the path.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into().trim().trim_end_matches('/').to_owned();
        self
    }

    /// One more header, whose value is treated like a key. It takes the place of one that this
    /// crate would send, the key's too; headers that frame the message are refused.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), Secret::new(value)));
        self
    }

    /// The header that carries the key and what stands before the key in it, for a service that
    /// wants it elsewhere: `("authorization", "Bearer ")`, `("api-key", "")`.
    #[must_use]
    pub fn key_header(mut self, name: impl Into<String>, prefix: impl Into<String>) -> Self {
        self.key_header = Some((name.into(), prefix.into()));
        self
    }

    /// How long each stage may take.
    #[must_use]
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self.client = OnceLock::new();
        self
    }

    /// When a failed call is made again.
    #[must_use]
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// The largest answer in bytes, unpacked. Default: 64 MiB.
    #[must_use]
    pub fn largest_body(mut self, bytes: usize) -> Self {
        self.largest_body = bytes;
        self
    }

    /// A proxy for all calls, with user and password in the URL if it wants them. Default: what
    /// `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say.
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.parts.proxy = Some(url.into());
        self.client = OnceLock::new();
        self
    }

    /// A certificate in PEM that is trusted beside the system's.
    #[must_use]
    pub fn root_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.parts.roots.push(pem.into());
        self.client = OnceLock::new();
        self
    }

    /// A client of the user's own, with its own TLS, proxy, redirects and time to connect. With
    /// [`proxy`](Self::proxy) or [`root_certificate`](Self::root_certificate) beside it, every call
    /// fails and says so: they are the client's own then.
    #[must_use]
    pub fn client(mut self, client: reqwest::Client) -> Self {
        self.own_client = Some(client);
        self
    }

    /// The protocol.
    #[must_use]
    pub fn protocol(&self) -> &P {
        &self.protocol
    }
}

impl<P: Protocol> Model for Http<P> {
    fn capabilities(&self) -> Capabilities {
        self.protocol.capabilities()
    }

    fn provider(&self) -> &str {
        self.protocol.provider()
    }

    fn model(&self) -> &str {
        self.protocol.model()
    }

    fn encode(&self, request: &Request<'_>) -> Option<String> {
        let body = self.protocol.encode(request).ok()?;
        Some(body.json().to_owned())
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(self.call(request.with_stream(false), None))
    }

    fn respond_streaming<'a>(
        &'a self,
        request: Request<'a>,
        on_event: OnEvent<'a>,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(self.call(request.with_stream(true), Some(on_event)))
    }
}

impl<P: Protocol> fmt::Debug for Http<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Http")
            .field("protocol", &self.protocol.id())
            .field("base_url", &url::without_user(&self.base_url))
            .field("key", &self.key)
            .field("headers", &headers)
            .field("timeouts", &self.timeouts)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}

macro_rules! from_env {
    ($($protocol:ident, $variable:literal, $name:literal;)*) => {$(
        impl $protocol {
            #[doc = concat!("The model behind ", $name, ", with the key in `", $variable, "`.")]
            #[must_use]
            pub fn from_env(model: impl Into<String>) -> Http<Self> {
                Http::from_env(Self::new(model))
            }
        }
    )*};
}

from_env! {
    Responses, "OPENAI_API_KEY", "OpenAI Responses";
    Anthropic, "ANTHROPIC_API_KEY", "Anthropic Messages";
    Gemini, "GOOGLE_API_KEY` or `GEMINI_API_KEY", "Google Gemini";
    Ollama, "OLLAMA_API_KEY", "Ollama on this machine, where no key is needed";
}

impl Chat {
    /// The model behind a vendor's Chat Completions, with the key in the vendor's usual variable:
    /// `OPENAI_API_KEY`, `DEEPSEEK_API_KEY`, `GROQ_API_KEY` and so on.
    #[must_use]
    pub fn from_env(vendor: ChatVendor, model: impl Into<String>) -> Http<Self> {
        Http::from_env(Self::at(vendor, model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_has_the_key() {
        let key = |set: &'static [(&str, &str)]| {
            let value = move |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let http = Http::from_variables(Gemini::new("m"), value);
            http.key.map(|key| key.reveal().to_owned())
        };
        let of = |text: &str| Some(text.to_owned());
        assert_eq!(key(&[]), None);
        assert_eq!(key(&[("GEMINI_API_KEY", "a")]), of("a"));
        assert_eq!(key(&[("GOOGLE_API_KEY", "b")]), of("b"));
        // As Google's own client does.
        let both = &[("GEMINI_API_KEY", "a"), ("GOOGLE_API_KEY", "b")];
        assert_eq!(key(both), of("b"));
        assert_eq!(
            key(&[("GOOGLE_API_KEY", " "), ("GEMINI_API_KEY", "a")]),
            of("a")
        );
        assert_eq!(key(&[("OPENAI_API_KEY", "c")]), None);
    }
}
