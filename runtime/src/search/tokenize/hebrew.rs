//! A light stemmer for Hebrew, for which no Snowball algorithm exists.

use std::borrow::Cow;

/// Letters that are written together with the word that follows: and, the, in, to, from, that, as.
const PREFIXES: [char; 7] = ['ו', 'ה', 'ב', 'ל', 'מ', 'ש', 'כ'];
/// Plural and possessive endings, and the construct forms, the longest first.
const SUFFIXES: [&str; 8] = ["יות", "ות", "ים", "ית", "יה", "ה", "ת", "י"];
/// Letters that a stem keeps: Hebrew roots have three.
const ROOT: usize = 3;

/// Drops up to two prefix letters and one ending, as long as a root remains.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    let mut stem = word;
    for _ in 0..2 {
        let Some(rest) = stem.strip_prefix(PREFIXES) else {
            break;
        };
        if rest.chars().count() < ROOT {
            break;
        }
        stem = rest;
    }
    let shorter = SUFFIXES
        .iter()
        .filter_map(|suffix| stem.strip_suffix(suffix))
        .find(|rest| rest.chars().count() >= ROOT);
    Cow::Borrowed(shorter.unwrap_or(stem))
}
