//! Events to values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, ScalarStyle, Span};

use super::quote::{pair, quoted};
use crate::Kind;
use crate::draft::Draft;
use crate::value::{Content, Entry, Value};

/// What was read, whole or up to an error.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) root: Option<Value>,
    /// The finished entries of the root map when the end was not reached.
    pub(super) entries: Vec<Entry>,
    pub(super) comments: Vec<Range<usize>>,
    pub(super) drafts: Vec<Draft>,
}

/// A collection that is still open.
enum Open {
    List {
        start: usize,
        items: Vec<Value>,
    },
    Map {
        start: usize,
        entries: Vec<Entry>,
        keys: Keys,
        key: Option<Key>,
    },
}

struct Key {
    text: Cow<'static, str>,
    range: Range<usize>,
    /// False for a key that was reported already; its entry is dropped.
    keep: bool,
}

/// The keys of a map, to find one that stands twice. Most maps are small enough
/// to look through.
#[derive(Default)]
struct Keys {
    /// The line of each entry.
    lines: Vec<usize>,
    /// All keys, once there are many.
    index: Option<HashMap<String, usize>>,
}

impl Keys {
    const FEW: usize = 16;

    /// The line on which `entries` have the key already; else it is noted for `line`.
    fn first(&mut self, key: &str, line: usize, entries: &[Entry]) -> Option<usize> {
        if self.lines.len() <= Self::FEW {
            if let Some(at) = entries.iter().position(|entry| entry.key == key) {
                return self.lines.get(at).copied();
            }
        } else {
            let index = self.index.get_or_insert_with(|| {
                let keys = entries.iter().map(|entry| entry.key.to_string());
                keys.zip(self.lines.iter().copied()).collect()
            });
            if let Some(first) = index.get(key) {
                return Some(*first);
            }
            index.insert(key.to_owned(), line);
        }
        self.lines.push(line);
        None
    }
}

pub(super) struct Builder<'t> {
    text: &'t str,
    base: usize,
    /// The line of the file that the current event starts on, from 1.
    line: usize,
    /// Where the last scalar, alias or bracket ended.
    last: usize,
    open: Vec<Open>,
    documents: usize,
    tree: Tree,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str, base: usize) -> Self {
        Self {
            text,
            base,
            line: 1,
            last: base,
            open: Vec::new(),
            documents: 0,
            tree: Tree::default(),
        }
    }

    /// Takes one event; false when no further one is wanted.
    pub(super) fn take(&mut self, event: Event<'_>, span: Span) -> bool {
        let range = self.range(span);
        // The parser counts from the line below the opening fence, which is line 1.
        self.line = span.start.line() + 1;
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.tree.drafts.push(
                        Draft::at(
                            Kind::YamlSyntax,
                            range,
                            "the frontmatter holds more than one YAML document",
                        )
                        .help("remove the `...` line and what follows it"),
                    );
                    return false;
                }
            }
            Event::Comment(..) => self.tree.comments.push(range),
            Event::Anchor(_, name) => {
                let help = self.quoted(&range, "remove the anchor");
                let message = format!("the YAML anchor `&{name}` is not allowed here");
                self.tree
                    .drafts
                    .push(Draft::at(Kind::YamlAlias, range, message).help(help));
            }
            Event::Alias(_) => {
                let help = self.quoted(&range, "write the value out");
                let message = "a YAML alias is not allowed here";
                self.tree
                    .drafts
                    .push(Draft::at(Kind::YamlAlias, range.clone(), message).help(help));
                self.put(Value {
                    content: Content::Text {
                        text: String::new(),
                        plain: false,
                    },
                    range,
                });
            }
            Event::Scalar(text, style, _, tag) => {
                self.tag(tag.is_some(), span);
                let plain = style == ScalarStyle::Plain;
                // An empty plain scalar is a value that is not there; the parser calls it `~`.
                let text = if plain && range.is_empty() {
                    String::new()
                } else {
                    text.into_owned()
                };
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let range = if is_block { self.trim(range) } else { range };
                self.put(Value {
                    content: Content::Text { text, plain },
                    range,
                });
            }
            Event::SequenceStart(_, _, tag) => {
                self.tag(tag.is_some(), span);
                self.open.push(Open::List {
                    start: range.start,
                    items: Vec::new(),
                });
            }
            Event::MappingStart(_, _, tag) => {
                self.tag(tag.is_some(), span);
                let (entries, keys) = (Vec::with_capacity(8), Keys::default());
                self.open.push(Open::Map {
                    start: range.start,
                    entries,
                    keys,
                    key: None,
                });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                // A block collection ends with the last thing in it, whatever blank lines follow.
                if !range.is_empty() {
                    self.last = range.end;
                }
                let (content, start) = match self.open.pop() {
                    Some(Open::List { start, items }) => (Content::List(items), start),
                    Some(Open::Map { start, entries, .. }) => (Content::Map(entries), start),
                    None => return false,
                };
                self.put(Value {
                    content,
                    range: start..self.last.max(start),
                });
            }
            _ => {}
        }
        true
    }

    pub(super) fn into_tree(mut self) -> Tree {
        if let Some(Open::Map { entries, .. }) = self.open.into_iter().next() {
            self.tree.entries = entries;
        }
        self.tree
    }

    fn range(&self, span: Span) -> Range<usize> {
        // A parser made from a `str` always knows its byte offsets.
        let range = span.byte_range().unwrap_or(0..0);
        self.base + range.start..self.base + range.end.max(range.start)
    }

    /// A block scalar's place without the line breaks after it.
    fn trim(&self, range: Range<usize>) -> Range<usize> {
        let text = self
            .text
            .get(range.start - self.base..range.end - self.base)
            .unwrap_or_default();
        range.start..range.start + text.trim_end().len()
    }

    fn tag(&mut self, is_tagged: bool, span: Span) {
        if is_tagged {
            let range = self.range(span.tag_span().unwrap_or(span));
            let help = self.quoted(&range, "remove the tag");
            let message = "a YAML tag is not allowed here";
            self.tree
                .drafts
                .push(Draft::at(Kind::YamlTag, range, message).help(help));
        }
    }

    /// Advice for an indicator that may have been meant as text.
    fn quoted(&self, range: &Range<usize>, otherwise: &str) -> String {
        // Only within lines that a person would write: a header may hold very many anchors.
        const REACH: usize = 2048;
        /// So many are shown with the line to paste; a header may hold very many.
        const SHOWN: usize = 16;
        if self.tree.drafts.len() >= SHOWN {
            return otherwise.to_owned();
        }
        let at = range.start - self.base;
        let bytes = self.text.as_bytes();
        let from = at.saturating_sub(REACH);
        let start = match memchr::memrchr(b'\n', &bytes[from..at]) {
            Some(newline) => Some(from + newline + 1),
            None => (from == 0).then_some(0),
        };
        let end = memchr::memchr(b'\n', &bytes[at..bytes.len().min(at + REACH)]);
        let line = start
            .zip(end)
            .map(|(start, _)| crate::frame::line(self.text, start).0);
        match line
            .and_then(|line| pair(self.text, line))
            .filter(|pair| pair.value.contains(&at))
        {
            Some(pair) => {
                let (key, value) = (&self.text[pair.key], quoted(&self.text[pair.value]));
                format!("{otherwise}; or, if it is text, put the value in quotes: `{key}: {value}`")
            }
            None => otherwise.to_owned(),
        }
    }

    fn put(&mut self, value: Value) {
        self.last = self.last.max(value.range.end);
        match self.open.last_mut() {
            None => self.tree.root = Some(value),
            Some(Open::List { items, .. }) => items.push(value),
            Some(Open::Map {
                entries, keys, key, ..
            }) => match key.take() {
                Some(Key { text, range, keep }) => {
                    if keep {
                        entries.push(Entry {
                            key: text,
                            key_range: range,
                            value,
                        });
                    }
                }
                None => {
                    *key = Some(Self::key(
                        value,
                        self.line,
                        entries,
                        keys,
                        &mut self.tree.drafts,
                    ))
                }
            },
        }
    }

    fn key(
        value: Value,
        line: usize,
        entries: &[Entry],
        keys: &mut Keys,
        drafts: &mut Vec<Draft>,
    ) -> Key {
        let range = value.range.clone();
        let Content::Text { text, .. } = value.content else {
            let message = format!("a key must be a text, and this is {}", value.noun());
            drafts.push(
                Draft::at(Kind::YamlComplexKey, range.clone(), message)
                    .help("put the key in quotes if the brackets are part of it"),
            );
            return Key {
                text: Cow::Borrowed(""),
                range,
                keep: false,
            };
        };
        let text = common(&text).map_or(Cow::Owned(text), Cow::Borrowed);
        if let Some(first) = keys.first(&text, line, entries) {
            let key = crate::frame::short(&text);
            let message = format!("the key `{key}` stands twice; the first is on line {first}");
            drafts.push(
                Draft::at(Kind::DuplicateKey, range.clone(), message)
                    .help("keep one of the two and remove the other"),
            );
            return Key {
                text,
                range,
                keep: false,
            };
        }
        Key {
            text,
            range,
            keep: true,
        }
    }
}

/// A key that most files have, so that it need not be copied.
fn common(key: &str) -> Option<&'static str> {
    const KEYS: [&str; 16] = [
        "name",
        "description",
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
        "version",
        "author",
        "tags",
        "origin",
        "source",
        "dependencies",
        "user-invocable",
        "argument-hint",
        "category",
        "domain",
    ];
    KEYS.into_iter().find(|known| *known == key)
}
