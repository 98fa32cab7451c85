//! Tests of the search as a whole.

mod languages;
mod likeness;
mod ranking;
mod reference;
mod reports;
mod robust;
mod shared;

use super::{Document, Index};

/// An index over tools with a name and a description each.
fn index(tools: &[(&str, &str)]) -> Index {
    Index::new(
        tools
            .iter()
            .map(|(name, description)| Document::new(*name).description(description)),
    )
}

/// The positions that a query finds, the best first.
fn found(index: &Index, query: &str) -> Vec<usize> {
    index
        .search(query, 10)
        .iter()
        .map(|hit| hit.position)
        .collect()
}
