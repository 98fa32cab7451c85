//! The calls of a streamed response, put together from fragments.
//!
//! Hosts disagree on almost everything: an index may be reused for several calls, be missing or
//! start at 1; an identifier may stand on the first fragment, on all, or be empty later on;
//! arguments may come in pieces, whole each time, or as an object.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::protocol::{StreamEvent, ids::made_up};

/// One call as far as it is known.
#[derive(Debug, Default)]
pub(super) struct PartialCall {
    pub(super) id: String,
    /// The identifier that the host gave it, and its index.
    wire_id: String,
    index: Option<i64>,
    pub(super) name: String,
    pub(super) arguments: String,
    /// Members of the call that are kept as they are.
    pub(super) extra: Vec<(String, Box<RawValue>)>,
    /// How much of the arguments was told in events; `None` before the start was.
    told: Option<usize>,
    /// Whether the arguments so far came whole in one fragment.
    whole: bool,
}

/// A fragment of a call.
#[derive(Debug, Default)]
pub(super) struct Fragment<'a> {
    pub(super) index: Option<i64>,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
    /// Whether it is not the first in a list of fragments that came together.
    pub(super) follows: bool,
}

/// All calls of a response, in order.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<PartialCall>,
    by_index: HashMap<i64, usize>,
    by_id: HashMap<String, usize>,
    current: Option<usize>,
}

impl Calls {
    /// Takes a fragment. `seed` tells this response from others, for calls without identifiers.
    pub(super) fn add(
        &mut self,
        fragment: &Fragment<'_>,
        seed: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> Option<&mut PartialCall> {
        let position = self.position(fragment, seed);
        let call = self.calls.get_mut(position)?;
        if call.name.is_empty() {
            call.name.push_str(fragment.name);
        }
        if !fragment.arguments.is_empty() {
            let whole = is_whole(fragment.arguments);
            // Whole arguments each time, or `{}` before the real ones: the last ones count.
            if call.whole && fragment.arguments.starts_with('{') {
                call.arguments.clear();
                call.told = call.told.map(|_| 0);
            }
            call.whole = whole && (call.whole || call.arguments.is_empty());
            call.arguments.push_str(fragment.arguments);
        }
        tell(call, position, events);
        Some(call)
    }

    fn position(&mut self, fragment: &Fragment<'_>, seed: &[u8]) -> usize {
        let known = if fragment.id.is_empty() {
            let known = match fragment.index {
                Some(index) => self.by_index.get(&index).copied(),
                None => self.current,
            };
            known.filter(|place| !self.is_another(*place, fragment))
        } else {
            self.of_id(fragment)
        };
        let position = known.unwrap_or_else(|| {
            let position = self.calls.len();
            let id = match fragment.id {
                "" => made_up(seed, position),
                // Some hosts give one identifier to all calls.
                id if self.by_id.contains_key(id) => format!("{id}_{position}"),
                id => id.to_owned(),
            };
            self.calls.push(PartialCall {
                id,
                wire_id: fragment.id.to_owned(),
                index: fragment.index,
                ..PartialCall::default()
            });
            position
        });
        if !fragment.id.is_empty() {
            self.by_id.insert(fragment.id.to_owned(), position);
        }
        // An index that is used again means the newest call with it.
        if let Some(index) = fragment.index {
            self.by_index.insert(index, position);
        }
        self.current = Some(position);
        position
    }

    /// The call that a fragment with an identifier belongs to, if it has begun.
    fn of_id(&mut self, fragment: &Fragment<'_>) -> Option<usize> {
        let at_index = fragment
            .index
            .and_then(|index| self.by_index.get(&index).copied());
        let same = |place: &usize| {
            let call = self.calls.get(*place);
            call.is_some_and(|call| call.wire_id == fragment.id)
        };
        let known = at_index
            .filter(same)
            .or(self.by_id.get(fragment.id).copied());
        if let Some(place) = known {
            return Some(place).filter(|place| !self.is_namesake(*place, fragment));
        }
        // An identifier that comes after the name or the first arguments.
        let place = at_index.filter(|place| {
            let call = self.calls.get(*place);
            let open = call.is_some_and(|call| call.wire_id.is_empty());
            open && !self.is_another_name(*place, fragment)
        })?;
        let call = self.calls.get_mut(place)?;
        call.wire_id.push_str(fragment.id);
        // What was told already keeps the name it was told by.
        if call.told.is_none() {
            call.id = fragment.id.to_owned();
        }
        Some(place)
    }

    /// Whether a fragment with a known identifier begins another call all the same.
    fn is_namesake(&self, place: usize, fragment: &Fragment<'_>) -> bool {
        let Some(call) = self.calls.get(place) else {
            return false;
        };
        let elsewhere = match (call.index, fragment.index) {
            (Some(one), Some(other)) => one != other,
            _ => fragment.follows,
        };
        let differs = elsewhere || call.name != fragment.name;
        differs && self.is_another_name(place, fragment)
    }

    /// Whether a fragment has a name although that call has one and is complete.
    fn is_another_name(&self, place: usize, fragment: &Fragment<'_>) -> bool {
        let call = self.calls.get(place);
        call.is_some_and(|call| {
            let named = !fragment.name.is_empty() && !call.name.is_empty();
            let other = call.name != fragment.name && !call.arguments.is_empty();
            named && (other || is_whole(&call.arguments))
        })
    }

    /// Whether a fragment without an identifier begins another call, although nothing else tells
    /// it from the call before: it has a name again, and that call is complete.
    fn is_another(&self, place: usize, fragment: &Fragment<'_>) -> bool {
        let Some(call) = self.calls.get(place) else {
            return false;
        };
        let named = fragment.id.is_empty() && !fragment.name.is_empty() && !call.name.is_empty();
        if !named || !(call.arguments.is_empty() || is_whole(&call.arguments)) {
            return false;
        }
        // The same name with other arguments is a second call; some hosts repeat both each time,
        // or write `{}` before they know better.
        let others = !matches!(call.arguments.trim(), "" | "{}")
            && fragment.arguments != call.arguments
            && is_whole(fragment.arguments);
        call.name != fragment.name || fragment.follows || others
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// All calls, whose arguments are complete now.
    pub(super) fn finish(&mut self, events: &mut Vec<StreamEvent>) -> Vec<PartialCall> {
        for (index, call) in self.calls.iter_mut().enumerate() {
            // A name that never came is told as it is, so that every call has a beginning.
            let told = match call.told {
                Some(told) => told,
                None => start(call_start(index, &call.id, &call.name), events),
            };
            let end = call.arguments.len();
            tell_to(call, index, told, end, events);
            events.push(StreamEvent::CallEnd { index });
        }
        std::mem::take(&mut self.calls)
    }
}

fn call_start(index: usize, id: &str, name: &str) -> StreamEvent {
    StreamEvent::CallStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
    }
}

fn start(event: StreamEvent, events: &mut Vec<StreamEvent>) -> usize {
    events.push(event);
    0
}

/// Tells what of the call is new, once its name is known.
fn tell(call: &mut PartialCall, index: usize, events: &mut Vec<StreamEvent>) {
    if call.name.is_empty() && call.told.is_none() {
        return;
    }
    let told = match call.told {
        Some(told) => told,
        None => start(call_start(index, &call.id, &call.name), events),
    };
    // Arguments that come whole may be replaced by later ones, so they are told at the end.
    let end = if call.whole {
        told
    } else {
        call.arguments.len()
    };
    tell_to(call, index, told, end, events);
}

fn tell_to(
    call: &mut PartialCall,
    index: usize,
    told: usize,
    end: usize,
    events: &mut Vec<StreamEvent>,
) {
    if let Some(delta) = call
        .arguments
        .get(told..end)
        .filter(|delta| !delta.is_empty())
    {
        events.push(StreamEvent::CallArguments {
            index,
            delta: delta.to_owned(),
        });
    }
    call.told = Some(end);
}

/// Whether a text is a whole JSON object. Fragments rarely begin and end like one.
fn is_whole(arguments: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Object {}
    arguments.starts_with('{')
        && arguments.trim_end().ends_with('}')
        && serde_json::from_str::<Object>(arguments).is_ok()
}
