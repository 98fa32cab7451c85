//! One call of a service, with its retries.

use std::{future::Future, time::Duration};

use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use tokio::time::{sleep, timeout};

use super::{
    Http,
    fault::{Fault, chain, excerpt, looks_like_json, request_id},
    retry,
    url::join,
};
use crate::{
    conversation::ModelTurn,
    model::{CallError, CallErrorKind as Kind, ModelError, OnEvent},
    protocol::{Body, Protocol, Request, StreamDecoder, StreamEvent},
};

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

impl<P: Protocol> Http<P> {
    pub(super) async fn call(
        &self,
        request: Request<'_>,
        on_event: Option<OnEvent<'_>>,
    ) -> Result<ModelTurn, ModelError> {
        // A protocol that cannot stream is asked for the whole answer.
        let stream = request.stream() && self.protocol.decoder().is_some();
        let request = request.with_stream(stream);
        let body = self.protocol.encode(&request)?;
        let mut listener = Listener {
            on_event,
            told: false,
        };
        let total = self.timeouts.total;
        let done = match timeout(total, self.tries(&body, stream, &mut listener)).await {
            Ok(done) => done,
            Err(_) => {
                let problem = format!("no complete answer within {total:?}");
                Err(Box::new(self.error(Kind::Timeout, problem)))
            }
        };
        done.map_err(|error| ModelError::Call(Box::new(self.discreet(*error))))
    }

    async fn tries(
        &self,
        body: &Body,
        stream: bool,
        listener: &mut Listener<'_>,
    ) -> Result<ModelTurn, Box<CallError>> {
        let mut waited = Duration::ZERO;
        let mut attempts = 0;
        loop {
            attempts += 1;
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
                    sleep(wait).await;
                    waited += wait;
                }
                None => return Err(fault.error),
            }
        }
    }

    async fn attempt(
        &self,
        body: &Body,
        stream: bool,
        listener: &mut Listener<'_>,
    ) -> Result<ModelTurn, Fault> {
        let client = self
            .client
            .get_or_init(|| super::client::build(&self.parts, &self.timeouts));
        let client = client
            .as_ref()
            .map_err(|problem| Fault::last(self.error(Kind::Setup, problem.as_str())))?;
        let request = client
            .post(join(&self.base_url, body.path()))
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
        let is_plain = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
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
        while !decoder.is_complete() {
            match self.in_time(response.chunk()).await {
                Ok(Some(bytes)) => {
                    size += bytes.len();
                    self.check_size(size)?;
                    let pushed = decoder.push(&bytes, &mut events);
                    listener.tell(&mut events);
                    pushed.map_err(|error| self.undecodable(error))?;
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
            (Err(error), None) => Err(self.undecodable(error)),
        }
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
        let turn = self.protocol.decode(&body).map_err(|error| {
            let mut fault = self.undecodable(error);
            if fault.error.kind == Kind::Protocol && !looks_like_json(&body) {
                fault.error.message = format!("the answer is no JSON: {}", excerpt(&body));
            }
            fault
        })?;
        listener.tell(&mut StreamEvent::of_turn(&turn));
        Ok(turn)
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
            headers.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let mut secret = |name: &str, value: String| {
            let (Ok(name), Ok(mut value)) =
                (name.parse::<HeaderName>(), value.parse::<HeaderValue>())
            else {
                let problem = format!("the header `{name}` or its value cannot be sent");
                return Err(self.error(Kind::Setup, problem));
            };
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
}
