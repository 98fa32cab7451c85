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
    /// Finished calls, oldest first.
    finished: VecDeque<String>,
    /// Calls since what is out of date was last cleared away.
    since_cleared: usize,
}

#[derive(Debug)]
struct Known {
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
    /// Clears away what is out of date, from time to time: looking at all calls at each would make
    /// many calls slow.
    fn clear(&mut self, now_millis: u64) {
        self.since_cleared += 1;
        if self.since_cleared > self.known.len() / 2 {
            self.since_cleared = 0;
            self.known
                .retain(|_, known| known.keep_until_millis > now_millis);
            let known = &self.known;
            self.finished.retain(|key| known.contains_key(key));
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
        let mut calls = self.lock();
        calls.clear(now_millis);
        let current = calls.known.get(key);
        let begun = match current.filter(|known| known.keep_until_millis > now_millis) {
            Some(Known {
                output: Some(output),
                ..
            }) => Begun::Done(output.clone()),
            Some(_) => Begun::Unfinished,
            None => {
                let intent = Known {
                    keep_until_millis,
                    output: None,
                };
                calls.known.insert(key.to_owned(), intent);
                Begun::New
            }
        };
        Box::pin(std::future::ready(Ok(begun)))
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a ToolOutput,
    ) -> BoxFuture<'a, Result<(), OnceError>> {
        let mut calls = self.lock();
        if let Some(known) = calls.known.get_mut(key) {
            known.output = Some(output.clone());
            calls.finished.push_back(key.to_owned());
            while calls.finished.len() > self.limit {
                if let Some(oldest) = calls.finished.pop_front() {
                    calls.known.remove(&oldest);
                }
            }
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), OnceError>> {
        self.lock().known.remove(key);
        Box::pin(std::future::ready(Ok(())))
    }
}
