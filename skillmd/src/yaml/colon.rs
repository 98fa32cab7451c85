//! The one retry of the profile `lenient`: an unquoted `: ` inside a value.
//!
//! Each such colon is replaced by another character of one byte that the
//! frontmatter does not hold, so every offset stays what it was, and put back
//! into the values afterwards.

use std::ops::Range;

use super::build::Tree;
use super::quote::{Pair, pair, separator, whole};
use crate::value::{Content, Value};

/// Characters that may stand inside a plain scalar and are rare in headers.
const STAND_INS: &[u8] = b"^~;=+$|<>()/\\_.%@`!?ZQXJKVWYzqxjkvwy";

pub(super) struct Masked {
    text: String,
    stand_in: char,
    /// The first such colon of each value, and its line.
    colons: Vec<(usize, Pair)>,
    /// Every such colon, in order.
    all: Vec<usize>,
}

/// `body` with the unquoted colons of its values replaced; `None` when there is
/// none, or no character to replace them by.
pub(super) fn mask(body: &str) -> Option<Masked> {
    let stand_in = *STAND_INS
        .iter()
        .find(|byte| memchr::memchr(**byte, body.as_bytes()).is_none())?;
    let mut bytes = body.as_bytes().to_vec();
    let (mut colons, mut all) = (Vec::new(), Vec::new());
    // While set: lines indented deeper than this belong to a block scalar.
    let mut block: Option<usize> = None;
    let mut at = 0;
    while at < body.len() {
        let (line, next) = crate::frame::line(body, at);
        at = next;
        let text = &body[line.clone()];
        let indent = text.len() - text.trim_start_matches(' ').len();
        if text.trim().is_empty() || block.is_some_and(|outer| indent > outer) {
            continue;
        }
        block = None;
        let Some(pair) = pair(body, line) else {
            continue;
        };
        let value = pair.value.clone();
        match body.as_bytes().get(value.start) {
            Some(b'|' | b'>') if !value.is_empty() => block = Some(pair.indent),
            Some(b'"' | b'\'' | b'[' | b'{' | b'#') | None => {}
            Some(_) => {
                let pair = whole(body, pair);
                let value = pair.value.clone();
                // The lines of a text are none of their own.
                at = at.max(crate::frame::line(body, value.end).1);
                let mut from = value.start;
                // A comment is not part of the value.
                let end = body[value.clone()]
                    .find(" #")
                    .map_or(value.end, |length| value.start + length);
                let first = separator(&body[from..end]).map(|colon| from + colon);
                while let Some(colon) = separator(&body[from..end]) {
                    bytes[from + colon] = stand_in;
                    all.push(from + colon);
                    from += colon + 1;
                }
                colons.extend(first.map(|at| (at, pair)));
            }
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    (!colons.is_empty()).then_some(Masked {
        text,
        stand_in: char::from(stand_in),
        colons,
        all,
    })
}

impl Masked {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn colons(&self) -> impl Iterator<Item = (usize, &Pair)> {
        self.colons.iter().map(|(at, pair)| (*at, pair))
    }

    /// Puts the colons back, and says where they were found in plain texts.
    /// `base` is where the text starts in the file.
    pub(super) fn restore(&self, tree: &mut Tree, base: usize) -> Vec<Range<usize>> {
        let mut plain = Vec::new();
        if let Some(root) = &mut tree.root {
            self.restore_value(root, base, &mut plain);
        }
        plain
    }

    /// Whether one of the colons stands in `range`. The character alone may also come of an escape.
    fn touches(&self, range: &Range<usize>, base: usize) -> bool {
        let first = self.all.partition_point(|at| base + at < range.start);
        self.all.get(first).is_some_and(|at| base + at < range.end)
    }

    fn restore_value(&self, value: &mut Value, base: usize, found: &mut Vec<Range<usize>>) {
        match &mut value.content {
            Content::Text { text, plain } => {
                if self.touches(&value.range, base) {
                    *text = text.replace(self.stand_in, ":");
                    if *plain {
                        found.push(value.range.clone());
                    }
                }
            }
            Content::List(items) => items
                .iter_mut()
                .for_each(|item| self.restore_value(item, base, found)),
            Content::Map(entries) => {
                entries
                    .iter_mut()
                    .for_each(|entry| self.restore_value(&mut entry.value, base, found));
            }
        }
    }
}
