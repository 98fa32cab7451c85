//! Streams of OpenAI Responses: typed events that end with the whole response.

use std::collections::{BTreeMap, HashMap};

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
        stream::{Frames, is_unknown, whole_call},
    },
};

/// Events that say something; others are passed over, whatever they hold.
const KNOWN: [&str; 11] = [
    "response.output_text.delta",
    "response.refusal.delta",
    "response.reasoning_summary_text.delta",
    "response.reasoning_text.delta",
    "response.function_call_arguments.delta",
    "response.output_item.added",
    "response.output_item.done",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "error",
];

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    /// Absent from some hosts, which name the item instead.
    #[serde(default)]
    output_index: Option<u64>,
    #[serde(borrow, default)]
    item_id: Text<'a>,
    #[serde(borrow, default)]
    delta: Text<'a>,
    #[serde(borrow, default)]
    item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ItemHead<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    call_id: Text<'a>,
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    arguments: Arguments<'a>,
}

/// No response has as many items.
const MOST_ITEMS: u64 = 1_000_000;

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
    /// Where items stand whose events have no place.
    places: HashMap<String, u64>,
    /// The first place that no item has.
    next: u64,
    /// What was told as text, for hosts whose items never come.
    text: String,
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
            places: HashMap::new(),
            next: 0,
            text: String::new(),
            last: None,
        }
    }

    /// Where an event's item stands. `item`: the identifier of the item and whether it is complete.
    fn place(&mut self, event: &Event<'_>, item: Option<(&str, bool)>) -> u64 {
        let id = item.map_or(&*event.item_id.0, |(id, _)| id);
        let place = match (event.output_index, self.places.get(id)) {
            (Some(place), _) => place,
            (None, Some(place)) => *place,
            // A piece, or the end, of the one item that has begun.
            (None, None) => match (item, self.open.last_key_value()) {
                (None | Some((_, true)), Some((place, _))) => *place,
                _ => self.next,
            },
        };
        if !id.is_empty() && event.output_index.is_none() {
            self.places.insert(id.to_owned(), place);
        }
        self.next = self.next.max(place.saturating_add(1));
        place
    }

    fn added(
        &mut self,
        place: u64,
        item: &RawValue,
        events: &mut Vec<StreamEvent>,
    ) -> serde_json::Result<()> {
        let head: ItemHead<'_> = serde_json::from_str(item.get())?;
        if head.r#type.0 == "function_call" && !self.open.contains_key(&place) {
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
        let mut place = place;
        if let Some(known) = self.items.get(&place) {
            let known: ItemHead<'_> = serde_json::from_str(known.get())?;
            // Told once already; a host that says it twice means one item.
            if known.call_id.0 == head.call_id.0 && known.id.0 == head.id.0 {
                return Ok(());
            }
            place = self.next;
            self.next += 1;
        }
        match head.r#type.0.as_ref() {
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
        let listed = listed(last)?;
        let mut body = RawObject::parse(last.get())?;
        // Some hosts end with an empty list, and signed reasoning is whole only in its own event.
        if self.items.len() >= listed {
            let mut items: Vec<Box<RawValue>> =
                std::mem::take(&mut self.items).into_values().collect();
            if items.is_empty() && !self.text.is_empty() {
                items.push(message(&self.text)?);
            }
            body.set("output", raw(&items)?);
        }
        serde_json::to_string(&body)
    }
}

/// How many items the last event lists.
fn listed(last: &RawValue) -> serde_json::Result<usize> {
    #[derive(Deserialize)]
    struct Output<'a> {
        #[serde(borrow, default)]
        output: Option<Vec<&'a RawValue>>,
    }
    let listed: Output<'_> = serde_json::from_str(last.get())?;
    Ok(listed.output.unwrap_or_default().len())
}

/// A message as the provider would have written it.
fn message(text: &str) -> serde_json::Result<Box<RawValue>> {
    raw(&serde_json::json!({
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }))
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
            Err(_) if is_unknown(json, &KNOWN) => return Ok(()),
            Err(source) => {
                return Err(provider_error(self.id, json).unwrap_or_else(|| decode(source)));
            }
        };
        if let Some(place) = event.output_index.filter(|place| *place > MOST_ITEMS) {
            let problem = format!("an item has the place {place}, which no response has");
            return Err(ProtocolError::stream(self.id, problem));
        }
        match (event.r#type.0.as_ref(), event.item, event.response) {
            ("response.output_text.delta" | "response.refusal.delta", ..) => {
                if self.items.is_empty() {
                    self.text.push_str(&event.delta.0);
                }
                events.push(StreamEvent::Text(event.delta.0.into_owned()));
            }
            ("response.reasoning_summary_text.delta" | "response.reasoning_text.delta", ..) => {
                events.push(StreamEvent::Reasoning(event.delta.0.into_owned()));
            }
            ("response.function_call_arguments.delta", ..) => {
                let place = self.place(&event, None);
                if let Some(call) = self.open.get_mut(&place) {
                    call.told += event.delta.0.len();
                    events.push(StreamEvent::CallArguments {
                        index: call.index,
                        delta: event.delta.0.into_owned(),
                    });
                }
            }
            ("response.output_item.added", Some(item), _) => {
                let head: ItemHead<'_> = serde_json::from_str(item.get()).map_err(decode)?;
                let place = self.place(&event, Some((&head.id.0, false)));
                self.added(place, item, events).map_err(decode)?;
            }
            ("response.output_item.done", Some(item), _) => {
                let head: ItemHead<'_> = serde_json::from_str(item.get()).map_err(decode)?;
                let place = self.place(&event, Some((&head.id.0, true)));
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
        // A call that was told of and is in no list would vanish without a word.
        let listed = listed(&last).map_err(ProtocolError::decode(self.id))?;
        if !self.open.is_empty() && self.items.len() >= listed {
            return Err(ProtocolError::stream(
                self.id,
                "a call has begun and has no end",
            ));
        }
        let body = self.body(&last).map_err(ProtocolError::Encode)?;
        decode::turn(self.id, body.as_bytes())
    }
}
