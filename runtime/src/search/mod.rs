//! Finds tools and skills by what they do.
//!
//! An [`Index`] is built once from [`Document`]s and never changes; share it in an `Arc`. It is
//! made for catalogs of ten to a hundred thousand entries, in memory, without any service.
//!
//! ```
//! use repertoire::search::{Document, Index};
//!
//! let index = Index::new([
//!     Document::new("warehouse_stock").description("Look up available stock by product SKU."),
//!     Document::new("create_invoice").description("Legt eine Rechnung für einen Kunden an."),
//!     Document::new("weather").description("查询指定城市的天气预报。"),
//! ]);
//! for (query, position) in [("stocks", 0), ("Rechnungen", 1), ("明天天气怎么样", 2), ("wether", 2)] {
//!     assert_eq!(index.search(query, 1)[0].position, position);
//! }
//! ```
//!
//! # What is found
//!
//! - Names are taken apart at separators, at the borders of `camelCase` and `HTTPServer`, and
//!   between letters and digits. A query that *is* a name, however joined, finds it first.
//! - Words meet in their regular forms: by Snowball stemmers for 25 languages, of which those that
//!   a catalog is written in are recognised by their function words; by a light stemmer of our own
//!   for Hebrew; without regard to case, accents and vowel points. Forms that change the word
//!   itself (`luz` and `luces`, the broken plurals of Arabic) and words of other languages meet as
//!   they are written, or by chance as mistyped ones.
//! - Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese are indexed by overlapping pieces.
//! - Words that say how something is asked (`please`, `help me`, `想`) are dropped from queries,
//!   unless nothing else is left.
//! - A word that the catalog does not hold is taken for the beginning or the end of one, for one
//!   with a single mistyped letter, or for two. A document that holds nothing but mistyped
//!   words, or in English the beginnings of words, comes after all that hold a word as it was
//!   written: a guess adds hits and takes nothing from others.
//!
//! # How it is ranked
//!
//! By BM25F over the fields of [`Document`], with the weights of [`Weights`], to which a little is
//! added for a word's being there at all, and for the share of a document's name that the query
//! holds. [`Index::explain`] shows the sum. Scores are comparable within one answer only.
//!
//! # What it cannot do
//!
//! It knows no synonyms and does not bridge languages: a query must be in the language of the
//! catalog. Simplified and traditional Chinese are different characters to it. A [`Ranker`] that
//! understands meaning, such as one made of embeddings, can be joined to it by [`Fusion`], and given
//! to an agent by [`ToolSearch::ranker`](crate::agent::ToolSearch::ranker).

mod analyze;
mod best;
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
mod order;
mod rank;
mod scratch;
mod term;
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
