//! Streams of Gemini: whole responses with more and more parts.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ID, decode};
use crate::{
    conversation::ModelTurn,
    protocol::{
        ProtocolError, StreamEvent,
        failure::provider_error,
        ids::made_up,
        loose::Text,
        raw::{RawObject, raw},
        stream::{Frames, whole_call},
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(borrow, default)]
    candidates: Option<Vec<decode::Candidate<'a>>>,
    #[serde(borrow, default)]
    prompt_feedback: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage_metadata: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response_id: Text<'a>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// A part as it will stand in the response: whole, or text that may grow.
enum Part {
    Whole(Box<RawValue>),
    Text { text: String, thought: bool },
}

/// What has arrived of a response.
#[derive(Default)]
pub(super) struct GeminiFrames {
    parts: Vec<Part>,
    calls: usize,
    finish: String,
    feedback: Option<Box<RawValue>>,
    usage: Option<Box<RawValue>>,
    id: String,
    /// The text in which the first call without an identifier stands, where the response has none.
    seed: Vec<u8>,
}

impl GeminiFrames {
    /// `frame` is the text that the part stands in.
    fn part(
        &mut self,
        raw: &RawValue,
        frame: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> serde_json::Result<()> {
        let part: decode::Part<'_> = serde_json::from_str(raw.get())?;
        if let Some(call) = &part.function_call {
            let id = if call.id.0.is_empty() {
                if self.seed.is_empty() {
                    let id = self.id.as_bytes();
                    self.seed = if id.is_empty() { frame } else { id }.to_vec();
                }
                made_up(&self.seed, self.calls)
            } else {
                call.id.0.to_string()
            };
            whole_call(events, self.calls, &id, &call.name.0, &call.arguments());
            self.calls += 1;
        }
        let signed = part.thought_signature.is_some();
        let thought = part.thought;
        let Some(text) = part
            .text
            .map(|text| text.0)
            .filter(|_| part.function_call.is_none())
        else {
            self.parts.push(Part::Whole(raw.to_owned()));
            return Ok(());
        };
        if !text.is_empty() {
            let text = text.to_string();
            events.push(if thought {
                StreamEvent::Reasoning(text)
            } else {
                StreamEvent::Text(text)
            });
        }
        match self.parts.last_mut() {
            // Signed parts stay as they are; others of one kind are one.
            _ if signed => self.parts.push(Part::Whole(raw.to_owned())),
            Some(Part::Text {
                text: before,
                thought: same,
            }) if *same == thought => {
                before.push_str(&text);
            }
            _ => self.parts.push(Part::Text {
                text: text.into_owned(),
                thought,
            }),
        }
        Ok(())
    }

    /// The response as if it had come in one piece.
    fn body(&mut self) -> serde_json::Result<String> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in std::mem::take(&mut self.parts) {
            parts.push(match part {
                Part::Whole(part) => part,
                Part::Text { text, thought } => {
                    let mut object = RawObject::default();
                    object.set("text", raw(&text)?);
                    if thought {
                        object.set("thought", raw(&true)?);
                    }
                    object.to_raw()?
                }
            });
        }
        let mut content = RawObject::default();
        content.set("parts", raw(&parts)?);
        content.set("role", raw("model")?);
        let mut candidate = RawObject::default();
        candidate.set("content", content.to_raw()?);
        candidate.set("finishReason", raw(&self.finish)?);
        let mut body = RawObject::default();
        if !self.finish.is_empty() || !parts.is_empty() {
            body.set("candidates", raw(&[candidate])?);
        }
        let more = [
            ("promptFeedback", self.feedback.take()),
            ("usageMetadata", self.usage.take()),
        ];
        for (key, value) in more {
            if let Some(value) = value {
                body.set(key, value);
            }
        }
        // The events have told the calls by this name already.
        if self.seed.is_empty() || self.seed == self.id.as_bytes() {
            body.set("responseId", raw(&self.id)?);
        }
        serde_json::to_string(&body)
    }
}

/// Whether what is said of a prompt is that it was blocked.
fn is_block(feedback: &RawValue) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Feedback<'a> {
        #[serde(borrow, default)]
        block_reason: Text<'a>,
    }
    let feedback: Result<Feedback<'_>, _> = serde_json::from_str(feedback.get());
    feedback.is_ok_and(|feedback| !feedback.block_reason.0.is_empty())
}

impl Frames for GeminiFrames {
    fn protocol(&self) -> &'static str {
        ID
    }

    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        let decode = ProtocolError::decode(ID);
        let chunk: Chunk<'_> = match serde_json::from_slice(json) {
            Ok(chunk) => chunk,
            Err(source) => return Err(provider_error(ID, json).unwrap_or_else(|| decode(source))),
        };
        if chunk.error.is_some()
            && let Some(error) = provider_error(ID, json)
        {
            return Err(error);
        }
        if self.id.is_empty() {
            self.id.push_str(&chunk.response_id.0);
        }
        if let Some(usage) = chunk.usage_metadata {
            self.usage = Some(usage.to_owned());
        }
        if let Some(feedback) = chunk.prompt_feedback {
            self.feedback = Some(feedback.to_owned());
        }
        for candidate in chunk.candidates.into_iter().flatten() {
            if candidate.index.unwrap_or(0) != 0 {
                continue;
            }
            for part in candidate
                .content
                .and_then(|content| content.parts)
                .into_iter()
                .flatten()
            {
                self.part(part, json, events).map_err(decode)?;
            }
            if !candidate.finish_reason.0.is_empty() {
                self.finish = candidate.finish_reason.0.into_owned();
            }
        }
        Ok(())
    }

    /// The stream has no last word; it ends with the connection.
    fn is_complete(&self) -> bool {
        false
    }

    fn turn(&mut self, _: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        // A prompt that is blocked has no answer; whatever else is said of it is no end of one.
        let blocked = self.feedback.as_deref().is_some_and(is_block) && self.parts.is_empty();
        if self.finish.is_empty() && !blocked {
            return Err(ProtocolError::stream(ID, "it has no `finishReason`"));
        }
        let body = self.body().map_err(ProtocolError::Encode)?;
        decode::turn(body.as_bytes(), &self.seed)
    }
}
