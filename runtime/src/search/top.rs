//! Adds up the impacts of a query's terms and selects the best documents.
//!
//! Terms come in the order of the most that they can add to a score. At some point, documents that
//! hold none of the terms so far cannot catch up any more; from there on only the documents that
//! still can win are looked up, instead of reading all postings of the frequent words. What it
//! takes to win is known before the first posting is read: as much as the fifth or tenth best
//! document gains from one term alone.

use super::best::Best;
use super::index::{Index, QueryTerm, lift};
use super::scratch::Scratch;
use super::term::Reach;

/// How many scores are looked at together.
const BLOCK: usize = 64;
/// Scores of one document in so many are listed.
const LISTED: usize = 16;
/// Scores are rounded with every addition, so that a bound may only be trusted this much beyond.
const SLACK: f32 = 1.001;

/// Says of a position whether it may be in the answer.
pub(super) type Filter<'a> = Option<&'a dyn Fn(usize) -> bool>;

/// Fills `scratch.hits` with the best `limit` documents above the index's minimum score, among those
/// that `keep` accepts, the best first.
///
/// For each document the impacts are added in the order of `scratch.terms`, so that a score is the
/// same to the last bit however it is computed.
pub(super) fn select(index: &Index, scratch: &mut Scratch, limit: usize, keep: Filter<'_>) {
    let Scratch {
        terms,
        scores,
        touched,
        bars,
        best,
        hits,
        ..
    } = scratch;
    if scores.len() < index.documents {
        scores.resize(index.documents, 0.0);
    }
    let mut race = Race {
        index,
        limit,
        keep,
        scores: &mut scores[..index.documents],
        touched,
        bars,
        listed: true,
        floor: 0.0,
    };
    hits.clear();
    let words = terms.iter().take_while(|term| !term.guess).count();
    if words == 0 || words == terms.len() {
        race.run(terms, terms.len(), best);
        best.finish(hits);
        return;
    }
    race.run(terms, words, best);
    best.finish(hits);
    let lift = lift(index, terms);
    hits.iter_mut().for_each(|hit| hit.score += lift);
    // What holds guesses only comes after all that holds a word as it was written.
    if hits.len() < limit {
        let (words, guesses) = terms.split_at(words);
        let holds = |position: usize| {
            let held = |term: &QueryTerm| index.posting(term.term, position as u32).is_some();
            words.iter().any(held)
        };
        let rest = |position: usize| keep.is_none_or(|keep| keep(position)) && !holds(position);
        race.limit = limit - hits.len();
        let mut race = Race {
            keep: Some(&rest),
            ..race
        };
        race.run(guesses, guesses.len(), best);
        best.finish(hits);
    }
}

/// Scores in the making.
struct Race<'a> {
    index: &'a Index,
    limit: usize,
    keep: Filter<'a>,
    /// A score for each document.
    scores: &'a mut [f32],
    /// The documents with a score, while they are `listed`.
    touched: &'a mut Vec<u32>,
    bars: &'a mut Vec<f32>,
    listed: bool,
    /// A score that as many documents have as are wanted; 0 where none is known.
    floor: f32,
}

impl Race<'_> {
    /// Fills `best` with the best. Terms from number `words` on count for documents alone that hold
    /// one of those before.
    fn run(&mut self, terms: &[QueryTerm], words: usize, best: &mut Best) {
        let index = self.index;
        self.floor = self.sure(&terms[..words.min(terms.len())]);
        if let [term] = terms {
            best.start(self.limit, self.needed());
            for posting in index.postings(term.term) {
                self.consider(posting.document, posting.impact * term.weight, best);
            }
            return;
        }
        self.touched.clear();
        self.listed = true;
        let mut left: usize = terms
            .iter()
            .map(|term| index.postings(term.term).len())
            .sum();
        let mut rest = index.most_of(terms);
        // What the rest must be below for a decision to be near.
        let mut hope = rest / 2.0;
        let mut undecided = terms;
        while let Some((term, later)) = undecided.split_first() {
            if rest < hope && self.is_worth_a_look(left) {
                // Summed up anew: what is taken away one by one gathers rounding errors.
                rest = index.most_of(undecided) * SLACK;
                let bar = self.bar();
                let needed = bar / SLACK - rest;
                if rest < bar && self.few_reach(needed, left) {
                    #[cfg(test)]
                    tests::DECIDED_EARLY.with(|count| count.set(count.get() + 1));
                    self.drop_losers(needed);
                    undecided.iter().for_each(|term| self.add_to_listed(term));
                    break;
                }
                hope = (bar * 1.25).min(rest * 0.8);
            }
            let added = terms.len() - undecided.len();
            if added >= words {
                if self.listed {
                    self.add_to_listed(term);
                } else {
                    self.add_to_scored(term);
                }
            } else if added == 0 {
                self.add_first(term);
            } else if rest < self.floor && index.most_of(undecided) * SLACK < self.floor {
                // Whoever has no score so far cannot win any more.
                self.add_to_scored(term);
            } else {
                self.add(term);
            }
            left -= index.postings(term.term).len();
            rest -= index.most(term);
            undecided = later;
        }
        self.finish(best);
    }

    /// A score that as many documents are sure to have as are wanted: what they gain from one term
    /// alone. Unknown, and 0, where not all documents may be in the answer.
    fn sure(&self, terms: &[QueryTerm]) -> f32 {
        let (None, Some(reach)) = (self.keep, Reach::of(self.limit)) else {
            return 0.0;
        };
        let sure = |term: &QueryTerm| self.index.term(term.term).reach(reach) * term.weight;
        terms.iter().map(sure).fold(0.0, f32::max)
    }

    /// The lowest score that may be in the answer.
    fn needed(&self) -> f32 {
        self.floor.max(self.index.min_score.next_up())
    }

    /// Takes a document into the best, if it may be in the answer.
    fn consider(&self, document: u32, score: f32, best: &mut Best) {
        if score >= best.bar() && keeps(self.keep, document) {
            best.offer(document, score);
        }
    }

    /// Adds a term to all documents that hold it, none of which has a score yet.
    fn add_first(&mut self, term: &QueryTerm) {
        let postings = self.index.postings(term.term);
        self.listed = postings.len() <= self.scores.len() / LISTED;
        if self.listed {
            self.touched
                .extend(postings.iter().map(|posting| posting.document));
        }
        for posting in postings {
            if let Some(score) = self.scores.get_mut(posting.document as usize) {
                *score = posting.impact * term.weight;
            }
        }
    }

    /// Adds a term to all documents that hold it.
    fn add(&mut self, term: &QueryTerm) {
        let postings = self.index.postings(term.term);
        // Listing the documents that have a score pays only while they are few.
        self.listed &= self.touched.len() + postings.len() <= self.scores.len() / LISTED;
        let Self {
            scores, touched, ..
        } = self;
        if !self.listed {
            for posting in postings {
                if let Some(score) = scores.get_mut(posting.document as usize) {
                    *score += posting.impact * term.weight;
                }
            }
            return;
        }
        // Written behind the last, and kept if it is new: nothing to guess for the processor.
        let mut count = touched.len();
        touched.resize(count + postings.len(), 0);
        for posting in postings {
            if let Some(score) = scores.get_mut(posting.document as usize)
                && let Some(slot) = touched.get_mut(count)
            {
                *slot = posting.document;
                count += usize::from(*score == 0.0);
                *score += posting.impact * term.weight;
            }
        }
        touched.truncate(count);
    }

    /// Whether finding out the bar may cost less than adding `left` more postings.
    fn is_worth_a_look(&self, left: usize) -> bool {
        self.listed && self.touched.len() >= self.limit && left > 2 * self.touched.len() + 256
    }

    /// The score that the last of as many listed documents as are wanted has; 0 for too few.
    fn bar(&mut self) -> f32 {
        let Self {
            limit,
            keep,
            scores,
            touched,
            bars,
            ..
        } = self;
        bars.clear();
        let kept = touched.iter().filter(|document| keeps(*keep, **document));
        bars.extend(kept.filter_map(|document| scores.get(*document as usize)));
        match limit.checked_sub(1) {
            Some(last) if last < bars.len() => {
                *bars.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1
            }
            _ => 0.0,
        }
    }

    /// Whether it costs less to look up the documents with a score of `needed` than to add `left`
    /// postings; after [`bar`](Self::bar).
    fn few_reach(&self, needed: f32, left: usize) -> bool {
        let reach = self.bars.iter().filter(|score| **score >= needed).count();
        reach.saturating_mul(8) < left
    }

    /// Forgets the documents below a score that they need to have by now.
    fn drop_losers(&mut self, needed: f32) {
        let Self {
            keep,
            scores,
            touched,
            ..
        } = self;
        touched.retain(|document| {
            let Some(score) = scores.get_mut(*document as usize) else {
                return false;
            };
            let stays = *score >= needed && keeps(*keep, *document);
            if !stays {
                *score = 0.0;
            }
            stays
        });
    }

    /// Adds a term to the listed documents.
    fn add_to_listed(&mut self, term: &QueryTerm) {
        let Self {
            index,
            scores,
            touched,
            ..
        } = self;
        let postings = index.postings(term.term);
        // A look-up takes about as many steps as the length has bits.
        let steps = touched.len() * (usize::BITS - postings.len().leading_zeros()) as usize;
        if steps < postings.len() {
            for document in touched.iter() {
                if let Ok(at) = postings.binary_search_by_key(document, |posting| posting.document)
                    && let Some(score) = scores.get_mut(*document as usize)
                {
                    *score += postings[at].impact * term.weight;
                }
            }
            return;
        }
        self.add_to_scored(term);
    }

    /// Adds a term to the documents that have a score.
    fn add_to_scored(&mut self, term: &QueryTerm) {
        for posting in self.index.postings(term.term) {
            if let Some(score) = self.scores.get_mut(posting.document as usize) {
                let gain = posting.impact * term.weight;
                *score += if *score > 0.0 { gain } else { 0.0 };
            }
        }
    }

    /// Fills `best` and sets all scores back to zero.
    fn finish(&mut self, best: &mut Best) {
        best.start(self.limit, self.needed());
        if self.listed {
            for document in self.touched.iter() {
                if let Some(score) = self.scores.get_mut(*document as usize) {
                    let score = std::mem::take(score);
                    self.consider(*document, score, best);
                }
            }
            return;
        }
        // The best of a block is one document at least, so that the answer is above the lowest of
        // as many blocks as are wanted.
        self.bars.clear();
        self.bars.extend(self.scores.chunks(BLOCK).map(highest));
        let bars = &mut self.bars;
        let bar = match self.limit.checked_sub(1) {
            Some(last) if last < bars.len() && self.keep.is_none() => {
                *bars.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1
            }
            _ => 0.0,
        };
        best.start(self.limit, self.needed().max(bar));
        for (block, scores) in self.scores.chunks(BLOCK).enumerate() {
            if highest(scores) >= best.bar() {
                let first = (block * BLOCK) as u32;
                for (document, score) in (first..).zip(scores) {
                    self.consider(document, *score, best);
                }
            }
        }
        self.scores.fill(0.0);
    }
}

fn keeps(keep: Filter<'_>, document: u32) -> bool {
    keep.is_none_or(|keep| keep(document as usize))
}

/// The highest of a block of scores, in lanes that the compiler turns into vector instructions.
fn highest(scores: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut lanes = [0f32; LANES];
    let (chunks, rest) = scores.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, score) in lanes.iter_mut().zip(chunk) {
            *lane = if *score > *lane { *score } else { *lane };
        }
    }
    rest.iter().chain(&lanes).copied().fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::document::Document;
    use super::super::index::Hit;
    use super::*;

    thread_local! {
        /// How often frequent words were skipped.
        pub(super) static DECIDED_EARLY: Cell<usize> = const { Cell::new(0) };
    }

    /// 3,000 documents of words whose frequency falls with their number.
    fn index() -> Index {
        let mut number = 5u64;
        let mut random = move || {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (number >> 40) as f64 / f64::from(1 << 24)
        };
        let mut word = move || format!("w{}", letters((600.0 * random().powi(3)) as u32));
        Index::new((0..3_000).map(|_| {
            let name = format!("{} {}", word(), word());
            let text: Vec<String> = (0..12).map(|_| word()).collect();
            Document::new(name).description(text.join(" "))
        }))
    }

    /// A number as letters that no stemmer touches.
    fn letters(number: u32) -> String {
        let digits = number.to_string();
        digits
            .bytes()
            .map(|digit| char::from(b'k' + digit - b'0'))
            .collect()
    }

    #[test]
    fn skipping_frequent_words_changes_nothing() {
        let index = index();
        let before = DECIDED_EARLY.with(Cell::get);
        for rare in [90, 200, 300, 400, 500, 590] {
            for frequent in 0..4 {
                let words =
                    [rare, frequent, rare + 3, frequent + 5].map(|n| format!("w{}", letters(n)));
                let query = words.join(" 0 ");
                let all = index.search(&query, usize::MAX);
                for limit in [1, 2, 5, 10, 40] {
                    let expected = &all[..limit.min(all.len())];
                    assert_eq!(index.search(&query, limit), expected, "{query}, {limit}");
                    let odd: Vec<Hit> = all
                        .iter()
                        .copied()
                        .filter(|hit| hit.position % 2 == 1)
                        .take(limit)
                        .collect();
                    let kept = index.search_where(&query, limit, |position| position % 2 == 1);
                    assert_eq!(kept, odd, "{query}, {limit}");
                }
            }
        }
        let skipped = DECIDED_EARLY.with(Cell::get) - before;
        assert!(
            skipped > 30,
            "skipped {skipped} times only: the test shows nothing"
        );
    }
}
