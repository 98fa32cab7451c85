//! What a run has used, counted for the calls within calls too.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::{Inner, Limits, Stop};
use crate::{clock::Clock, context::lock, conversation::Usage};

/// What a run has used and may use. A run within a call of another run uses that one's share too.
#[derive(Default)]
pub(crate) struct Spent {
    calls: AtomicUsize,
    /// Tokens in all.
    tokens: AtomicU64,
    /// Of these, what tools have used and the run has not taken over yet.
    usage: Mutex<Usage>,
    limits: Limits,
    clock: Option<Arc<dyn Clock>>,
    started: Option<Duration>,
    outer: Option<Arc<Spent>>,
}

impl Spent {
    /// Nothing yet, of what an agent's run may use.
    pub(super) fn of(agent: &Inner, outer: Option<&Arc<Self>>) -> Arc<Self> {
        Arc::new(Self {
            limits: agent.limits,
            started: agent.clock.as_ref().map(|clock| clock.now()),
            clock: agent.clock.clone(),
            outer: outer.cloned(),
            ..Self::default()
        })
    }

    /// The limit that was reached, this run's or that of one around it.
    pub(super) fn limit(&self) -> Option<Stop> {
        let limits = &self.limits;
        let reached = |most: Option<u64>, used: u64| most.is_some_and(|most| used >= most);
        let passed = || {
            let now = self.clock.as_ref()?.now();
            Some(now.saturating_sub(self.started?))
        };
        if reached(limits.tokens, self.tokens.load(Ordering::Relaxed)) {
            return Some(Stop::TokenLimit);
        }
        if limits.calls.is_some_and(|most| self.calls() >= most) {
            return Some(Stop::CallLimit);
        }
        if let Some(most) = limits.time
            && passed().is_some_and(|passed| passed >= most)
        {
            return Some(Stop::TimeLimit);
        }
        self.outer.as_ref()?.limit()
    }

    /// How many tools were called, by the model or by other tools.
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    pub(super) fn add_calls(&self, calls: usize) {
        self.calls.fetch_add(calls, Ordering::Relaxed);
        if let Some(outer) = &self.outer {
            outer.add_calls(calls);
        }
    }

    /// Takes one more call, unless there would be more than allowed.
    pub(super) fn take_call(&self) -> bool {
        let next = |calls: usize| {
            let most = self.limits.calls;
            most.is_none_or(|most| calls < most)
                .then(|| calls.saturating_add(1))
        };
        let taken = self
            .calls
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        if taken.is_err() {
            return false;
        }
        let allowed = self.outer.as_ref().is_none_or(|outer| outer.take_call());
        if !allowed {
            // It does not take place, so it is none of this run's either.
            self.calls.fetch_sub(1, Ordering::Relaxed);
        }
        allowed
    }

    /// Tokens of a response that the run itself asked for.
    pub(super) fn responded(&self, usage: Usage) {
        // A provider can say any number, and a sum that begins anew would lift the limit.
        let sum = |tokens: u64| Some(tokens.saturating_add(usage.total()));
        let _ = self
            .tokens
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        if let Some(outer) = &self.outer {
            outer.add_usage(usage);
        }
    }

    /// Tokens of model calls that a tool has made.
    pub(crate) fn add_usage(&self, usage: Usage) {
        *lock(&self.usage) += usage;
        self.responded(usage);
    }

    /// Those tokens, once.
    pub(super) fn take_usage(&self) -> Usage {
        std::mem::take(&mut *lock(&self.usage))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Limits, Spent, Stop, Usage};

    fn limited(calls: usize, outer: Option<&Arc<Spent>>) -> Arc<Spent> {
        Arc::new(Spent {
            limits: Limits::new().calls(calls).tokens(10),
            outer: outer.cloned(),
            ..Spent::default()
        })
    }

    #[test]
    fn no_more_calls_are_taken_than_allowed() {
        let spent = limited(3, None);
        spent.add_calls(1);
        assert!(spent.take_call() && spent.take_call());
        assert_eq!(spent.limit(), Some(Stop::CallLimit));
        assert!(!spent.take_call());
        assert_eq!(spent.calls(), 3);
        assert!(Spent::default().take_call());
    }

    #[test]
    fn what_is_used_within_is_used_outside_too() {
        let outer = limited(3, None);
        let inner = limited(9, Some(&outer));
        inner.add_calls(2);
        assert!(inner.take_call() && !inner.take_call());
        assert_eq!(inner.limit(), Some(Stop::CallLimit), "the outer one's");
        assert_eq!((inner.calls(), outer.calls()), (3, 3), "none too many");

        let outer = limited(9, None);
        let inner = limited(9, Some(&outer));
        let usage = |input_tokens| Usage {
            input_tokens,
            ..Usage::default()
        };
        inner.responded(usage(4));
        inner.add_usage(usage(3));
        outer.responded(usage(2));
        assert_eq!((inner.limit(), outer.limit()), (None, None));
        assert_eq!(inner.take_usage().total(), 3);
        assert_eq!(outer.take_usage().total(), 7);
        assert_eq!(outer.take_usage().total(), 0);
        outer.responded(usage(1));
        assert_eq!(inner.limit(), Some(Stop::TokenLimit));
        outer.responded(usage(u64::MAX));
        assert_eq!(inner.limit(), Some(Stop::TokenLimit), "no sum begins anew");
    }
}
