//! What a run has used, counted for the calls within calls too.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use crate::{context::lock, conversation::Usage};

/// What a run has used beside the responses of its own model calls.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    calls: AtomicUsize,
    usage: Mutex<Usage>,
}

impl Spent {
    /// How many tools were called, by the model or by other tools.
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    pub(super) fn add_calls(&self, calls: usize) {
        self.calls.fetch_add(calls, Ordering::Relaxed);
    }

    /// Takes one more call, unless there would be more than `most`.
    pub(super) fn take_call(&self, most: Option<usize>) -> bool {
        let next = |calls: usize| {
            most.is_none_or(|most| calls < most)
                .then(|| calls.saturating_add(1))
        };
        self.calls
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            .is_ok()
    }

    /// Tokens of model calls that a tool has made.
    pub(crate) fn add_usage(&self, usage: Usage) {
        *lock(&self.usage) += usage;
    }

    /// Those tokens, once.
    pub(super) fn take_usage(&self) -> Usage {
        std::mem::take(&mut *lock(&self.usage))
    }
}

#[cfg(test)]
mod tests {
    use super::Spent;

    #[test]
    fn no_more_calls_are_taken_than_allowed() {
        let spent = Spent::default();
        spent.add_calls(1);
        assert!(spent.take_call(Some(3)) && spent.take_call(Some(3)));
        assert!(!spent.take_call(Some(3)));
        assert_eq!(spent.calls(), 3);
        assert!(spent.take_call(None));
    }
}
