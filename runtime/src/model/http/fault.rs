//! What goes wrong, as a program is told it.

use std::time::{Duration, SystemTime};

use reqwest::{
    Response,
    header::{HeaderMap, LOCATION},
};

use super::{
    Http,
    key::Secret,
    retry,
    url::{keys, passwords, without_user},
};
use crate::{
    model::{CallError, CallErrorKind as Kind, is_passing},
    protocol::{Protocol, ProtocolError, provider_error},
};
use tokio::time::timeout;

/// The largest body of an error that is read.
const LARGEST_ERROR: usize = 1 << 20;
/// The longest time that the body of an error may take; what is there by then is told.
const LONGEST_ERROR: Duration = Duration::from_secs(5);

/// The usual variables that say a proxy, which may hold a password.
const PROXIES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
];

/// A try that failed.
pub(super) struct Fault {
    pub(super) error: Box<CallError>,
    /// Whether another try may help.
    pub(super) again: bool,
}

impl Fault {
    pub(super) fn last(error: CallError) -> Self {
        Self {
            error: Box::new(error),
            again: false,
        }
    }

    pub(super) fn again(error: CallError) -> Self {
        Self {
            error: Box::new(error),
            again: true,
        }
    }
}

impl<P: Protocol> Http<P> {
    /// An answer with a status that is no success.
    pub(super) async fn refused(&self, mut response: Response) -> Fault {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let mut body = Vec::new();
        let reading = async {
            while body.len() < LARGEST_ERROR
                && let Ok(Some(bytes)) = self.in_time(response.chunk()).await
            {
                body.extend_from_slice(&bytes);
            }
        };
        // The status is what counts; a body that drips must not hold it back.
        let _ = timeout(LONGEST_ERROR.min(self.timeouts.total / 2), reading).await;
        body.truncate(LARGEST_ERROR);
        let mut error = match provider_error(self.protocol.id(), &body) {
            Some(error) => *self.undecodable(error).error,
            None if response.status().is_redirection() => {
                let to = headers.get(LOCATION).and_then(|to| to.to_str().ok());
                let problem = match to.map(without_user) {
                    Some(to) => {
                        format!("redirected to {to}; redirects are not followed, set `base_url`")
                    }
                    None => "the service redirects and does not say where; see `base_url`".into(),
                };
                self.error(Kind::Provider, problem)
            }
            None => self.error(Kind::Provider, excerpt(&body)),
        };
        error.status = Some(status);
        error.request_id = request_id(&headers).or_else(|| id_in(&body));
        error.retry_after = retry::asked_for(&headers, SystemTime::now()).or(error.retry_after);
        let again = retry::is_worth_it(status, &headers, error.code.as_deref());
        error.may_pass = Some(again);
        Fault {
            error: Box::new(error),
            again,
        }
    }

    /// A request that got no answer.
    pub(super) fn lost(&self, error: reqwest::Error) -> Fault {
        let timed_out = error.is_timeout();
        let fault = if error.is_builder() {
            Fault::last
        } else {
            Fault::again
        };
        let kind = match (timed_out, error.is_builder()) {
            (true, _) => Kind::Timeout,
            (_, true) => Kind::Setup,
            _ => Kind::Connect,
        };
        let url = without_user(&self.base_url);
        let problem = format!("{url} cannot be reached: {}", chain(&error.without_url()));
        fault(self.error(kind, problem))
    }

    /// An answer that the protocol does not take.
    pub(super) fn undecodable(&self, error: ProtocolError) -> Fault {
        match error {
            ProtocolError::Provider {
                code,
                message,
                retry_after,
                ..
            } => {
                let mut error = self.error(Kind::Provider, message);
                // What has no status of its own may say by its code that it passes.
                let again = code.as_deref().is_some_and(is_passing);
                error.code = code;
                error.retry_after = retry_after;
                Fault {
                    error: Box::new(error),
                    again,
                }
            }
            // The connection was closed in an orderly way, and still the answer is not whole.
            error @ ProtocolError::Stream { .. } => {
                Fault::again(self.error(Kind::Interrupted, error.to_string()))
            }
            error @ ProtocolError::TooLarge { .. } => {
                Fault::last(self.error(Kind::TooLarge, error.to_string()))
            }
            error => Fault::last(self.error(Kind::Protocol, error.to_string())),
        }
    }

    pub(super) fn error(&self, kind: Kind, message: impl Into<String>) -> CallError {
        CallError::new(self.protocol.id(), kind, message)
    }

    /// The same error without any secret that a provider or a proxy repeats.
    pub(super) fn discreet(&self, mut error: CallError) -> CallError {
        let secrets = self
            .key
            .iter()
            .chain(self.headers.iter().map(|(_, value)| value));
        let proxies = PROXIES.iter().filter_map(|name| std::env::var(name).ok());
        let urls = [Some(self.base_url.clone()), self.parts.proxy.clone()];
        let urls = urls.into_iter().flatten().chain(proxies);
        let more: Vec<Secret> = urls
            .flat_map(|url| [passwords(&url), keys(&url)].concat())
            .map(Secret::new)
            .collect();
        for secret in secrets.chain(&more) {
            error.message = secret.blot_out(error.message);
            error.code = error.code.map(|code| secret.blot_out(code));
            error.request_id = error.request_id.map(|id| secret.blot_out(id));
        }
        error
    }
}

pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    let names = ["x-request-id", "request-id", "x-goog-request-id", "cf-ray"];
    let mut ids = names
        .iter()
        .filter_map(|name| headers.get(*name)?.to_str().ok());
    ids.next().map(str::to_owned)
}

/// The identifier that Anthropic writes into the body too.
fn id_in(body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Body {
        request_id: Option<String>,
    }
    serde_json::from_slice::<Body>(body).ok()?.request_id
}

/// An error and its causes in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Whether a body begins as server-sent events do.
pub(super) fn looks_like_stream(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let body = body.trim_ascii_start();
    let fields: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];
    fields.iter().any(|field| body.starts_with(field))
}

pub(super) fn looks_like_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// The beginning of a body that is no error of the protocol: a page of a proxy, mostly.
pub(super) fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body.get(..2000).unwrap_or(body));
    let title = text
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"));
    let text = title.map_or(text.as_ref(), |(title, _)| title);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text: String = words.join(" ").chars().take(200).collect();
    if text.is_empty() {
        "the body is empty".to_owned()
    } else {
        format!("`{text}`")
    }
}
