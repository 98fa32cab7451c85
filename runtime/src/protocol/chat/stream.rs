//! Streams of Chat Completions: `chat.completion.chunk` objects.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    calls::{Calls, Fragment},
    decode,
    vendor::Profile,
};
use crate::{
    conversation::ModelTurn,
    protocol::{
        ProtocolError, StreamEvent,
        failure::provider_error,
        loose::{Content, Text},
        raw::{RawObject, raw},
        stream::Frames,
    },
};

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: Option<i64>,
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    /// Some hosts send the whole message at once.
    #[serde(borrow, default)]
    message: Option<Delta<'a>>,
    #[serde(borrow, default)]
    finish_reason: Text<'a>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
    #[serde(borrow)]
    reasoning_content: Text<'a>,
    #[serde(borrow)]
    reasoning: Text<'a>,
    #[serde(borrow)]
    reasoning_details: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    tool_calls: Option<Vec<Call<'a>>>,
    #[serde(borrow)]
    function_call: Option<decode::Function<'a>>,
}

/// The index of a call in the form that has none.
const LEGACY: i64 = -1;

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(default)]
    index: Option<i64>,
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    function: Option<decode::Function<'a>>,
    /// Gemini's signature, where it speaks this protocol.
    #[serde(borrow, default)]
    extra_content: Option<&'a RawValue>,
}

/// What has arrived of a response.
pub(super) struct ChatFrames {
    profile: &'static Profile,
    id: String,
    content: String,
    refusal: String,
    reasoning_content: String,
    reasoning: String,
    reasoning_in_content: String,
    details: Vec<Detail>,
    calls: Calls,
    finish: String,
    usage: Option<Box<RawValue>>,
    /// `[DONE]` has come.
    done: bool,
    chunks: usize,
}

impl ChatFrames {
    pub(super) fn new(profile: &'static Profile) -> Self {
        Self {
            profile,
            id: String::new(),
            content: String::new(),
            refusal: String::new(),
            reasoning_content: String::new(),
            reasoning: String::new(),
            reasoning_in_content: String::new(),
            details: Vec::new(),
            calls: Calls::default(),
            finish: String::new(),
            usage: None,
            done: false,
            chunks: 0,
        }
    }

    /// Whether nothing of an answer has come.
    fn is_empty(&self) -> bool {
        self.content.is_empty() && self.refusal.is_empty() && self.calls.is_empty()
    }

    /// `frame` is the text that the delta stands in.
    fn delta(&mut self, delta: Delta<'_>, frame: &[u8], events: &mut Vec<StreamEvent>) {
        if !delta.reasoning_content.0.is_empty() {
            self.reasoning_content.push_str(&delta.reasoning_content.0);
        }
        if !delta.reasoning.0.is_empty() {
            self.reasoning.push_str(&delta.reasoning.0);
        }
        // Thoughts that stand in the content go where `decode` looks for them.
        self.reasoning_in_content.push_str(&delta.content.reasoning);
        // Some hosts write the same text under two names.
        let thought = [
            delta.reasoning_content.0,
            delta.reasoning.0,
            Cow::Owned(delta.content.reasoning),
        ];
        if let Some(thought) = thought.into_iter().find(|thought| !thought.is_empty()) {
            events.push(StreamEvent::Reasoning(thought.into_owned()));
        }
        for detail in delta.reasoning_details.into_iter().flatten() {
            self.detail(detail);
        }
        if !delta.content.text.is_empty() {
            self.content.push_str(&delta.content.text);
            events.push(StreamEvent::Text(delta.content.text.into_owned()));
        }
        if !delta.refusal.0.is_empty() {
            self.refusal.push_str(&delta.refusal.0);
            events.push(StreamEvent::Text(delta.refusal.0.into_owned()));
        }
        // A call without an identifier is told from those of other responses by what there is.
        let seed = if self.id.is_empty() {
            frame.to_vec()
        } else {
            self.id.clone().into_bytes()
        };
        // What calls were before they were many.
        if let Some(call) = delta.function_call {
            let fragment = Fragment {
                index: Some(LEGACY),
                name: &call.name.0,
                arguments: &call.arguments.0,
                ..Fragment::default()
            };
            self.calls.add(&fragment, &seed, events);
        }
        for (number, call) in delta.tool_calls.into_iter().flatten().enumerate() {
            let (name, arguments) = match &call.function {
                Some(function) => (&*function.name.0, &*function.arguments.0),
                None => ("", ""),
            };
            let fragment = Fragment {
                index: call.index,
                id: &call.id.0,
                name,
                arguments,
                follows: number > 0,
            };
            let known = self.calls.add(&fragment, &seed, events);
            if let (Some(known), Some(extra)) = (known, call.extra_content)
                && known.extra.is_empty()
            {
                known
                    .extra
                    .push(("extra_content".to_owned(), extra.to_owned()));
            }
        }
    }

    /// OpenRouter's details of one kind and index are pieces of one.
    fn detail(&mut self, detail: &RawValue) {
        let Ok(detail) = RawObject::parse(detail.get()) else {
            return;
        };
        match self.details.last_mut() {
            Some(last) if last.goes_on_with(&detail) => last.add(detail),
            _ => {
                let mut new = Detail::default();
                new.add(detail);
                self.details.push(new);
            }
        }
    }

    /// The response as if it had come in one piece.
    fn body(&mut self, events: &mut Vec<StreamEvent>) -> serde_json::Result<String> {
        let calls = self.calls.finish(events);
        let mut message = RawObject::default();
        message.set("role", raw("assistant")?);
        let content = (!self.content.is_empty() || calls.is_empty()).then_some(&self.content);
        message.set("content", raw(&content)?);
        if self.reasoning.is_empty() && self.reasoning_content.is_empty() {
            self.reasoning = std::mem::take(&mut self.reasoning_in_content);
        }
        let texts = [
            ("refusal", &self.refusal),
            ("reasoning_content", &self.reasoning_content),
            ("reasoning", &self.reasoning),
        ];
        for (key, text) in texts {
            if !text.is_empty() {
                message.set(key, raw(text)?);
            }
        }
        if !self.details.is_empty() {
            let details = std::mem::take(&mut self.details).into_iter();
            let details: Vec<RawObject> = details.map(Detail::whole).collect::<Result<_, _>>()?;
            message.set("reasoning_details", raw(&details)?);
        }
        if !calls.is_empty() {
            let mut list = Vec::with_capacity(calls.len());
            for call in calls {
                let mut function = RawObject::default();
                function.set("name", raw(&call.name)?);
                let arguments = call.arguments.trim();
                function.set(
                    "arguments",
                    raw(if arguments.is_empty() {
                        "{}"
                    } else {
                        &call.arguments
                    })?,
                );
                let mut object = RawObject::default();
                object.set("id", raw(&call.id)?);
                object.set("type", raw("function")?);
                object.set("function", function.to_raw()?);
                object.0.extend(call.extra);
                list.push(object);
            }
            message.set("tool_calls", raw(&list)?);
        }
        let mut choice = RawObject::default();
        choice.set("message", message.to_raw()?);
        if !self.finish.is_empty() {
            choice.set("finish_reason", raw(&self.finish)?);
        }
        let mut body = RawObject::default();
        body.set("id", raw(&self.id)?);
        body.set("choices", raw(&[choice])?);
        if let Some(usage) = self.usage.take() {
            body.set("usage", usage);
        }
        serde_json::to_string(&body)
    }
}

/// A detail that arrives in pieces.
#[derive(Default)]
struct Detail {
    object: RawObject,
    /// The texts that are joined, written into the object when all is there.
    texts: Vec<(String, String)>,
}

impl Detail {
    fn goes_on_with(&self, piece: &RawObject) -> bool {
        ["type", "index"]
            .iter()
            .all(|key| self.object.get(key).map(RawValue::get) == piece.get(key).map(RawValue::get))
    }

    fn add(&mut self, piece: RawObject) {
        for (key, value) in piece.0 {
            let joins = matches!(key.as_str(), "text" | "summary" | "data");
            let text = joins.then(|| serde_json::from_str::<String>(value.get()).ok());
            if let Some(text) = text.flatten() {
                match self.texts.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, known)) => known.push_str(&text),
                    None => {
                        // Keeps its place among the others.
                        self.object.set(&key, value);
                        self.texts.push((key, text));
                    }
                }
            } else if value.get() != "null" || self.object.get(&key).is_none() {
                self.object.set(&key, value);
            }
        }
    }

    fn whole(mut self) -> serde_json::Result<RawObject> {
        for (key, text) in self.texts {
            self.object.set(&key, raw(&text)?);
        }
        Ok(self.object)
    }
}

impl Frames for ChatFrames {
    fn protocol(&self) -> &'static str {
        self.profile.id
    }

    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        if json.trim_ascii() == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        if self.done {
            return Ok(());
        }
        let id = self.profile.id;
        let chunk: Chunk<'_> = match serde_json::from_slice(json) {
            Ok(chunk) => chunk,
            Err(source) => {
                return Err(
                    provider_error(id, json).unwrap_or_else(|| ProtocolError::decode(id)(source))
                );
            }
        };
        let failed = chunk.error.is_some_and(|error| error.get() != "null");
        if (failed || chunk.choices.is_none())
            && let Some(error) = provider_error(id, json)
        {
            return Err(error);
        }
        self.chunks += 1;
        if self.id.is_empty() {
            self.id.push_str(&chunk.id.0);
        }
        if let Some(usage) = chunk.usage.filter(|usage| usage.get() != "null") {
            self.usage = Some(usage.to_owned());
        }
        for choice in chunk.choices.into_iter().flatten() {
            // One answer is asked for; others would mix with it.
            if choice.index.unwrap_or(0) != 0 {
                continue;
            }
            if let Some(error) = choice.error {
                let error = format!("{{\"error\":{}}}", error.get());
                if let Some(error) = provider_error(id, error.as_bytes()) {
                    return Err(error);
                }
            }
            if let Some(delta) = choice.delta {
                self.delta(delta, json, events);
            }
            // A whole message at the end repeats what has come.
            if let Some(message) = choice.message.filter(|_| self.is_empty()) {
                self.delta(message, json, events);
            }
            if !choice.finish_reason.0.is_empty() {
                self.finish = choice.finish_reason.0.into_owned();
            }
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.done
    }

    fn turn(&mut self, events: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        let id = self.profile.id;
        if self.finish.is_empty() && !(self.done && self.chunks > 0) {
            return Err(ProtocolError::stream(id, "it has no `finish_reason`"));
        }
        let body = self.body(events).map_err(ProtocolError::Encode)?;
        decode::turn(self.profile, body.as_bytes())
    }
}
