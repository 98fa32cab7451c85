//! From a query to terms.

use super::index::{Index, QueryTerm, Word};
use super::scratch::Scratch;
use super::tokenize::{Kind, Language, LanguageSet, Script, grams, phrases, stop_languages};

/// How a word of a query came to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The catalog holds the word, or another form of it.
    Word,
    /// The catalog holds the number.
    Number,
    /// The catalog holds the word together with the one before it, as one.
    Pair,
    /// The catalog holds words that begin with it.
    Beginning,
    /// The catalog holds words that end with it.
    End,
    /// The catalog holds words that differ in one letter.
    Typo,
    /// The catalog holds the two words that it is made of.
    Parts,
    /// The catalog holds a word that it begins with.
    Longer,
    /// It says how something is asked, and the catalog does not hold it.
    Stop,
}

impl Match {
    /// How much a match counts in relation to a word that is there. Numbers are mostly the values
    /// of arguments, and the rest is a guess.
    pub(super) fn weight(self) -> f32 {
        match self {
            Match::Word | Match::Stop => 1.0,
            Match::Typo => 0.7,
            Match::Pair | Match::Parts => 0.6,
            Match::Number | Match::Beginning | Match::End | Match::Longer => 0.5,
        }
    }
}

impl Match {
    /// Whether a word of the query may mean something else altogether. A compound and its parts may
    /// not, so the beginning of a word is a guess only where words are not joined to one.
    fn is_guess(self, word: &str, languages: LanguageSet) -> bool {
        match self {
            Match::Typo => true,
            Match::Beginning => word.is_ascii() && !languages.meets(Language::compounding()),
            _ => false,
        }
    }
}

/// How many unknown words of a query are looked for in other ways.
const MAX_UNKNOWN: usize = 64;
impl Index {
    /// Fills `scratch.terms` with the terms of the query, each once, those that may count most
    /// first.
    pub(super) fn analyze(&self, query: &str, scratch: &mut Scratch) {
        let mut terms = std::mem::take(&mut scratch.terms);
        let mut stops = std::mem::take(&mut scratch.stops);
        terms.clear();
        stops.clear();
        self.each_term(query, scratch, &mut |word, term, how, stop| {
            let list = if stop { &mut stops } else { &mut terms };
            list.extend(term.map(|term| QueryTerm {
                term,
                weight: how.weight(),
                guess: how.is_guess(word, self.languages),
            }));
        });
        if terms.is_empty() {
            std::mem::swap(&mut terms, &mut stops);
        }
        self.put_in_order(&mut terms);
        scratch.terms = terms;
        scratch.stops = stops;
    }

    /// Leaves each term once, with its highest weight, ordered by what it may count at most;
    /// guesses come last.
    pub(super) fn put_in_order(&self, terms: &mut Vec<QueryTerm>) {
        terms.sort_unstable_by(|a, b| {
            let by_term = a.term.cmp(&b.term).then(a.guess.cmp(&b.guess));
            by_term.then(b.weight.total_cmp(&a.weight))
        });
        terms.dedup_by_key(|term| term.term);
        terms.sort_unstable_by(|a, b| {
            let by_most = self.most(b).total_cmp(&self.most(a));
            a.guess
                .cmp(&b.guess)
                .then(by_most)
                .then(a.term.cmp(&b.term))
        });
    }

    /// Calls `sink` with every word of the query, a term it stands for if there is one, how it
    /// came to it, and whether it is a stop word.
    pub(super) fn each_term(
        &self,
        query: &str,
        scratch: &mut Scratch,
        sink: &mut impl FnMut(&str, Option<u32>, Match, bool),
    ) {
        let Scratch {
            scanner,
            key,
            stem,
            candidates,
            pair,
            ..
        } = scratch;
        let mut unknown = 0;
        pair.clear();
        scanner.scan(query, &mut |piece, kind| match kind {
            Kind::Word(script) => {
                let word = self.word(piece);
                let stop = match word {
                    Some(word) => word.is_stop(),
                    None => !stop_languages(piece).is_empty(),
                };
                self.pair(piece, stop, pair, sink);
                match word {
                    Some(word) => sink(piece, Some(word.term()), Match::Word, stop),
                    None if unknown < MAX_UNKNOWN && !stop => {
                        unknown += 1;
                        self.unknown(piece, script, key, stem, candidates, sink);
                    }
                    None if stop => sink(piece, None, Match::Stop, true),
                    None => {}
                }
            }
            Kind::Number => {
                pair.clear();
                if let Some(word) = self.word(piece) {
                    sink(piece, Some(word.term()), Match::Number, false);
                }
            }
            Kind::Joined => {
                if let Some(word) = self.word(piece) {
                    sink(piece, Some(word.term()), Match::Word, word.is_stop());
                }
            }
            Kind::Run(script) => {
                pair.clear();
                self.run(piece, script, sink);
            }
        });
    }

    /// Looks for the word before and this one written together (`time zone`, `timezone`).
    fn pair(
        &self,
        word: &str,
        stop: bool,
        pair: &mut String,
        sink: &mut impl FnMut(&str, Option<u32>, Match, bool),
    ) {
        if stop || word.len() < 2 {
            pair.clear();
            return;
        }
        let before = pair.len();
        pair.push_str(word);
        if before > 0
            && let Some(both) = self.word(pair)
            && both.is_solid()
            && !both.is_stop()
        {
            sink(pair, Some(both.term()), Match::Pair, false);
        }
        pair.drain(..before);
    }

    fn run(
        &self,
        run: &str,
        script: Script,
        sink: &mut impl FnMut(&str, Option<u32>, Match, bool),
    ) {
        let mut kept = false;
        phrases::mask(run, script, &mut |part| {
            grams(part, script, &mut |gram| {
                if let Some(word) = self.word(gram) {
                    kept |= !word.is_stop();
                    sink(gram, Some(word.term()), Match::Word, word.is_stop());
                }
            });
        });
        if !kept {
            grams(run, script, &mut |gram| {
                if let Some(word) = self.word(gram) {
                    sink(gram, Some(word.term()), Match::Word, true);
                }
            });
        }
    }

    pub(super) fn word(&self, spelling: &str) -> Option<Word> {
        self.words.label(spelling).map(Word::from_bits)
    }
}
