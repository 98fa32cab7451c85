//! What holds after every run.

use std::collections::HashMap;

use repertoire::{Conversation, conversation::Item};

use super::tools::*;
use super::world::*;

/// One result for each call of each response, in call order.
pub(crate) fn check_pairing(conversation: &Conversation) {
    let items = conversation.items();
    for (index, item) in items.iter().enumerate() {
        let Item::Model(turn) = item else { continue };
        let calls: Vec<(&str, &str)> = turn.calls().map(|call| (call.id(), call.name())).collect();
        if calls.is_empty() {
            continue;
        }
        let Some(Item::Results(results)) = items.get(index + 1) else {
            panic!("calls without results: {calls:?}");
        };
        let results: Vec<(&str, &str)> = results
            .iter()
            .map(|result| (result.call_id(), result.name()))
            .collect();
        assert_eq!(calls, results);
    }
}

/// No output is longer than its tool allows, the notice of the cut aside.
pub(crate) fn check_outputs(world: &World, conversation: &Conversation) {
    for item in conversation.items() {
        let Item::Results(results) = item else {
            continue;
        };
        for result in results {
            let text = result.output().to_text();
            if result.is_failed() {
                assert!(!text.contains('\n') && !text.trim().is_empty(), "{text:?}");
                continue;
            }
            let most = world.plans.iter().map(|plan| plan.max_output).max();
            assert!(
                text.len() <= most.unwrap_or_default() + 200,
                "{}",
                text.len()
            );
        }
    }
}

/// Nothing ran more often than its policy allows.
pub(crate) fn check_tries(world: &World, tries: &[Try]) {
    let mut by_call: HashMap<(usize, &str), u32> = HashMap::new();
    for (index, a_try) in tries.iter().enumerate() {
        let plan = &world.plans[a_try.tool];
        let count = by_call.entry((a_try.tool, &a_try.call)).or_default();
        *count += 1;
        let most = if plan.repeatable { 1 + plan.retries } else { 1 };
        assert!(
            *count <= most,
            "more than {most} tries in one call: {tries:#?}"
        );
        if !plan.once {
            continue;
        }
        let later = tries[index + 1..].iter();
        let same = later.filter(|later| later.tool == a_try.tool && later.key == a_try.key);
        for later in same {
            // A tool that may be repeated is, within one call; another call waits for the end.
            if plan.repeatable && later.call == a_try.call {
                continue;
            }
            assert!(
                a_try.ended.is_some_and(|ended| ended <= later.started),
                "two at once: {tries:#?}"
            );
            assert!(
                plan.repeatable || a_try.deed.is_harmless(),
                "ran again after it may have had its effect: {tries:#?}"
            );
        }
    }
}
