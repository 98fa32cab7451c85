//! Exact names, however their parts are joined.

use unicode_normalization::UnicodeNormalization;

use super::tokenize::spell_signs;
use super::vocabulary::Vocabulary;

/// Names of all documents with separators and case taken away.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    simple: Vocabulary,
    /// Positions of the documents, those of one name together.
    positions: Vec<u32>,
    /// For each simple name, where its positions end.
    ends: Vec<u32>,
    longest: usize,
    /// Names as they are written, with their positions, where several are the same without
    /// separators and case. Sorted.
    twins: Vec<(Box<str>, u32)>,
}

impl Names {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Self {
        let written = names.clone();
        let mut simple = Vocabulary::default();
        let mut key = String::new();
        let mut longest = 0;
        let ids = names.map(|name| {
            simplify(name, &mut key);
            longest = longest.max(key.len());
            simple.intern(&key)
        });
        let mut bearers: Vec<(u32, u32)> = ids.zip(0..).collect();
        bearers.sort_unstable();
        simple.shrink();
        let mut ends = vec![0; simple.len()];
        for (end, (id, _)) in (1..).zip(&bearers) {
            ends[*id as usize] = end;
        }
        let twin = bearers.chunk_by(|a, b| a.0 == b.0);
        let mut twin: Vec<u32> = twin
            .filter(|bearers| bearers.len() > 1)
            .flat_map(|bearers| bearers.iter().map(|(_, position)| *position))
            .collect();
        twin.sort_unstable();
        let twins = (0..).zip(written);
        let twins = twins.filter(|(position, _)| twin.binary_search(position).is_ok());
        let mut twins: Vec<(Box<str>, u32)> = twins
            .map(|(position, name)| (name.into(), position))
            .collect();
        twins.sort_unstable();
        let positions = bearers.into_iter().map(|(_, position)| position).collect();
        Self {
            simple,
            positions,
            ends,
            longest,
            twins,
        }
    }

    /// Whether a query holds the name of a document to the letter, of several that it may name.
    pub(crate) fn is_written(&self, query: &str, position: u32) -> bool {
        let borne = |name: &str| {
            self.twins
                .binary_search_by(|(twin, at)| (**twin).cmp(name).then(at.cmp(&position)))
                .is_ok()
        };
        !self.twins.is_empty() && (borne(query.trim()) || identifiers(query).any(borne))
    }

    /// Positions of the documents that bear the name `text`; `key` is scratch space.
    pub(crate) fn find(&self, text: &str, key: &mut String) -> &[u32] {
        // Separators may double the length, compatibility forms of three bytes may shrink to one.
        if text.len() > self.longest.saturating_mul(4).saturating_add(16) {
            return &[];
        }
        simplify(text, key);
        if key.is_empty() {
            return &[];
        }
        let Some(id) = self.simple.get(key) else {
            return &[];
        };
        let start = match id.checked_sub(1) {
            Some(before) => self.ends[before as usize],
            None => 0,
        };
        let end = self.ends[id as usize];
        self.positions
            .get(start as usize..end as usize)
            .unwrap_or(&[])
    }
}

/// Letters and digits of `name`, lower-case: `warehouse_stock`, `WarehouseStock` and
/// `Warehouse-stock` are one name.
fn simplify(name: &str, key: &mut String) {
    key.clear();
    let name = &*spell_signs(name);
    if name.is_ascii() {
        key.extend(
            name.chars()
                .filter(char::is_ascii_alphanumeric)
                .map(|c| c.to_ascii_lowercase()),
        );
    } else {
        let letters = name
            .nfkc()
            .filter(|c| !c.is_whitespace() && !is_separator(*c));
        key.extend(letters.flat_map(char::to_lowercase));
    }
}

/// ASCII punctuation and the few other signs that names are joined by.
fn is_separator(c: char) -> bool {
    c.is_ascii_punctuation()
        || c.is_control()
        || matches!(c, '\u{B7}' | '・' | '‐'..='―' | '。' | '、')
}

/// The words of a query that are written like a name of several parts (`warehouse_stock`,
/// `getShippingQuote`, `math.factorial`), and may be meant as one.
pub(crate) fn identifiers(query: &str) -> impl Iterator<Item = &str> {
    let marks = |c: char| matches!(c, '`' | '"' | '\'' | ',' | ';' | '(' | ')');
    query
        .split_ascii_whitespace()
        .filter(|word| is_compound(word.as_bytes()))
        .flat_map(move |word| word.split(marks))
        .filter(|word| is_compound(word.as_bytes()))
}

/// Whether a separator or the border of `camelCase` is between two letters.
fn is_compound(word: &[u8]) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let joined = |part: &[u8]| match part {
        [a, b'_' | b'-' | b'.' | b'/' | b':', b] => letter(*a) && (letter(*b) || *b == b':'),
        _ => false,
    };
    word.windows(3).any(joined)
        || word
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_joined() {
        let names = Names::new(["warehouse_stock", "查询库存", "WarehouseStock", ""].into_iter());
        let mut key = String::new();
        for query in [
            "warehouse_stock",
            "warehouse stock",
            "Warehouse-Stock",
            "warehouseStock",
            "WAREHOUSE.STOCK?",
        ] {
            let found = names.find(query, &mut key);
            assert_eq!(found, [0, 2], "{query}");
        }
        assert_eq!(names.find("查询 库存", &mut key).len(), 1);
        for query in ["", "  ", "warehouse", "warehouse_stocks", &"x".repeat(1000)] {
            assert!(names.find(query, &mut key).is_empty(), "{query}");
        }
    }

    #[test]
    fn of_names_that_are_one_the_written_one_is_known() {
        let all = [
            "readMail",
            "read_mail",
            "Get",
            "get",
            "C",
            "c++",
            "read_mail",
        ];
        let names = Names::new(all.into_iter());
        for (query, written) in [
            ("read_mail", vec![1, 6]),
            (" readMail ", vec![0]),
            ("call `read_mail` now", vec![1, 6]),
            ("get", vec![3]),
            ("Get", vec![2]),
            ("read mail", vec![]),
            ("C", vec![]),
        ] {
            let found: Vec<u32> = (0..7).filter(|at| names.is_written(query, *at)).collect();
            assert_eq!(found, written, "{query}");
        }
        assert_eq!(names.find("C++", &mut String::new()), [5]);
        assert_eq!(names.find("c", &mut String::new()), [4]);
    }

    #[test]
    fn identifiers_within_a_sentence() {
        let words: Vec<&str> =
            identifiers("call `warehouse_stock` (or getShippingQuote), then stop.").collect();
        assert_eq!(words, ["warehouse_stock", "getShippingQuote"]);
    }
}
