//! Finds tools and skills by what they do.
//!
//! An [`Index`] is built once from [`Document`]s and never changes; share it in an `Arc`.

mod analyze;
mod build;
mod document;
mod index;
mod names;
mod options;
mod scratch;
mod tokenize;
mod top;
mod vocabulary;

pub use document::Document;
pub use index::{Hit, Index, IndexBuilder};
pub use options::Weights;
