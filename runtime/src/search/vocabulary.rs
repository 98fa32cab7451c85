//! A set of strings, numbered in the order in which they came.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Strings in one buffer, found by hash and named by number.
///
/// The hash is keyed at random, so that no catalog can be written to make it collide; nothing
/// depends on the order of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    text: String,
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Vocabulary {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string of a number that this vocabulary gave out; empty for any other.
    pub(crate) fn text(&self, id: u32) -> &str {
        slice(&self.text, &self.ends, id)
    }

    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(word);
        self.table.find(hash, |id| self.text(*id) == word).copied()
    }

    /// The number of `word`, a new one if it is new.
    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        let Self {
            text,
            ends,
            table,
            hasher,
        } = self;
        let hash = hasher.hash_one(word);
        if let Some(id) = table.find(hash, |id| slice(text, ends, *id) == word) {
            return *id;
        }
        let id = ends.len() as u32;
        text.push_str(word);
        ends.push(text.len() as u32);
        table.insert_unique(hash, id, |id| hasher.hash_one(slice(text, ends, *id)));
        id
    }

    /// Gives back spare capacity.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], id: u32) -> &'a str {
    let id = id as usize;
    let start = match id.checked_sub(1) {
        Some(before) => ends.get(before).copied().unwrap_or(0),
        None => 0,
    };
    let end = ends.get(id).copied().unwrap_or(start);
    text.get(start as usize..end as usize).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_their_numbers() {
        let mut words = Vocabulary::default();
        let ids: Vec<u32> = ["stock", "", "库存", "stock", "sku"]
            .map(|w| words.intern(w))
            .into();
        assert_eq!(ids, [0, 1, 2, 0, 3]);
        assert_eq!(words.len(), 4);
        assert_eq!(words.get("库存"), Some(2));
        assert_eq!(words.get("库"), None);
        assert_eq!(words.text(3), "sku");
        assert_eq!(words.text(4), "");
    }
}
