//! A memory of calls that ends with the process.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{Begun, OnceError, OnceStore};
use crate::{maybe_send::BoxFuture, tool::ToolOutput};

/// A memory that ends with the process and holds a limited number of calls.
///
/// When it is full, the oldest finished call is forgotten; a call without a result never is, until
/// its time is over.
#[derive(Debug)]
pub struct MemoryOnce {
    calls: Mutex<Calls>,
    limit: usize,
}

#[derive(Debug, Default)]
struct Calls {
    known: HashMap<String, Known>,
    /// Finished calls, oldest first, each with the number under which it was begun. A call that was
    /// begun again since has another number.
    finished: VecDeque<(String, u64)>,
    /// How many calls were begun.
    begun: u64,
    /// Calls since what is out of date was last cleared away.
    since_cleared: usize,
}

#[derive(Debug)]
struct Known {
    number: u64,
    keep_until_millis: u64,
    output: Option<ToolOutput>,
}

impl MemoryOnce {
    /// A memory of 10,000 calls.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(10_000)
    }

    /// A memory of so many finished calls, at least 1.
    #[must_use]
    pub fn with_limit(calls: usize) -> Self {
        Self {
            calls: Mutex::default(),
            limit: calls.max(1),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calls {
    fn begin(&mut self, key: &str, now_millis: u64, keep_until_millis: u64) -> Begun {
        self.clear(now_millis);
        let current = self.known.get(key);
        match current.filter(|known| known.keep_until_millis > now_millis) {
            Some(known) => match &known.output {
                Some(output) => Begun::Done(output.clone()),
                None => Begun::Unfinished,
            },
            None => {
                self.begun += 1;
                let intent = Known {
                    number: self.begun,
                    keep_until_millis,
                    output: None,
                };
                self.known.insert(key.to_owned(), intent);
                Begun::New
            }
        }
    }

    fn finish(&mut self, key: &str, output: &ToolOutput, limit: usize) {
        let Some(known) = self.known.get_mut(key) else {
            return;
        };
        known.output = Some(output.clone());
        self.finished.push_back((key.to_owned(), known.number));
        while self.finished.len() > limit {
            if let Some((oldest, number)) = self.finished.pop_front()
                && self.is_current(&oldest, number)
            {
                self.known.remove(&oldest);
            }
        }
    }

    /// Whether a finished call has not been forgotten and begun again since.
    fn is_current(&self, key: &str, number: u64) -> bool {
        let known = self.known.get(key);
        known.is_some_and(|known| known.number == number)
    }

    /// Clears away what is out of date, from time to time: looking at all calls at each would make
    /// many calls slow.
    fn clear(&mut self, now_millis: u64) {
        self.since_cleared += 1;
        if self.since_cleared > self.known.len() / 2 {
            self.since_cleared = 0;
            self.known
                .retain(|_, known| known.keep_until_millis > now_millis);
            let mut finished = std::mem::take(&mut self.finished);
            finished.retain(|(key, number)| self.is_current(key, *number));
            self.finished = finished;
        }
    }
}

impl Default for MemoryOnce {
    fn default() -> Self {
        Self::new()
    }
}

impl OnceStore for MemoryOnce {
    fn begin<'a>(
        &'a self,
        key: &'a str,
        now_millis: u64,
        keep_until_millis: u64,
    ) -> BoxFuture<'a, Result<Begun, OnceError>> {
        let begun = self.lock().begin(key, now_millis, keep_until_millis);
        Box::pin(std::future::ready(Ok(begun)))
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a ToolOutput,
    ) -> BoxFuture<'a, Result<(), OnceError>> {
        self.lock().finish(key, output, self.limit);
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), OnceError>> {
        self.lock().known.remove(key);
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Begun, Calls};

    /// A call that was begun again after its time must not fall to the bound under its old entry.
    #[test]
    fn a_call_begun_again_is_no_old_one() {
        let mut calls = Calls::default();
        let output = "x".into();
        for key in ["other", "third", "fourth", "again"] {
            assert_eq!(calls.begin(key, 0, 100), Begun::New);
        }
        calls.finish("again", &output, 1);
        assert_eq!(calls.begin("other", 0, 100), Begun::Unfinished);
        // Its time is over, and it is begun again while its old entry is still listed.
        calls.since_cleared = 0;
        assert_eq!(calls.begin("again", 100, 200), Begun::New);
        assert_eq!(calls.finished.len(), 1);
        calls.finish("third", &output, 1);
        assert_eq!(
            calls.begin("again", 100, 200),
            Begun::Unfinished,
            "an intent is never forgotten to make room"
        );
    }
}
