//! Call identifiers that are told apart from turn to turn.
//!
//! Some hosts begin anew with every response: `call_0`, `functions.f:0`, or nothing, for which one
//! is made up. They pair calls and results by their place. Another provider pairs by identifier and
//! refuses one that stands for two calls.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::conversation::Item;

/// The history with an identifier of its own for each call that goes to `protocol` in a new form,
/// or nothing where that is so already. Turns that `protocol` wrote itself stay as they are.
pub(super) fn separate(items: &[Item], protocol: &str) -> Option<Vec<Item>> {
    let mut known = HashSet::new();
    let mut repeats = false;
    for item in items {
        if let Item::Model(turn) = item {
            turn.calls()
                .for_each(|call| repeats |= !known.insert(call.id()));
        }
    }
    if !repeats {
        return None;
    }
    // What cannot be changed comes first.
    let mut taken: HashSet<String> = HashSet::new();
    for item in items {
        if let Item::Model(turn) = item
            && turn.verbatim(protocol).is_some()
        {
            taken.extend(turn.calls().map(|call| call.id().to_owned()));
        }
    }
    // The new identifiers of calls that had one, in order.
    let mut now: HashMap<String, VecDeque<String>> = HashMap::new();
    let separated = items.iter().enumerate().map(|(place, item)| match item {
        Item::Model(turn) => {
            now.clear();
            if turn.verbatim(protocol).is_some() {
                return item.clone();
            }
            let mut changed = false;
            let other = turn.with_call_ids(|id| {
                let mut new = id.to_owned();
                let mut number = 0_usize;
                while !taken.insert(new.clone()) {
                    new = match number {
                        0 => format!("{id}_{place}"),
                        number => format!("{id}_{place}_{number}"),
                    };
                    number += 1;
                    changed = true;
                }
                now.entry(id.to_owned()).or_default().push_back(new.clone());
                new
            });
            if changed {
                Item::Model(other)
            } else {
                item.clone()
            }
        }
        Item::Results(results) => {
            let results = results.iter().map(|result| {
                let ids = now.get_mut(result.call_id());
                let id = ids.and_then(|ids| match ids.len() {
                    0 | 1 => ids.front().cloned(),
                    _ => ids.pop_front(),
                });
                match id {
                    Some(id) => result.clone().with_call_id(id),
                    None => result.clone(),
                }
            });
            Item::Results(results.collect())
        }
        other => other.clone(),
    });
    Some(separated.collect())
}
