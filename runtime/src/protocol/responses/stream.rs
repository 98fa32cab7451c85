//! Streams of OpenAI Responses: typed events that end with the whole response.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::decode;
use crate::{
    conversation::ModelTurn,
    protocol::{
        ProtocolError, StreamEvent,
        failure::provider_error,
        loose::{Arguments, Text},
        raw::{RawObject, raw},
        stream::{Frames, whole_call},
    },
};

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    #[serde(default)]
    output_index: u64,
    #[serde(borrow, default)]
    delta: Text<'a>,
    #[serde(borrow, default)]
    item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ItemHead<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    call_id: Text<'a>,
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    arguments: Arguments<'a>,
}

/// A call whose arguments arrive.
struct OpenCall {
    index: usize,
    told: usize,
}

/// What has arrived of a response.
pub(super) struct ResponsesFrames {
    id: &'static str,
    /// Complete items by their place.
    items: BTreeMap<u64, Box<RawValue>>,
    open: BTreeMap<u64, OpenCall>,
    calls: usize,
    /// The response in the last event.
    last: Option<Box<RawValue>>,
}

impl ResponsesFrames {
    pub(super) fn new(id: &'static str) -> Self {
        Self {
            id,
            items: BTreeMap::new(),
            open: BTreeMap::new(),
            calls: 0,
            last: None,
        }
    }

    fn added(
        &mut self,
        place: u64,
        item: &RawValue,
        events: &mut Vec<StreamEvent>,
    ) -> serde_json::Result<()> {
        let head: ItemHead<'_> = serde_json::from_str(item.get())?;
        if head.r#type == "function_call" && !self.open.contains_key(&place) {
            let index = self.calls;
            self.calls += 1;
            self.open.insert(place, OpenCall { index, told: 0 });
            events.push(StreamEvent::CallStart {
                index,
                id: head.call_id.0.into_owned(),
                name: head.name.0.into_owned(),
            });
        }
        Ok(())
    }

    fn done(
        &mut self,
        place: u64,
        item: &RawValue,
        events: &mut Vec<StreamEvent>,
    ) -> serde_json::Result<()> {
        let head: ItemHead<'_> = serde_json::from_str(item.get())?;
        match head.r#type.as_ref() {
            "function_call" => {
                self.added(place, item, events)?;
                if let Some(call) = self.open.remove(&place) {
                    // What was not told in pieces: some hosts send none.
                    let rest = head.arguments.0.get(call.told..).unwrap_or_default();
                    if !rest.is_empty() {
                        events.push(StreamEvent::CallArguments {
                            index: call.index,
                            delta: rest.to_owned(),
                        });
                    }
                    events.push(StreamEvent::CallEnd { index: call.index });
                }
            }
            // A search of the client comes whole; one without an identifier is the provider's own.
            "tool_search_call" if !head.call_id.0.is_empty() => {
                whole_call(
                    events,
                    self.calls,
                    &head.call_id.0,
                    "tool_search",
                    &head.arguments.0,
                );
                self.calls += 1;
            }
            _ => {}
        }
        self.items.insert(place, item.to_owned());
        Ok(())
    }

    /// The response as if it had come in one piece.
    fn body(&mut self, last: &RawValue) -> serde_json::Result<String> {
        #[derive(Deserialize)]
        struct Output<'a> {
            #[serde(borrow, default)]
            output: Option<Vec<&'a RawValue>>,
        }
        let listed: Output<'_> = serde_json::from_str(last.get())?;
        let listed = listed.output.unwrap_or_default().len();
        let mut body = RawObject::parse(last.get())?;
        // Some hosts end with an empty list, and signed reasoning is whole only in its own event.
        if self.items.len() >= listed {
            let items: Vec<Box<RawValue>> = std::mem::take(&mut self.items).into_values().collect();
            body.set("output", raw(&items)?);
        }
        serde_json::to_string(&body)
    }
}

impl Frames for ResponsesFrames {
    fn protocol(&self) -> &'static str {
        self.id
    }

    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        let decode = ProtocolError::decode(self.id);
        if self.last.is_some() || json.trim_ascii() == b"[DONE]" {
            return Ok(());
        }
        let event: Event<'_> = match serde_json::from_slice(json) {
            Ok(event) => event,
            Err(source) => {
                return Err(provider_error(self.id, json).unwrap_or_else(|| decode(source)));
            }
        };
        let place = event.output_index;
        match (event.r#type.0.as_ref(), event.item, event.response) {
            ("response.output_text.delta" | "response.refusal.delta", ..) => {
                events.push(StreamEvent::Text(event.delta.0.into_owned()));
            }
            ("response.reasoning_summary_text.delta" | "response.reasoning_text.delta", ..) => {
                events.push(StreamEvent::Reasoning(event.delta.0.into_owned()));
            }
            ("response.function_call_arguments.delta", ..) => {
                if let Some(call) = self.open.get_mut(&place) {
                    call.told += event.delta.0.len();
                    events.push(StreamEvent::CallArguments {
                        index: call.index,
                        delta: event.delta.0.into_owned(),
                    });
                }
            }
            ("response.output_item.added", Some(item), _) => {
                self.added(place, item, events).map_err(decode)?;
            }
            ("response.output_item.done", Some(item), _) => {
                self.done(place, item, events).map_err(decode)?;
            }
            (
                "response.completed" | "response.incomplete" | "response.failed",
                _,
                Some(response),
            ) => {
                self.last = Some(response.to_owned());
            }
            ("error", ..) => {
                return Err(provider_error(self.id, json).unwrap_or_else(|| {
                    ProtocolError::provider(self.id, None, "the provider gave no message")
                }));
            }
            // An error without the name of an event.
            ("", ..) => {
                if let Some(error) = provider_error(self.id, json) {
                    return Err(error);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.last.is_some()
    }

    fn turn(&mut self, _: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        let Some(last) = self.last.take() else {
            return Err(ProtocolError::stream(
                self.id,
                "it has no `response.completed`",
            ));
        };
        let body = self.body(&last).map_err(ProtocolError::Encode)?;
        decode::turn(self.id, body.as_bytes())
    }
}
