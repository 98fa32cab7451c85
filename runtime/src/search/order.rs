//! Words sorted by their beginnings and by their ends.

use super::index::Index;

/// How many words with the same beginning or end are compared.
const MAX_COMPARED: usize = 2048;
/// How many bytes a key holds.
const KEY: usize = 8;

/// Numbers of words in an order, each with the bytes that it begins with in that order: a search
/// compares numbers that lie side by side, and looks at no word.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    keys: Vec<u64>,
    ids: Vec<u32>,
}

impl Order {
    /// Sorts words from their beginning.
    pub(super) fn by_start<'a>(ids: &[u32], text: impl Fn(u32) -> &'a str) -> Self {
        Self::new(ids, |id| key(text(id).bytes()), |a, b| text(a).cmp(text(b)))
    }

    /// Sorts words from their end.
    pub(super) fn by_end<'a>(ids: &[u32], text: impl Fn(u32) -> &'a str) -> Self {
        let reversed = |id| text(id).bytes().rev();
        Self::new(
            ids,
            |id| key(text(id).bytes().rev()),
            |a, b| reversed(a).cmp(reversed(b)),
        )
    }

    /// Sorts words by their first letter and from their end.
    pub(super) fn by_ends<'a>(ids: &[u32], text: impl Fn(u32) -> &'a str) -> Self {
        let both = |id| {
            let word = text(id);
            initial(word)
                .to_be_bytes()
                .into_iter()
                .chain(word.bytes().rev())
        };
        Self::new(ids, |id| key(both(id)), |a, b| both(a).cmp(both(b)))
    }

    fn new(
        ids: &[u32],
        key: impl Fn(u32) -> u64,
        order: impl Fn(u32, u32) -> std::cmp::Ordering,
    ) -> Self {
        let mut keyed: Vec<(u64, u32)> = ids.iter().map(|id| (key(*id), *id)).collect();
        keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| order(a.1, b.1)));
        let (keys, ids) = keyed.into_iter().unzip();
        Self { keys, ids }
    }

    /// Of words sorted from their beginning, those that begin with `head`.
    pub(super) fn beginning(&self, head: &str, index: &Index) -> &[u32] {
        let found = self.range(key(head.bytes()), head.len());
        let belongs = |id: u32| index.words.text(id).starts_with(head);
        few(if head.len() <= KEY {
            found
        } else {
            stretch(found, belongs)
        })
    }

    /// Of words sorted from their end, those that end with `tail`.
    pub(super) fn ending(&self, tail: &str, index: &Index) -> &[u32] {
        let found = self.range(key(tail.bytes().rev()), tail.len());
        let belongs = |id: u32| index.words.text(id).ends_with(tail);
        few(if tail.len() <= KEY {
            found
        } else {
            stretch(found, belongs)
        })
    }

    /// Of words sorted by both ends, those with this first letter and this end, and a few more.
    pub(super) fn beginning_and_ending(&self, initial: u16, tail: &str) -> &[u32] {
        let initial = initial.to_be_bytes();
        let bytes = initial.into_iter().chain(tail.bytes().rev());
        few(self.range(key(bytes), initial.len() + tail.len()))
    }

    /// The words whose key begins with the first `length` bytes of `key`.
    fn range(&self, key: u64, length: usize) -> &[u32] {
        let free = u64::MAX.checked_shr(length.saturating_mul(8) as u32);
        let last = key | free.unwrap_or(0);
        let start = self.keys.partition_point(|other| *other < key);
        let rest = &self.keys[start..];
        let count = if rest.first().is_none_or(|first| *first > last) {
            0
        } else {
            rest.partition_point(|other| *other <= last)
        };
        self.ids.get(start..start + count).unwrap_or(&[])
    }
}

/// The words that belong, which lie side by side.
fn stretch(ids: &[u32], belongs: impl Fn(u32) -> bool) -> &[u32] {
    let ids = few(ids);
    let start = ids.iter().take_while(|id| !belongs(**id)).count();
    let rest = &ids[start..];
    &rest[..rest.iter().take_while(|id| belongs(**id)).count()]
}

fn few(ids: &[u32]) -> &[u32] {
    &ids[..ids.len().min(MAX_COMPARED)]
}

/// The first bytes as one number that compares like them.
fn key(bytes: impl Iterator<Item = u8>) -> u64 {
    let bytes = bytes.take(KEY);
    let (mut key, mut free) = (0, 64);
    for byte in bytes {
        free -= 8;
        key |= u64::from(byte) << free;
    }
    key
}

/// The first letter of a word; of one that takes more than two bytes, those two.
pub(super) fn initial(word: &str) -> u16 {
    match word.as_bytes() {
        [a, ..] if a.is_ascii() => u16::from_be_bytes([*a, 0]),
        [a, b, ..] => u16::from_be_bytes([*a, *b]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::*;

    const WORDS: [&str; 9] = [
        "invoice",
        "invoices",
        "invent",
        "international",
        "internationally",
        "дата",
        "дать",
        "stock",
        "sock",
    ];

    #[test]
    fn words_are_found_by_both_ends() {
        let index = Index::new([Document::new(WORDS.join(" "))]);
        let words = |ids: &[u32]| -> Vec<String> {
            let mut words: Vec<String> = ids
                .iter()
                .map(|id| index.words.text(*id).to_owned())
                .collect();
            words.sort();
            words
        };
        let begins = |head: &str| words(index.by_start.beginning(head, &index));
        assert_eq!(begins("inv"), ["invent", "invoice", "invoices"]);
        assert_eq!(
            begins("international"),
            ["international", "internationally"]
        );
        assert_eq!(begins("internationall"), ["internationally"]);
        assert_eq!(begins("дат"), ["дата", "дать"]);
        assert!(begins("interval").is_empty() && begins("z").is_empty());
        let ends = |tail: &str| words(index.by_end.ending(tail, &index));
        assert_eq!(ends("ock"), ["sock", "stock"]);
        assert_eq!(ends("ternational"), ["international"]);
        assert_eq!(ends("та"), ["дата"]);
        let both = |first: &str, tail: &str| {
            words(index.by_ends.beginning_and_ending(initial(first), tail))
        };
        assert_eq!(both("i", "s"), ["invoices"]);
        assert_eq!(both("д", "ть"), ["дать"]);
        assert!(both("o", "ock").is_empty());
    }
}
