//! Streams of Anthropic Messages: blocks that open, grow and close.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::decode;
use crate::{
    conversation::ModelTurn,
    protocol::{
        ProtocolError, StreamEvent,
        failure::provider_error,
        loose::Text,
        raw::{RawObject, raw},
        stream::{Frames, is_unknown},
    },
};

/// Events that say something; others are passed over, whatever they hold.
const KNOWN: [&str; 7] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
];

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    #[serde(default)]
    index: u64,
    #[serde(borrow, default)]
    content_block: Option<&'a RawValue>,
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    #[serde(borrow, default)]
    signature: Text<'a>,
    #[serde(borrow, default)]
    partial_json: Text<'a>,
    #[serde(borrow, default)]
    citation: Option<&'a RawValue>,
    #[serde(borrow, default)]
    stop_reason: Option<&'a RawValue>,
}

/// A block as far as it has arrived.
struct Block {
    index: u64,
    head: RawObject,
    text: String,
    thinking: String,
    signature: String,
    input: String,
    citations: Vec<Box<RawValue>>,
    /// Which call it is, where it is one of a tool of ours.
    call: Option<usize>,
    open: bool,
}

/// What has arrived of a response.
pub(super) struct AnthropicFrames {
    id: &'static str,
    message: RawObject,
    usage: RawObject,
    blocks: Vec<Block>,
    calls: usize,
    stop_reason: Option<Box<RawValue>>,
    stopped: bool,
}

fn kind(head: &RawObject) -> &str {
    // Written as a plain word in all streams; anything else is a type this crate does not know.
    head.get("type")
        .map_or("", |kind| kind.get().trim_matches('"'))
}

fn text_of(head: &RawObject, key: &str) -> String {
    let text = head.get(key).map(|text| serde_json::from_str(text.get()));
    text.and_then(Result::ok).unwrap_or_default()
}

impl AnthropicFrames {
    pub(super) fn new(id: &'static str) -> Self {
        Self {
            id,
            message: RawObject::default(),
            usage: RawObject::default(),
            blocks: Vec::new(),
            calls: 0,
            stop_reason: None,
            stopped: false,
        }
    }

    fn start(
        &mut self,
        index: u64,
        head: &RawValue,
        events: &mut Vec<StreamEvent>,
    ) -> serde_json::Result<()> {
        let head = RawObject::parse(head.get())?;
        let mut block = Block {
            index,
            text: text_of(&head, "text"),
            thinking: text_of(&head, "thinking"),
            signature: text_of(&head, "signature"),
            input: String::new(),
            citations: Vec::new(),
            call: None,
            open: true,
            head,
        };
        if kind(&block.head) == "tool_use" {
            block.call = Some(self.calls);
            events.push(StreamEvent::CallStart {
                index: self.calls,
                id: text_of(&block.head, "id"),
                name: text_of(&block.head, "name"),
            });
            self.calls += 1;
        }
        for (text, event) in [
            (&block.text, StreamEvent::Text as fn(String) -> StreamEvent),
            (&block.thinking, StreamEvent::Reasoning),
        ] {
            if !text.is_empty() {
                events.push(event(text.clone()));
            }
        }
        self.blocks.push(block);
        Ok(())
    }

    fn delta(
        &mut self,
        index: u64,
        delta: Delta<'_>,
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProtocolError> {
        let mut blocks = self.blocks.iter_mut().rev();
        let Some(block) = blocks.find(|block| block.index == index && block.open) else {
            let texts = [&delta.text, &delta.thinking, &delta.partial_json];
            if texts.iter().all(|text| text.0.is_empty()) {
                return Ok(());
            }
            let problem = "a piece belongs to no block that is open";
            return Err(ProtocolError::stream(self.id, problem));
        };
        if !delta.text.0.is_empty() {
            block.text.push_str(&delta.text.0);
            events.push(StreamEvent::Text(delta.text.0.into_owned()));
        }
        if !delta.thinking.0.is_empty() {
            block.thinking.push_str(&delta.thinking.0);
            events.push(StreamEvent::Reasoning(delta.thinking.0.into_owned()));
        }
        block.signature.push_str(&delta.signature.0);
        block
            .citations
            .extend(delta.citation.map(ToOwned::to_owned));
        if !delta.partial_json.0.is_empty() {
            block.input.push_str(&delta.partial_json.0);
            if let Some(index) = block.call {
                events.push(StreamEvent::CallArguments {
                    index,
                    delta: delta.partial_json.0.into_owned(),
                });
            }
        }
        Ok(())
    }

    /// The response as if it had come in one piece.
    fn body(&mut self) -> Result<String, ProtocolError> {
        let cut = self.stop_reason.as_ref().is_some_and(|reason| {
            matches!(
                reason.get(),
                "\"max_tokens\"" | "\"model_context_window_exceeded\""
            )
        });
        let mut content = Vec::with_capacity(self.blocks.len());
        for block in std::mem::take(&mut self.blocks) {
            content.push(block.finish(cut)?);
        }
        let mut body = std::mem::take(&mut self.message);
        let mut set = |key: &str, value: serde_json::Result<Box<RawValue>>| {
            value
                .map(|value| body.set(key, value))
                .map_err(ProtocolError::Encode)
        };
        set("content", raw(&content))?;
        set("usage", self.usage.to_raw())?;
        if let Some(reason) = self.stop_reason.take() {
            set("stop_reason", Ok(reason))?;
        }
        serde_json::to_string(&body).map_err(ProtocolError::Encode)
    }
}

impl Block {
    /// The block as it would stand in a plain response. `cut`: the limit on output was reached, so
    /// that arguments may be incomplete.
    fn finish(mut self, cut: bool) -> Result<Box<RawValue>, ProtocolError> {
        let texts = [
            ("text", &self.text),
            ("thinking", &self.thinking),
            ("signature", &self.signature),
        ];
        for (key, text) in texts {
            if !text.is_empty() {
                self.head
                    .set(key, raw(text).map_err(ProtocolError::Encode)?);
            }
        }
        if !self.citations.is_empty() {
            let citations = raw(&self.citations).map_err(ProtocolError::Encode)?;
            self.head.set("citations", citations);
        }
        // Nothing for a tool without arguments.
        let input = self.input.trim();
        if !input.is_empty() {
            let input = match RawValue::from_string(input.to_owned()) {
                Ok(input) => input,
                // Half an object cannot go back; the call is answered as cut off.
                Err(_) if cut => raw(&RawObject::default()).map_err(ProtocolError::Encode)?,
                // Wrong arguments are the call's own matter: it fails, and the run goes on.
                Err(_) => raw(input).map_err(ProtocolError::Encode)?,
            };
            self.head.set("input", input);
        }
        self.head.to_raw().map_err(ProtocolError::Encode)
    }
}

impl Frames for AnthropicFrames {
    fn protocol(&self) -> &'static str {
        self.id
    }

    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        let decode = ProtocolError::decode(self.id);
        if self.stopped || json.trim_ascii() == b"[DONE]" {
            return Ok(());
        }
        let event: Event<'_> = match serde_json::from_slice(json) {
            Ok(event) => event,
            Err(_) if is_unknown(json, &KNOWN) => return Ok(()),
            Err(source) => {
                return Err(provider_error(self.id, json).unwrap_or_else(|| decode(source)));
            }
        };
        if let Some(usage) = event.usage {
            // Counts are of the whole response so far; later ones replace earlier ones.
            for (key, value) in RawObject::parse(usage.get()).unwrap_or_default().0 {
                if value.get() != "null" {
                    self.usage.set(&key, value);
                }
            }
        }
        match (event.r#type.0.as_ref(), event.content_block, event.delta) {
            ("content_block_delta", _, Some(delta)) => {
                self.delta(event.index, delta, events)?;
            }
            ("content_block_start", Some(head), _) => {
                self.start(event.index, head, events).map_err(decode)?;
            }
            ("content_block_stop", ..) => {
                let mut blocks = self.blocks.iter_mut().rev();
                if let Some(block) = blocks.find(|block| block.index == event.index && block.open) {
                    block.open = false;
                    if let Some(index) = block.call {
                        events.push(StreamEvent::CallEnd { index });
                    }
                }
            }
            ("message_start", ..) => {
                if let Some(message) = event.message {
                    self.message = RawObject::parse(message.get()).map_err(decode)?;
                    if let Some(usage) = self.message.get("usage") {
                        self.usage = RawObject::parse(usage.get()).unwrap_or_default();
                    }
                }
            }
            ("message_delta", _, Some(delta)) => {
                if let Some(reason) = delta.stop_reason.filter(|reason| reason.get() != "null") {
                    self.stop_reason = Some(reason.to_owned());
                }
            }
            ("message_stop", ..) => self.stopped = true,
            ("error" | "", ..) => {
                return Err(provider_error(self.id, json)
                    .unwrap_or_else(|| ProtocolError::stream(self.id, "an event has no `type`")));
            }
            _ => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.stopped
    }

    fn turn(&mut self, _: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        // Without a reason to stop, blocks may be missing; with one, only the last event is.
        let open = self.blocks.iter().any(|block| block.open);
        let missing = match (self.stopped, self.stop_reason.is_none(), open) {
            (false, true, _) | (false, _, true) => "it ends before `message_stop`",
            (true, true, _) => "it has no `stop_reason`",
            (true, _, true) => "a block has no `content_block_stop`",
            _ => return decode::turn(self.id, self.body()?.as_bytes()),
        };
        Err(ProtocolError::stream(self.id, missing))
    }
}
