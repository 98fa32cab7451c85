//! The index and its search.

use super::build::Collector;
use super::document::Document;
use super::names::Names;
use super::options::{Scoring, Weights, at_least_zero};
use super::order::Order;
use super::scratch::Scratch;
use super::term::Term;
use super::tokenize::LanguageSet;
use super::top::{self, Filter};
use super::vocabulary::Vocabulary;

/// A document that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// Which document: its place, from 0, in the order in which the index was given them.
    pub position: usize,
    /// How well it fits. Comparable within the answer to one query only; always above 0.
    pub score: f32,
}

impl Hit {
    /// A hit, for rankers of your own.
    pub fn new(position: usize, score: f32) -> Self {
        Self { position, score }
    }
}

/// An immutable search index over tools or skills.
///
/// Words are compared by their stems, without regard to case and accents, in every script;
/// `camelCase` and `snake_case` names are taken apart; and documents are ranked by BM25F: a rare
/// word counts more than a frequent one, and a word in the name more than one in a parameter's
/// description. A query that is a document's name, however its parts are joined, finds that
/// document first. A word that the catalog does not hold is taken for the beginning of one, or for
/// one with a single mistyped letter.
///
/// The order of an answer is by score and then by position, and the same in every process.
///
/// ```
/// use repertoire::search::{Document, Index};
///
/// let index = Index::new([
///     Document::new("warehouse_stock").description("Look up available stock by product SKU."),
///     Document::new("getShippingQuote").description("Estimate the cost of a delivery."),
/// ]);
/// let hits = index.search("how much is shipping?", 5);
/// assert_eq!(hits.len(), 1);
/// assert_eq!(hits[0].position, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    /// Every known spelling; its label is a [`Word`].
    pub(super) words: Vocabulary,
    /// For each spelling its term.
    pub(super) table: Vec<Word>,
    /// For each term its stem.
    pub(super) stems: Vocabulary,
    pub(super) languages: LanguageSet,
    /// Spellings sorted from their beginning; from their end; by first letter and from their end.
    pub(super) by_start: Order,
    pub(super) by_end: Order,
    pub(super) by_ends: Order,
    pub(super) terms: Vec<Term>,
    pub(super) postings: Vec<Posting>,
    /// For each posting, the fields that hold the term, one bit each.
    pub(super) fields: Vec<u8>,
    pub(super) names: Names,
    pub(super) documents: usize,
    pub(super) min_score: f32,
}

/// One document that holds a term, and what it gains for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Posting {
    pub(super) document: u32,
    pub(super) impact: f32,
}

/// The term of a spelling and two properties of it, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u32);

impl Word {
    const STOP: u32 = 1 << 31;
    const SOLID: u32 = 1 << 30;

    pub(super) fn new(term: u32, stop: bool, solid: bool) -> Self {
        let stop = if stop { Self::STOP } else { 0 };
        let solid = if solid { Self::SOLID } else { 0 };
        Self(term & !(Self::STOP | Self::SOLID) | stop | solid)
    }

    /// As a label of a [`Vocabulary`].
    pub(super) fn to_bits(self) -> u32 {
        self.0
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) fn term(self) -> u32 {
        self.0 & !(Self::STOP | Self::SOLID)
    }

    /// Whether it says how something is asked.
    pub(super) fn is_stop(self) -> bool {
        self.0 & Self::STOP != 0
    }

    /// Whether some text has it as one word. A compound that has not (`sendMail`) is known by its
    /// parts already.
    pub(super) fn is_solid(self) -> bool {
        self.0 & Self::SOLID != 0
    }
}

impl Index {
    /// An index with default weights; see [`Index::builder`] for others.
    pub fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        Self::builder().build(documents)
    }

    /// Sets weights and constants before building.
    pub fn builder() -> IndexBuilder {
        IndexBuilder::default()
    }

    /// How many documents the index holds.
    pub fn len(&self) -> usize {
        self.documents
    }

    /// Whether the index holds no document.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// The best `limit` documents for a query, the best first. Empty where nothing fits.
    ///
    /// Allocates nothing but the answer, as long as the words of the query are known to the
    /// catalog.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit> {
        self.answer(query, limit, None)
    }

    /// The same as [`search`](Self::search), among the documents whose position `keep` accepts.
    pub fn search_where(
        &self,
        query: &str,
        limit: usize,
        keep: impl Fn(usize) -> bool,
    ) -> Vec<Hit> {
        self.answer(query, limit, Some(&keep))
    }

    pub(super) fn answer(&self, query: &str, limit: usize, keep: Filter<'_>) -> Vec<Hit> {
        if limit == 0 || self.documents == 0 {
            return Vec::new();
        }
        Scratch::with(|scratch| {
            self.analyze(query, scratch);
            top::select(self, scratch, limit, keep);
            self.put_named_first(query, scratch, limit, keep);
            scratch.hits.as_slice().to_vec()
        })
    }

    /// A term; one without documents for a number that no term has.
    pub(super) fn term(&self, term: u32) -> &Term {
        self.terms.get(term as usize).unwrap_or(&Term::NONE)
    }

    /// The postings of a term.
    pub(super) fn postings(&self, term: u32) -> &[Posting] {
        let term = self.term(term);
        let start = term.start as usize;
        self.postings
            .get(start..start + term.count as usize)
            .unwrap_or(&[])
    }

    /// The most that a term of a query can add to a score.
    pub(super) fn most(&self, term: &QueryTerm) -> f32 {
        self.term(term.term).best * term.weight
    }

    /// The most that terms can add to a score together.
    pub(super) fn most_of(&self, terms: &[QueryTerm]) -> f32 {
        terms.iter().map(|term| self.most(term)).sum()
    }

    /// Moves the documents that the query names to the front of `scratch.hits`, in the order of
    /// their scores.
    fn put_named_first(&self, query: &str, scratch: &mut Scratch, limit: usize, keep: Filter<'_>) {
        self.find_named(query, scratch);
        let Scratch {
            named, hits, terms, ..
        } = scratch;
        named.retain(|position| keep.is_none_or(|keep| keep(*position as usize)));
        if named.is_empty() {
            return;
        }
        let above = hits
            .first()
            .map_or(0.0, |hit| hit.score)
            .max(self.min_score)
            + 1.0;
        // `named` is sorted.
        hits.retain(|hit| named.binary_search(&(hit.position as u32)).is_err());
        let start = hits.len();
        hits.extend(
            named.iter().map(|position| {
                Hit::new(*position as usize, above + self.score_of(*position, terms))
            }),
        );
        if let [_, _, ..] = named.as_slice() {
            let named = &mut hits[start..];
            let most = named.iter().map(|hit| hit.score).fold(0.0, f32::max);
            for hit in named {
                if self.names.is_written(query, hit.position as u32) {
                    hit.score += most;
                }
            }
        }
        hits.sort_unstable_by(by_rank);
        hits.truncate(limit);
    }

    pub(super) fn named(&self, query: &str) -> Vec<usize> {
        Scratch::with(|scratch| {
            self.find_named(query, scratch);
            let named = &mut scratch.named;
            let written = |position: &u32| self.names.is_written(query, *position);
            if named.iter().any(written) {
                named.retain(written);
            }
            named.iter().map(|position| *position as usize).collect()
        })
    }

    /// Collects the documents whose name the query is, or else contains as an identifier.
    pub(super) fn find_named(&self, query: &str, scratch: &mut Scratch) {
        let Scratch { named, key, .. } = scratch;
        named.clear();
        named.extend_from_slice(self.names.find(query, key));
        if named.is_empty() {
            for word in super::names::identifiers(query) {
                named.extend_from_slice(self.names.find(word, key));
            }
            named.sort_unstable();
            named.dedup();
        }
    }

    /// The score of one document, added up in the order of [`top::select`].
    pub(super) fn score_of(&self, document: u32, terms: &[QueryTerm]) -> f32 {
        let mut score = 0.0;
        for term in terms {
            if let Some((_, impact)) = self.posting(term.term, document) {
                score += impact * term.weight;
            }
        }
        score
    }

    /// Where the posting of a term and a document is, and its impact.
    pub(super) fn posting(&self, term: u32, document: u32) -> Option<(usize, f32)> {
        let postings = self.postings(term);
        let at = postings
            .binary_search_by_key(&document, |posting| posting.document)
            .ok()?;
        let start = self.term(term).start as usize;
        Some((start + at, postings[at].impact))
    }
}

/// The best first; of equals, the one that comes first in the catalog.
pub(super) fn by_rank(a: &Hit, b: &Hit) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then(a.position.cmp(&b.position))
}

/// A term of a query, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QueryTerm {
    pub(super) term: u32,
    pub(super) weight: f32,
    /// Whether the word may as well mean something else.
    pub(super) guess: bool,
}

/// What a document that holds a word of the query is moved up by, above all that hold guesses only:
/// the most that these can have. Nothing where the query holds no guess, or nothing else; `terms`
/// are in order, the guesses last.
pub(super) fn lift(index: &Index, terms: &[QueryTerm]) -> f32 {
    match terms.first() {
        Some(first) if !first.guess => {
            let guesses = terms.iter().rev().take_while(|term| term.guess);
            guesses.map(|term| index.most(term)).sum()
        }
        _ => 0.0,
    }
}

/// Sets the weights and constants of an [`Index`]. They are fixed when it is built.
///
/// ```
/// use repertoire::search::{Document, Index, Weights};
///
/// let index = Index::builder()
///     .weights(Weights::new().name(6.0))
///     .k1(1.2)
///     .build([Document::new("read_mail")]);
/// assert_eq!(index.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct IndexBuilder {
    scoring: Scoring,
}

impl IndexBuilder {
    /// How much a word counts in each field.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.scoring.weights = weights;
        self
    }

    /// How soon further mentions of a word stop counting (default 2.5; 0: the first says all).
    /// Negative and undefined values count as 0.
    #[must_use]
    pub fn k1(mut self, k1: f32) -> Self {
        self.scoring.k1 = at_least_zero(k1);
        self
    }

    /// How much a long field is held against a document, from 0 (not at all) to 1 (default 0.75).
    /// Other values are moved into that range.
    #[must_use]
    pub fn b(mut self, b: f32) -> Self {
        self.scoring.b = [at_least_zero(b).min(1.0); super::document::FIELDS];
        self
    }

    /// Leaves out hits whose score is not above this (default 0).
    #[must_use]
    pub fn min_score(mut self, score: f32) -> Self {
        self.scoring.min_score = at_least_zero(score);
        self
    }

    /// Reads the documents and builds the index.
    pub fn build(self, documents: impl IntoIterator<Item = Document>) -> Index {
        let mut collector = Collector::default();
        for document in documents {
            collector.add(&document);
        }
        collector.finish(&self.scoring)
    }
}
