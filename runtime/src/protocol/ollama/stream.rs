//! Streams of Ollama: one JSON text a line.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    ID,
    decode::{self, Call, Message},
};
use crate::{
    conversation::ModelTurn,
    protocol::{
        ProtocolError, StreamEvent,
        failure::provider_error,
        ids::made_up,
        loose::flag,
        raw::{RawObject, raw},
        stream::{Frames, whole_call},
    },
};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(default, deserialize_with = "flag")]
    done: bool,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// What has arrived of a response.
#[derive(Default)]
pub(super) struct OllamaFrames {
    content: String,
    thinking: String,
    calls: Vec<Box<RawValue>>,
    /// The line that ends the response.
    last: Option<RawObject>,
}

impl OllamaFrames {
    /// The response as if it had come in one piece.
    fn body(&mut self, mut last: RawObject) -> serde_json::Result<String> {
        let mut message = RawObject::default();
        message.set("role", raw("assistant")?);
        message.set("content", raw(&self.content)?);
        if !self.thinking.is_empty() {
            message.set("thinking", raw(&self.thinking)?);
        }
        if !self.calls.is_empty() {
            message.set("tool_calls", raw(&self.calls)?);
        }
        last.set("message", message.to_raw()?);
        serde_json::to_string(&last)
    }
}

/// What the server would have answered with a status of 500, had the stream not begun with 200.
fn as_status_500(mut error: ProtocolError) -> ProtocolError {
    if let ProtocolError::Provider { code, .. } = &mut error {
        code.get_or_insert_with(|| "500".to_owned());
    }
    error
}

impl Frames for OllamaFrames {
    fn protocol(&self) -> &'static str {
        ID
    }

    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        if self.last.is_some() {
            return Ok(());
        }
        let decode = ProtocolError::decode(ID);
        let line: Line<'_> = match serde_json::from_slice(json) {
            Ok(line) => line,
            Err(source) => return Err(provider_error(ID, json).unwrap_or_else(|| decode(source))),
        };
        if line.error.is_some()
            && let Some(error) = provider_error(ID, json)
        {
            return Err(as_status_500(error));
        }
        let message = line.message.unwrap_or_default();
        if !message.thinking.0.is_empty() {
            self.thinking.push_str(&message.thinking.0);
            events.push(StreamEvent::Reasoning(message.thinking.0.into_owned()));
        }
        if !message.content.0.is_empty() {
            self.content.push_str(&message.content.0);
            events.push(StreamEvent::Text(message.content.0.into_owned()));
        }
        // The same call twice is two calls: nothing else tells a repeat from a wish for two.
        for raw in message.tool_calls.into_iter().flatten() {
            let call: Call<'_> = serde_json::from_str(raw.get()).map_err(decode)?;
            let index = self.calls.len();
            let mut raw = raw.to_owned();
            let id = if call.id.0.is_empty() {
                // Given here, so that the events and the turn name the call alike.
                let id = made_up(json, index);
                let mut object = RawObject::parse(raw.get()).map_err(decode)?;
                object.set("id", crate::protocol::raw::raw(&id).map_err(decode)?);
                raw = object.to_raw().map_err(decode)?;
                id
            } else {
                call.id.0.to_string()
            };
            whole_call(events, index, &id, &call.function.name.0, &call.arguments());
            self.calls.push(raw);
        }
        if line.done {
            let text = std::str::from_utf8(json).unwrap_or_default();
            self.last = Some(RawObject::parse(text).map_err(decode)?);
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.last.is_some()
    }

    fn turn(&mut self, _: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        let Some(last) = self.last.take() else {
            return Err(ProtocolError::stream(ID, "it has no line with `done`"));
        };
        let body = self.body(last).map_err(ProtocolError::Encode)?;
        decode::turn(body.as_bytes())
    }
}
