//! Finds tools and skills by what they do.
//!
//! An [`Index`] is built once from [`Document`]s and never changes; share it in an `Arc`.

mod analyze;
mod build;
mod document;
mod explain;
mod guess;
mod index;
mod languages;
mod many;
mod matrix;
mod names;
mod options;
mod rank;
mod scratch;
#[cfg(test)]
mod tests;
mod tokenize;
mod top;
mod vocabulary;

pub use document::Document;
pub use explain::Explanation;
pub use index::{Hit, Index, IndexBuilder};
pub use options::Weights;
pub use rank::{Fusion, Ranker, RankerError};
