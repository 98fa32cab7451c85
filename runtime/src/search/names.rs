//! Exact names, however their parts are joined.

use unicode_normalization::UnicodeNormalization;

/// Names of all documents with separators and case taken away, in sorted order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Simplified name and position, sorted.
    sorted: Vec<(Box<str>, u32)>,
    longest: usize,
}

impl Names {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut key = String::new();
        let mut sorted: Vec<(Box<str>, u32)> = names
            .enumerate()
            .map(|(position, name)| {
                simplify(name, &mut key);
                (key.as_str().into(), position as u32)
            })
            .collect();
        sorted.sort_unstable();
        sorted.shrink_to_fit();
        let longest = sorted.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
        Self { sorted, longest }
    }

    /// Positions of the documents that bear the name `text`; `key` is scratch space.
    pub(crate) fn find(&self, text: &str, key: &mut String) -> &[(Box<str>, u32)] {
        // Separators may double the length, compatibility forms of three bytes may shrink to one.
        if text.len() > self.longest.saturating_mul(4).saturating_add(16) {
            return &[];
        }
        simplify(text, key);
        if key.is_empty() {
            return &[];
        }
        let start = self.sorted.partition_point(|(name, _)| **name < **key);
        let rest = &self.sorted[start..];
        let count = rest.partition_point(|(name, _)| **name == **key);
        &rest[..count]
    }
}

/// Letters and digits of `name`, lower-case: `warehouse_stock`, `WarehouseStock` and
/// `Warehouse-stock` are one name.
fn simplify(name: &str, key: &mut String) {
    key.clear();
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
    query
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | ',' | ';' | '(' | ')'))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| is_compound(word))
}

fn is_compound(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes
        .iter()
        .any(|b| matches!(b, b'_' | b'-' | b'.' | b'/' | b':'))
        || bytes
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
            let found: Vec<u32> = names.find(query, &mut key).iter().map(|f| f.1).collect();
            assert_eq!(found, [0, 2], "{query}");
        }
        assert_eq!(names.find("查询 库存", &mut key).len(), 1);
        for query in ["", "  ", "warehouse", "warehouse_stocks", &"x".repeat(1000)] {
            assert!(names.find(query, &mut key).is_empty(), "{query}");
        }
    }

    #[test]
    fn identifiers_within_a_sentence() {
        let words: Vec<&str> =
            identifiers("call `warehouse_stock` (or getShippingQuote), then stop.").collect();
        assert_eq!(words, ["warehouse_stock", "getShippingQuote"]);
    }
}
