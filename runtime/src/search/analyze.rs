//! From a query to terms.

use super::index::{Index, QueryTerm, Word};
use super::scratch::Scratch;
use super::tokenize::fold::fold;
use super::tokenize::{Kind, Language, Script, grams, phrases, stop_languages};

/// How a word of a query came to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The catalog holds the word, or another form of it.
    Word,
    /// The catalog holds words that begin with it.
    Beginning,
    /// The catalog holds words that differ in one letter.
    Typo,
    /// The catalog holds the two words that it is made of.
    Parts,
}

impl Match {
    /// How much a match counts in relation to a word that is there.
    pub(super) fn weight(self) -> f32 {
        match self {
            Match::Word => 1.0,
            Match::Beginning | Match::Typo => 0.5,
            Match::Parts => 0.7,
        }
    }
}

/// How many unknown words of a query are looked for in other ways.
const MAX_UNKNOWN: usize = 64;
/// Shortest unknown word that is taken for the beginning of another, in characters.
const MIN_BEGINNING: usize = 3;
/// Shortest unknown word that is taken for a mistyped one, in characters.
const MIN_TYPO: usize = 4;
/// How many words an unknown one may stand for.
const MAX_MEANT: usize = 8;
/// How many words with the same beginning or end are compared.
const MAX_COMPARED: usize = 2048;

impl Index {
    /// Fills `scratch.terms` with the terms of the query, each once, those that may count most
    /// first.
    pub(super) fn analyze(&self, query: &str, scratch: &mut Scratch) {
        let mut terms = std::mem::take(&mut scratch.terms);
        let mut stops = std::mem::take(&mut scratch.stops);
        terms.clear();
        stops.clear();
        self.each_term(query, scratch, &mut |_, term, how, stop| {
            let list = if stop { &mut stops } else { &mut terms };
            list.push(QueryTerm {
                term,
                weight: how.weight(),
            });
        });
        if terms.is_empty() {
            std::mem::swap(&mut terms, &mut stops);
        }
        self.put_in_order(&mut terms);
        scratch.terms = terms;
        scratch.stops = stops;
    }

    /// Leaves each term once, with its highest weight, ordered by what it may count at most.
    pub(super) fn put_in_order(&self, terms: &mut Vec<QueryTerm>) {
        terms.sort_unstable_by(|a, b| a.term.cmp(&b.term).then(b.weight.total_cmp(&a.weight)));
        terms.dedup_by_key(|term| term.term);
        let most = |term: &QueryTerm| {
            self.best
                .get(term.term as usize)
                .map_or(0.0, |best| best * term.weight)
        };
        terms.sort_unstable_by(|a, b| most(b).total_cmp(&most(a)).then(a.term.cmp(&b.term)));
    }

    /// Calls `sink` with every word of the query, a term it stands for, how it came to it, and
    /// whether it is a stop word.
    pub(super) fn each_term(
        &self,
        query: &str,
        scratch: &mut Scratch,
        sink: &mut impl FnMut(&str, u32, Match, bool),
    ) {
        let Scratch {
            scanner,
            key,
            stem,
            candidates,
            ..
        } = scratch;
        let mut unknown = 0;
        scanner.scan(query, &mut |piece, kind| match kind {
            Kind::Word(script) => match self.word(piece) {
                Some(word) => sink(piece, word.term(), Match::Word, word.is_stop()),
                None if unknown < MAX_UNKNOWN && stop_languages(piece).is_empty() => {
                    unknown += 1;
                    self.unknown(piece, script, key, stem, candidates, sink);
                }
                None => {}
            },
            Kind::Number | Kind::Joined => {
                if let Some(word) = self.word(piece) {
                    sink(piece, word.term(), Match::Word, word.is_stop());
                }
            }
            Kind::Run(script) => self.run(piece, script, sink),
        });
    }

    fn run(&self, run: &str, script: Script, sink: &mut impl FnMut(&str, u32, Match, bool)) {
        let mut kept = false;
        phrases::mask(run, script, &mut |part| {
            grams(part, script, &mut |gram| {
                if let Some(word) = self.word(gram) {
                    kept |= !word.is_stop();
                    sink(gram, word.term(), Match::Word, word.is_stop());
                }
            });
        });
        if !kept {
            grams(run, script, &mut |gram| {
                if let Some(word) = self.word(gram) {
                    sink(gram, word.term(), Match::Word, true);
                }
            });
        }
    }

    fn word(&self, spelling: &str) -> Option<Word> {
        self.table.get(self.words.get(spelling)? as usize).copied()
    }

    /// Looks for what a word that the catalog does not hold may mean: another form of a known
    /// word, else the beginning of one, else one with a mistyped letter, else two words in one.
    fn unknown(
        &self,
        word: &str,
        script: Script,
        key: &mut String,
        stem: &mut String,
        candidates: &mut Vec<u32>,
        sink: &mut impl FnMut(&str, u32, Match, bool),
    ) {
        fold(word, script, key);
        candidates.clear();
        candidates.extend(self.word(key).map(Word::term));
        for language in Language::of_script(script) {
            if self.languages.contains(*language) {
                for form in [word, key.as_str()] {
                    fold(&language.stem(form), script, stem);
                    candidates.extend(self.stems.get(stem));
                }
            }
        }
        if candidates.is_empty() && Language::of_script(script).is_empty() {
            candidates.extend(self.stems.get(key));
        }
        let mut how = Match::Word;
        if candidates.is_empty() {
            how = Match::Beginning;
            self.beginning(key, candidates);
        }
        if candidates.is_empty() {
            how = Match::Typo;
            self.mistyped(key, candidates);
        }
        if candidates.is_empty() {
            how = Match::Parts;
            self.parts(key, candidates);
        }
        for term in candidates.iter() {
            sink(word, *term, how, false);
        }
    }

    /// Terms of the shortest known words that begin with `word`.
    fn beginning(&self, word: &str, terms: &mut Vec<u32>) {
        if word.chars().count() < MIN_BEGINNING {
            return;
        }
        let start = self
            .by_start
            .partition_point(|id| self.words.text(*id) < word);
        let known = self.by_start[start..]
            .iter()
            .take(MAX_COMPARED)
            .take_while(|id| self.words.text(**id).starts_with(word));
        terms.extend(known);
        self.keep_closest(word, terms);
    }

    /// Terms of the known words at a Damerau distance of 1.
    ///
    /// One edit leaves either the beginning or the end of a word as it is, so only words that
    /// share one of them are compared.
    fn mistyped(&self, word: &str, terms: &mut Vec<u32>) {
        let count = word.chars().count();
        if count < MIN_TYPO {
            return;
        }
        let half = count / 2;
        let split = |at: usize| word.char_indices().nth(at).map_or(word.len(), |(at, _)| at);
        // A swap of the two letters around the middle changes both halves, hence one letter less.
        let head = &word[..split(half - 1)];
        let tail = &word[split(half)..];
        let start = self
            .by_start
            .partition_point(|id| self.words.text(*id) < head);
        let heads = self.by_start[start..]
            .iter()
            .take(MAX_COMPARED)
            .take_while(|id| self.words.text(**id).starts_with(head));
        terms.extend(heads.filter(|id| is_one_edit(word, self.words.text(**id))));
        let start = self
            .by_end
            .partition_point(|id| self.words.text(*id).chars().rev().lt(tail.chars().rev()));
        let tails = self.by_end[start..]
            .iter()
            .take(MAX_COMPARED)
            .take_while(|id| self.words.text(**id).ends_with(tail));
        terms.extend(tails.filter(|id| is_one_edit(word, self.words.text(**id))));
        self.keep_closest(word, terms);
    }

    /// Turns known words into their terms, each once: those of the words closest in length.
    fn keep_closest(&self, word: &str, words: &mut Vec<u32>) {
        let Self {
            words: known,
            table,
            ..
        } = self;
        words.retain(|id| table.get(*id as usize).is_some_and(|word| !word.is_stop()));
        words.sort_unstable_by_key(|id| (known.text(*id).len().abs_diff(word.len()), *id));
        let mut kept = 0;
        for at in 0..words.len() {
            let term = table[words[at] as usize].term();
            if kept < MAX_MEANT && !words[..kept].contains(&term) {
                words[kept] = term;
                kept += 1;
            }
        }
        words.truncate(kept);
    }

    /// Terms of two known words that `word` is made of.
    fn parts(&self, word: &str, terms: &mut Vec<u32>) {
        const SHORTEST: usize = 3;
        let letters = word.chars().count();
        let inner = word
            .char_indices()
            .skip(SHORTEST)
            .take(letters.saturating_sub(2 * SHORTEST - 1));
        let mut best: Option<(usize, [u32; 2])> = None;
        for (at, _) in inner {
            let (head, tail) = word.split_at(at);
            if let (Some(a), Some(b)) = (self.word(head), self.word(tail))
                && !a.is_stop()
                && !b.is_stop()
            {
                let even = head.len().abs_diff(tail.len());
                if best.is_none_or(|(other, _)| even < other) {
                    best = Some((even, [a.term(), b.term()]));
                }
            }
        }
        terms.extend(best.into_iter().flat_map(|(_, parts)| parts));
    }
}

/// Whether one inserted, missing, wrong or swapped letter makes `a` into `b`.
fn is_one_edit(a: &str, b: &str) -> bool {
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
    let start: usize = common.map(|(x, _)| x.len_utf8()).sum();
    let (mut a, mut b) = (a[start..].chars(), b[start..].chars());
    let (longer_a, longer_b) = (a.clone(), b.clone());
    let (first_a, first_b) = (a.next(), b.next());
    if first_a.is_none() && first_b.is_none() {
        return false;
    }
    // Wrong letter; superfluous letter; missing letter.
    if a.clone().eq(b.clone()) || a.clone().eq(longer_b) || longer_a.eq(b.clone()) {
        return true;
    }
    let (second_a, second_b) = (a.next(), b.next());
    first_a == second_b && second_a == first_b && a.eq(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit() {
        for (a, b) in [
            ("email", "emial"),
            ("email", "emal"),
            ("email", "eemail"),
            ("email", "emait"),
            ("email", "gmail"),
            ("stock", "stocks"),
            ("погода", "пагода"),
        ] {
            assert!(is_one_edit(a, b), "{a} {b}");
            assert!(is_one_edit(b, a), "{b} {a}");
        }
        for (a, b) in [
            ("email", "email"),
            ("email", "mial"),
            ("email", "emails2"),
            ("ab", "ba1"),
            ("", ""),
        ] {
            assert!(!is_one_edit(a, b), "{a} {b}");
            assert!(!is_one_edit(b, a), "{b} {a}");
        }
    }
}
