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
    table: HashTable<Slot>,
    hasher: DefaultHashBuilder,
}

/// All that a look-up needs, in one place: a catalog is mostly searched when it has long left the
/// caches of the processor.
#[derive(Clone, Copy, Debug)]
struct Slot {
    id: u32,
    /// Where the string is.
    start: u32,
    length: u32,
    label: u32,
    /// What the string begins with: all of most words.
    head: [u8; HEAD],
}

/// How much of a string lies in its slot.
const HEAD: usize = 16;

impl Slot {
    fn text(self, text: &str) -> &str {
        let start = self.start as usize;
        text.get(start..start + self.length as usize).unwrap_or("")
    }

    fn is(&self, word: &str, text: &str) -> bool {
        if self.length as usize != word.len() {
            return false;
        }
        match self.head.get(..word.len()) {
            Some(head) => head == word.as_bytes(),
            None => self.text(text) == word,
        }
    }
}

/// The beginning of a string, filled up with zeros.
fn head(word: &str) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let letters = head.iter_mut().zip(word.bytes());
    letters.for_each(|(to, from)| *to = from);
    head
}

impl Vocabulary {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string of a number that this vocabulary gave out; empty for any other.
    pub(crate) fn text(&self, id: u32) -> &str {
        let id = id as usize;
        let start = match id.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let end = self.ends.get(id).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        self.find(word).map(|slot| slot.id)
    }

    /// What [`set_labels`](Self::set_labels) has put to a string.
    pub(crate) fn label(&self, word: &str) -> Option<u32> {
        self.find(word).map(|slot| slot.label)
    }

    fn find(&self, word: &str) -> Option<&Slot> {
        let hash = self.hasher.hash_one(word);
        self.table.find(hash, |slot| slot.is(word, &self.text))
    }

    /// Puts a label to each string, in the order of their numbers.
    pub(crate) fn set_labels(&mut self, labels: impl Fn(u32) -> u32) {
        self.table
            .iter_mut()
            .for_each(|slot| slot.label = labels(slot.id));
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
        if let Some(slot) = table.find(hash, |slot| slot.is(word, text)) {
            return slot.id;
        }
        let (id, start) = (ends.len() as u32, text.len() as u32);
        text.push_str(word);
        ends.push(text.len() as u32);
        let slot = Slot {
            id,
            start,
            length: word.len() as u32,
            label: 0,
            head: head(word),
        };
        table.insert_unique(hash, slot, |slot| hasher.hash_one(slot.text(text)));
        id
    }

    /// Gives back spare capacity.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_strings_are_compared_to_their_end() {
        let mut words = Vocabulary::default();
        for long in [
            "a_name_of_many_letters",
            "a_name_of_many_words",
            "a_name_of_many_l",
        ] {
            assert_eq!(words.get(long), None);
            let id = words.intern(long);
            assert_eq!((words.get(long), words.text(id)), (Some(id), long));
        }
        assert_eq!(words.get("a_name_of_many_"), None);
    }

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
        words.set_labels(|id| 10 + id);
        assert_eq!(words.label("库存"), Some(12));
        assert_eq!(words.label("库"), None);
    }
}
