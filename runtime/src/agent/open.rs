//! The calls of a response before they begin.

use std::collections::HashMap;

use crate::conversation::{Conversation, Decisions, Item, StopReason, ToolCall};

/// A conversation whose calls are about to begin. It waits again where they do not.
pub(super) struct Beginning<'a> {
    pub(super) conversation: &'a mut Conversation,
    decisions: Option<Decisions>,
}

impl<'a> Beginning<'a> {
    pub(super) fn of(conversation: &'a mut Conversation) -> Self {
        let decisions = conversation.take_decisions();
        Self {
            conversation,
            decisions,
        }
    }

    /// What was decided of the calls, which begin now.
    pub(super) fn begun(mut self) -> HashMap<String, bool> {
        let decisions = self.decisions.take().into_iter().flatten();
        let decided = decisions.filter_map(|(id, decided)| Some((id, decided?)));
        decided.collect()
    }
}

impl Drop for Beginning<'_> {
    fn drop(&mut self) {
        if let Some(decisions) = self.decisions.take() {
            self.conversation.put_decisions(decisions);
        }
    }
}

/// The calls that may run: the last one of a response that was cut off is not whole, and what the model
/// or the provider took back is no decision at all.
pub(super) fn whole(calls: &[ToolCall], stop: StopReason) -> &[ToolCall] {
    match (stop, calls.split_last()) {
        (StopReason::Refused, _) => &[],
        (StopReason::MaxTokens, Some((_, whole))) => whole,
        _ => calls,
    }
}

/// The calls of a response that waited for approval.
pub(super) fn open_calls(conversation: &Conversation) -> Option<(Vec<ToolCall>, StopReason)> {
    match conversation.items().last() {
        Some(Item::Model(turn)) if conversation.is_waiting() => {
            Some((turn.calls().cloned().collect(), turn.stop()))
        }
        _ => None,
    }
}
