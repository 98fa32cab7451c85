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
            match fragment.index {
                Some(index) => self.by_index.get(&index).copied(),
                None => self.current,
            }
        } else {
            self.by_id.get(fragment.id).copied()
        };
        let known = known.filter(|place| !self.is_another(*place, fragment));
        let position = known.unwrap_or_else(|| {
            let position = self.calls.len();
            let id = if fragment.id.is_empty() {
                made_up(seed, position)
            } else {
                fragment.id.to_owned()
            };
            self.by_id.insert(id.clone(), position);
            self.calls.push(PartialCall {
                id,
                ..PartialCall::default()
            });
            position
        });
        // An index that is used again means the newest call with it.
        if let Some(index) = fragment.index {
            self.by_index.insert(index, position);
        }
        self.current = Some(position);
        position
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
