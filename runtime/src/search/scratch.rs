//! Buffers that a thread keeps from one search to the next.

use std::cell::Cell;

use super::best::Best;
use super::index::{Hit, QueryTerm};
use super::tokenize::Scanner;

/// What a search needs and the next one needs again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) scanner: Scanner,
    /// The terms that count, in the order in which impacts are added up.
    pub(super) terms: Vec<QueryTerm>,
    /// Terms of stop words, used when there is nothing else.
    pub(super) stops: Vec<QueryTerm>,
    /// A score for each document; all zero between searches.
    pub(super) scores: Vec<f32>,
    /// The documents whose score is not zero, while they are few.
    pub(super) touched: Vec<u32>,
    pub(super) bars: Vec<f32>,
    pub(super) best: Best,
    /// The answer, on the way.
    pub(super) hits: Vec<Hit>,
    pub(super) named: Vec<u32>,
    pub(super) key: String,
    pub(super) pair: String,
    pub(super) stem: String,
    pub(super) candidates: Vec<u32>,
}

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

impl Scratch {
    /// Lends the buffers of this thread to `search`. A search within a search, and one while the
    /// thread ends, gets new ones.
    pub(super) fn with<T>(search: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = KEPT.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let result = search(&mut scratch);
        // An error means that the thread ends, and the buffers with it.
        let _ = KEPT.try_with(|kept| kept.set(Some(scratch)));
        result
    }
}
