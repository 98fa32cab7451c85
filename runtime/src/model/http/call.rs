//! One call of a service, with its retries.

use std::{future::Future, time::Duration};

use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use tokio::time::{sleep, timeout};

use super::{
    Http,
    fault::{Fault, chain, excerpt, looks_like_json, looks_like_stream, request_id},
    retry,
    url::join,
};
use crate::{
    conversation::ModelTurn,
    model::{CallError, CallErrorKind as Kind, ModelError, OnEvent},
    protocol::{Body, Protocol, ProtocolError, Request, StreamDecoder, StreamEvent},
};

/// How much of an answer is kept that may turn out to be no stream.
const MOST_KEPT: usize = 4 << 20;

/// Headers that would break the message that the client makes.
const FRAMING: [&str; 6] = [
    "connection",
    "content-length",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Tells events and remembers that it did.
struct Listener<'a> {
    on_event: Option<OnEvent<'a>>,
    told: bool,
}

impl Listener<'_> {
    fn tell(&mut self, events: &mut Vec<StreamEvent>) {
        for event in events.drain(..) {
            if let Some(on_event) = &mut self.on_event {
                self.told = true;
                on_event(event);
            }
        }
    }
}

/// What was tried so far.
#[derive(Default)]
struct Tried {
    attempts: u32,
    last: Option<Box<CallError>>,
}

impl Tried {
    /// The time for all tries is over.
    fn late<P: Protocol>(self, http: &Http<P>, total: Duration) -> CallError {
        let mut problem = format!("no complete answer within {total:?}");
        let mut error = http.error(Kind::Timeout, "");
        if let Some(last) = self.last {
            problem.push_str("; the try before failed: ");
            problem.push_str(&last.message);
            error = CallError {
                kind: Kind::Timeout,
                ..*last
            };
        }
        error.message = problem;
        error.attempts = self.attempts;
        error
    }
}

impl<P: Protocol> Http<P> {
    pub(super) async fn call(
        &self,
        request: Request<'_>,
        on_event: Option<OnEvent<'_>>,
    ) -> Result<ModelTurn, ModelError> {
        if request.items().is_empty() {
            let problem = "the conversation is empty, which no provider answers; push a message";
            return Err(ModelError::Call(Box::new(self.error(Kind::Setup, problem))));
        }
        // A protocol that cannot stream is asked for the whole answer.
        let stream = request.stream() && self.protocol.decoder().is_some();
        let request = request.with_stream(stream);
        let body = self.protocol.encode(&request)?;
        let mut listener = Listener {
            on_event,
            told: false,
        };
        let total = self.timeouts.total;
        let mut tried = Tried::default();
        let tries = self.tries(&body, stream, &mut listener, &mut tried);
        let done = match timeout(total, tries).await {
            Ok(done) => done,
            Err(_) => Err(Box::new(tried.late(self, total))),
        };
        done.map_err(|error| ModelError::Call(Box::new(self.discreet(*error))))
    }

    async fn tries(
        &self,
        body: &Body,
        stream: bool,
        listener: &mut Listener<'_>,
        tried: &mut Tried,
    ) -> Result<ModelTurn, Box<CallError>> {
        let mut waited = Duration::ZERO;
        loop {
            tried.attempts += 1;
            let attempts = tried.attempts;
            let mut fault = match self.attempt(body, stream, listener).await {
                Ok(turn) => return Ok(turn),
                Err(fault) => fault,
            };
            fault.error.attempts = attempts;
            let asked = fault.error.retry_after;
            let wait = retry::wait(&self.retries, attempts, asked, waited);
            match wait.filter(|_| fault.again && !listener.told) {
                Some(wait) => {
                    tracing::warn!(
                        target: "repertoire",
                        { repertoire.attempt = attempts, repertoire.wait_ms = wait.as_millis() as u64 },
                        "call of the service failed and is made again"
                    );
                    tried.last = Some(fault.error);
                    sleep(wait).await;
                    waited += wait;
                }
                None => return Err(fault.error),
            }
        }
    }

    fn http_client(&self) -> Result<&reqwest::Client, Fault> {
        let setup = |problem: &str| Fault::last(self.error(Kind::Setup, problem));
        match (&self.own_client, self.parts.void()) {
            (Some(client), None) => Ok(client),
            (Some(_), Some(void)) => Err(setup(&format!(
                "`{void}` does nothing beside `client`; set it where the client is built"
            ))),
            (None, _) => {
                let build = || super::client::build(&self.parts, &self.timeouts);
                let client = self.client.get_or_init(build).as_ref();
                client.map_err(|problem| setup(problem))
            }
        }
    }

    async fn attempt(
        &self,
        body: &Body,
        stream: bool,
        listener: &mut Listener<'_>,
    ) -> Result<ModelTurn, Fault> {
        let client = self.http_client()?;
        let url = join(&self.base_url, body.path())
            .map_err(|problem| Fault::last(self.error(Kind::Setup, problem)))?;
        let request = client
            .post(url)
            .headers(self.head(body).map_err(Fault::last)?)
            .body(body.json().to_owned());
        let limit = self.timeouts.first_byte;
        let response = match timeout(limit, request.send()).await {
            Err(_) => {
                let problem = format!("no answer within {limit:?}");
                return Err(Fault::again(self.error(Kind::Timeout, problem)));
            }
            Ok(Err(error)) => return Err(self.lost(error)),
            Ok(Ok(response)) => response,
        };
        if !response.status().is_success() {
            return Err(self.refused(response).await);
        }
        let id = request_id(response.headers());
        let kind = response.headers().get(CONTENT_TYPE);
        let is_plain = kind.is_some_and(is_json);
        let decoder = match self.protocol.decoder() {
            // Some services answer in one piece although a stream was asked for.
            Some(decoder) if stream && !is_plain => Some(decoder),
            _ => None,
        };
        let done = match decoder {
            Some(decoder) => self.read_stream(response, decoder, listener).await,
            None => self.read_whole(response, listener).await,
        };
        done.map_err(|mut fault| {
            fault.error.request_id = fault.error.request_id.or(id);
            fault
        })
    }

    async fn read_stream(
        &self,
        mut response: Response,
        mut decoder: Box<dyn StreamDecoder>,
        listener: &mut Listener<'_>,
    ) -> Result<ModelTurn, Fault> {
        let mut events = Vec::new();
        let mut size = 0;
        let mut broken = None;
        // What may be no stream at all, whatever its label says: a whole answer, an error, a page.
        let mut kept = Some(Vec::new());
        while !decoder.is_complete() {
            match self.in_time(response.chunk()).await {
                Ok(Some(bytes)) => {
                    size += bytes.len();
                    self.check_size(size)?;
                    if let Some(bytes_so_far) = &mut kept {
                        bytes_so_far.extend_from_slice(&bytes);
                        if looks_like_stream(bytes_so_far) || bytes_so_far.len() > MOST_KEPT {
                            kept = None;
                        }
                    }
                    let pushed = decoder.push(&bytes, &mut events);
                    if !events.is_empty() {
                        kept = None;
                    }
                    listener.tell(&mut events);
                    match pushed {
                        // Judged as a whole, when it is all there.
                        Err(ProtocolError::Decode { .. } | ProtocolError::Stream { .. })
                            if kept.is_some() => {}
                        pushed => pushed.map_err(|error| self.undecodable(error))?,
                    }
                }
                Ok(None) => break,
                // The answer may be complete although its end is missing.
                Err(fault) => {
                    broken = Some(fault);
                    break;
                }
            }
        }
        let turn = decoder.finish(&mut events);
        match (turn, broken) {
            (Ok(turn), _) => {
                listener.tell(&mut events);
                Ok(turn)
            }
            (Err(_), Some(fault)) => Err(fault),
            (Err(error), None) => match kept.filter(|body| !body.trim_ascii().is_empty()) {
                Some(body) => self.whole(&body, listener).map_err(|fault| {
                    // Lines of JSON that ended too soon.
                    if fault.error.kind == Kind::Protocol && looks_like_json(&body) {
                        return self.undecodable(error);
                    }
                    fault
                }),
                None => Err(self.undecodable(error)),
            },
        }
    }

    /// An answer in one piece.
    fn whole(&self, body: &[u8], listener: &mut Listener<'_>) -> Result<ModelTurn, Fault> {
        let turn = self.protocol.decode(body).map_err(|error| {
            let mut fault = self.undecodable(error);
            if fault.error.kind == Kind::Protocol && !looks_like_json(body) {
                fault.error.message = format!("the answer is no JSON: {}", excerpt(body));
            }
            fault
        })?;
        listener.tell(&mut StreamEvent::of_turn(&turn));
        Ok(turn)
    }

    async fn read_whole(
        &self,
        mut response: Response,
        listener: &mut Listener<'_>,
    ) -> Result<ModelTurn, Fault> {
        let mut body = Vec::new();
        if let Some(length) = response.content_length() {
            self.check_size(usize::try_from(length).unwrap_or(usize::MAX))?;
        }
        while let Some(bytes) = self.in_time(response.chunk()).await? {
            self.check_size(body.len() + bytes.len())?;
            body.extend_from_slice(&bytes);
        }
        // Some services write a stream and call it JSON.
        if let Some(mut decoder) = self.protocol.decoder().filter(|_| looks_like_stream(&body)) {
            let mut events = Vec::new();
            let done = decoder.push(&body, &mut events);
            let turn = done.and_then(|()| decoder.finish(&mut events));
            let turn = turn.map_err(|error| self.undecodable(error))?;
            listener.tell(&mut events);
            return Ok(turn);
        }
        self.whole(&body, listener)
    }

    /// The next piece of an answer, if it comes in time.
    pub(super) async fn in_time<T>(
        &self,
        next: impl Future<Output = Result<T, reqwest::Error>>,
    ) -> Result<T, Fault> {
        let limit = self.timeouts.idle;
        match timeout(limit, next).await {
            Ok(Ok(next)) => Ok(next),
            Ok(Err(error)) => {
                let problem = format!("the answer broke off: {}", chain(&error.without_url()));
                Err(Fault::again(self.error(Kind::Interrupted, problem)))
            }
            Err(_) => {
                let problem = format!("the answer stood still for {limit:?}");
                Err(Fault::again(self.error(Kind::Timeout, problem)))
            }
        }
    }

    fn check_size(&self, size: usize) -> Result<(), Fault> {
        let most = self.largest_body;
        if size <= most {
            return Ok(());
        }
        let problem = format!("the answer is larger than {most} bytes");
        Err(Fault::last(self.error(Kind::TooLarge, problem)))
    }

    fn head(&self, body: &Body) -> Result<HeaderMap, CallError> {
        let endpoint = self.protocol.endpoint();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in body.headers() {
            let (name, value) = self.one_header(name, value)?;
            headers.insert(name, value);
        }
        let mut secret = |name: &str, value: String| {
            let (name, mut value) = self.one_header(name, &value)?;
            value.set_sensitive(true);
            headers.insert(name, value);
            Ok(())
        };
        match (&self.key, &self.key_header) {
            (Some(key), Some((name, prefix))) => secret(name, format!("{prefix}{}", key.reveal()))?,
            (Some(key), None) => {
                let value = format!("{}{}", endpoint.key_prefix(), key.reveal());
                secret(endpoint.key_header(), value)?;
            }
            (None, _) => {
                let own =
                    self.base_url == endpoint.base_url() && self.base_url.starts_with("https:");
                if own && self.headers.is_empty() {
                    let names: Vec<&str> = endpoint.key_variables().collect();
                    let problem = format!("there is no key; set `{}`", names.join("` or `"));
                    return Err(self.error(Kind::Setup, problem));
                }
            }
        }
        for (name, value) in &self.headers {
            secret(name, value.reveal().to_owned())?;
        }
        Ok(headers)
    }

    fn one_header(&self, name: &str, value: &str) -> Result<(HeaderName, HeaderValue), CallError> {
        let parsed = (name.parse::<HeaderName>(), value.parse::<HeaderValue>());
        let problem = match parsed {
            (Ok(known), _) if FRAMING.contains(&known.as_str()) => {
                "says how the message is sent, which only the client knows; leave it out"
            }
            (Ok(name), Ok(value)) if value.as_bytes().is_ascii() => return Ok((name, value)),
            _ => "or its value cannot be sent; both are plain ASCII without line breaks",
        };
        Err(self.error(Kind::Setup, format!("the header `{name}` {problem}")))
    }
}

/// Whether a content type is JSON, whatever its case and its parameters.
fn is_json(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}
