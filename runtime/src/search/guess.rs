//! What words may mean that the catalog does not hold.

use super::analyze::Match;
use super::index::{Index, Word};
use super::order::initial;
use super::tokenize::fold::fold;
use super::tokenize::{Language, Script};

/// A way to find terms for an unknown word.
type Guess = fn(&Index, &str, &mut String, &mut Vec<u32>);

/// Shortest unknown word that is taken for the beginning of another, in characters.
const MIN_BEGINNING: usize = 3;
/// How many letters a known word shares with a longer one, with a compound that it begins, or with
/// its own beginning; at least.
const ALIKE: usize = 3;
/// Shortest unknown word that is taken for the end of another, in characters.
const MIN_END: usize = 4;
/// Shortest unknown word that is taken for a mistyped one, in characters.
const MIN_TYPO: usize = 4;
/// How many words an unknown one may stand for.
const MAX_MEANT: usize = 8;

impl Index {
    /// Looks for what a word that the catalog does not hold may mean: another form of a known
    /// word, else one of the guesses, the likeliest first.
    pub(super) fn unknown(
        &self,
        word: &str,
        script: Script,
        key: &mut String,
        stem: &mut String,
        candidates: &mut Vec<u32>,
        sink: &mut impl FnMut(&str, Option<u32>, Match, bool),
    ) {
        fold(word, script, key);
        candidates.clear();
        let folded = Some(key.as_str()).filter(|key| *key != word);
        candidates.extend(folded.and_then(|key| self.word(key)).map(Word::term));
        for form in [word].into_iter().chain(folded) {
            let languages = Language::of_script(script).iter();
            for language in languages.filter(|language| self.languages.contains(**language)) {
                fold(&language.stem(form), script, stem);
                candidates.extend(self.stems.get(stem));
            }
        }
        if candidates.is_empty() && Language::of_script(script).is_empty() {
            candidates.extend(self.stems.get(key));
        }
        let mut how = Match::Word;
        if candidates.is_empty() {
            // Half of the guesses need a known word that begins alike.
            let alike = char_start(key, ALIKE)
                .is_some_and(|end| !self.by_start.beginning(&key[..end], self).is_empty());
            let guesses: [(Match, bool, Guess); 5] = [
                (Match::Beginning, alike, Index::beginning),
                (Match::End, true, Index::end),
                (Match::Typo, true, Index::mistyped),
                (Match::Parts, alike, Index::parts),
                (Match::Longer, alike, Index::longer),
            ];
            for (kind, _, guess) in guesses.iter().filter(|(_, possible, _)| *possible) {
                if candidates.is_empty() {
                    how = *kind;
                    guess(self, key, stem, candidates);
                }
            }
        }
        for term in candidates.iter() {
            sink(word, Some(*term), how, false);
        }
        if candidates.is_empty() {
            sink(word, None, how, false);
        }
    }

    /// Terms of the shortest known words that begin with `word`.
    fn beginning(&self, word: &str, _: &mut String, terms: &mut Vec<u32>) {
        if word.chars().count() < MIN_BEGINNING {
            return;
        }
        terms.extend_from_slice(self.by_start.beginning(word, self));
        self.keep_closest(word, terms);
    }

    /// Terms of the shortest known words that end with `word`: compounds of it.
    fn end(&self, word: &str, _: &mut String, terms: &mut Vec<u32>) {
        if word.chars().count() < MIN_END {
            return;
        }
        terms.extend_from_slice(self.by_end.ending(word, self));
        self.keep_closest(word, terms);
    }

    /// The term of the longest known word that `word` begins with: a form that the stemmer does
    /// not know, or a compound.
    fn longer(&self, word: &str, _: &mut String, terms: &mut Vec<u32>) {
        let letters = word.chars().count();
        // Semitic roots have three letters.
        let shortest = if word.starts_with(|c| Script::of(c).is_semitic()) {
            3
        } else {
            4
        };
        let shortest = shortest.max((letters * 3).div_ceil(5));
        let mut ends = word
            .char_indices()
            .map(|(at, _)| at)
            .rev()
            .take(letters.saturating_sub(shortest));
        let found = ends.find_map(|end| {
            let head = word.get(..end)?;
            let known = self
                .word(head)
                .filter(|word| !word.is_stop())
                .map(Word::term);
            known.or_else(|| self.stems.get(head))
        });
        terms.extend(found);
        if found.is_none() {
            self.related(word, letters, terms);
        }
    }

    /// Terms of the known words that share three quarters of `word` from its beginning: other forms
    /// of a verb (`übersetzen`, `übersetzt`).
    fn related(&self, word: &str, letters: usize, terms: &mut Vec<u32>) {
        const SHORTEST: usize = 5;
        let shared = (letters * 3).div_ceil(4).max(SHORTEST);
        if let Some(end) = char_start(word, shared).filter(|_| shared < letters) {
            terms.extend_from_slice(self.by_start.beginning(&word[..end], self));
            self.keep_closest(word, terms);
        }
    }

    /// Terms of the known words at a Damerau distance of 1.
    ///
    /// One edit leaves the first or the second half of a word as it is, or swaps the two letters
    /// around the middle. So few words have to be compared: those that share the first half; those
    /// that share the second half and the first letter; and, for an edit of the first letter,
    /// those that share all others.
    fn mistyped(&self, word: &str, other: &mut String, terms: &mut Vec<u32>) {
        let count = word.chars().count();
        if count < MIN_TYPO {
            return;
        }
        let split = |at: usize| word.char_indices().nth(at).map_or(word.len(), |(at, _)| at);
        let (first, middle) = (&word[..split(1)], count / 2);
        let (head, tail) = word.split_at(split(middle));
        let near = |id: &&u32| is_one_edit(word, self.words.text(**id));
        let rest = &word[first.len()..];
        terms.extend(self.by_start.beginning(head, self).iter().filter(near));
        let (initial, ends) = (initial(word), &self.by_ends);
        terms.extend(ends.beginning_and_ending(initial, tail).iter().filter(near));
        terms.extend(self.by_end.ending(rest, self).iter().filter(near));
        for at in [1, middle] {
            swapped(word, split(at - 1), other);
            terms.extend(self.words.get(other));
        }
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
    fn parts(&self, word: &str, _: &mut String, terms: &mut Vec<u32>) {
        const SHORTEST: usize = 3;
        let letters = word.chars().count();
        let inner = word
            .char_indices()
            .skip(SHORTEST)
            .take(letters.saturating_sub(2 * SHORTEST - 1));
        let mut best: Option<(usize, [u32; 2])> = None;
        for (at, _) in inner {
            let (head, tail) = word.split_at(at);
            // German and its kin put an s between.
            let linked = || self.word(head.strip_suffix('s')?);
            if let Some(a) = self.word(head).or_else(linked)
                && !a.is_stop()
                && let Some(b) = self.word(tail)
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

/// Writes `word` with the letter at a byte offset and the one after it in each other's place.
fn swapped(word: &str, at: usize, other: &mut String) {
    other.clear();
    other.push_str(&word[..at]);
    let mut letters = word[at..].chars();
    let (first, second) = (letters.next(), letters.next());
    other.extend(second.into_iter().chain(first));
    other.push_str(letters.as_str());
}

/// Where the first `count` characters of a word end, if it has so many.
fn char_start(word: &str, count: usize) -> Option<usize> {
    let mut ends = word.char_indices().map(|(at, _)| at).chain([word.len()]);
    ends.nth(count)
}

/// Whether one inserted, missing, wrong or swapped letter makes `a` into `b`.
fn is_one_edit(a: &str, b: &str) -> bool {
    let longest = if a.is_ascii() && b.is_ascii() { 1 } else { 4 };
    if a.len().abs_diff(b.len()) > longest {
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
