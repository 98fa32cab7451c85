//! How much each field and each property of a match counts.

use super::document::FIELDS;

/// How much a word counts in each field of a [`Document`](super::Document), relative to the
/// description, which counts 1 by default.
///
/// Negative or undefined weights count as 0, and a field of weight 0 is not searched.
///
/// ```
/// use repertoire::search::Weights;
///
/// let weights = Weights::new().name(5.0).values(0.0);
/// assert_ne!(weights, Weights::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub(crate) fields: [f32; FIELDS],
}

impl Weights {
    /// The default weights.
    pub fn new() -> Self {
        Self {
            fields: [5.0, 1.0, 0.5, 0.6, 0.5],
        }
    }

    /// Weight of the name (default 5).
    #[must_use]
    pub fn name(self, weight: f32) -> Self {
        self.set(0, weight)
    }

    /// Weight of the description (default 1).
    #[must_use]
    pub fn description(self, weight: f32) -> Self {
        self.set(1, weight)
    }

    /// Weight of snippet, guidelines and tags (default 0.5).
    #[must_use]
    pub fn usage(self, weight: f32) -> Self {
        self.set(2, weight)
    }

    /// Weight of the names and descriptions of parameters (default 0.6).
    #[must_use]
    pub fn parameters(self, weight: f32) -> Self {
        self.set(3, weight)
    }

    /// Weight of the values that parameters accept (default 0.5).
    #[must_use]
    pub fn values(self, weight: f32) -> Self {
        self.set(4, weight)
    }

    fn set(mut self, field: usize, weight: f32) -> Self {
        self.fields[field] = at_least_zero(weight);
        self
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self::new()
    }
}

/// The formula and its constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scoring {
    pub(crate) weights: Weights,
    pub(crate) k1: f32,
    pub(crate) b: [f32; FIELDS],
    pub(crate) min_score: f32,
}

/// How strongly rare words count more than frequent ones: 1 as in plain BM25, 0 not at all.
const RARITY_POWER: f64 = 0.75;
/// What a word counts for being there at all, wherever that is, in relation to its frequency,
/// which counts up to `k1 + 1`. A document that holds more of the query wins over one that holds
/// less of it often.
const PRESENCE: f32 = 0.4;
/// What a document gains when the query holds every word of its name, for each unit of the name's
/// weight; each word earns its share.
const NAME_COVERAGE: f32 = 0.3;

impl Default for Scoring {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            k1: 2.5,
            b: [0.75; FIELDS],
            min_score: 0.0,
        }
    }
}

impl Scoring {
    /// The frequency of a term in a document: its counts in the fields, each in relation to the
    /// length of the field, weighted and added up.
    pub(crate) fn frequency(
        &self,
        counts: &[u16; FIELDS],
        lengths: &[u32; FIELDS],
        averages: &[f32; FIELDS],
    ) -> f32 {
        let mut sum = 0.0;
        for field in 0..FIELDS {
            if counts[field] > 0 {
                let length = lengths[field] as f32 / averages[field].max(f32::EPSILON);
                let norm = 1.0 - self.b[field] + self.b[field] * length;
                sum +=
                    self.weights.fields[field] * f32::from(counts[field]) / norm.max(f32::EPSILON);
            }
        }
        sum
    }

    /// What a term counts that `spread` of `documents` hold.
    pub(crate) fn rarity(&self, spread: usize, documents: usize) -> f32 {
        let (spread, documents) = (spread as f64, documents as f64);
        let idf = (1.0 + (documents - spread + 0.5) / (spread + 0.5)).ln();
        idf.powf(RARITY_POWER) as f32
    }

    /// What a document gains for a query that holds a term; `share` is the term's part in the
    /// document's name.
    pub(crate) fn impact(&self, rarity: f32, frequency: f32, share: f32) -> f32 {
        let saturation = frequency * (self.k1 + 1.0) / (frequency + self.k1);
        rarity * (saturation + PRESENCE) + NAME_COVERAGE * self.weights.fields[0] * share
    }
}

/// The number itself, or 0 for what cannot be a weight. Above a million there is no difference.
pub(crate) fn at_least_zero(number: f32) -> f32 {
    if number > 0.0 { number.min(1e6) } else { 0.0 }
}
