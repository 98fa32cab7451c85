//! Events to values.

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, ScalarStyle, Span};

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
        keys: HashMap<String, Range<usize>>,
        key: Option<Key>,
    },
}

struct Key {
    text: String,
    range: Range<usize>,
    /// False for a key that was reported already; its entry is dropped.
    keep: bool,
}

pub(super) struct Builder<'t> {
    text: &'t str,
    base: usize,
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
            last: base,
            open: Vec::new(),
            documents: 0,
            tree: Tree::default(),
        }
    }

    /// Takes one event; false when no further one is wanted.
    pub(super) fn take(&mut self, event: Event<'_>, span: Span) -> bool {
        let range = self.range(span);
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.tree.drafts.push(
                        Draft::at(Kind::YamlSyntax, range, "the frontmatter holds more than one YAML document")
                            .help("remove the `...` line and what follows it"),
                    );
                    return false;
                }
            }
            Event::Comment(..) => self.tree.comments.push(range),
            Event::Anchor(_, name) => self.tree.drafts.push(
                Draft::at(Kind::YamlAlias, range, format!("the YAML anchor `&{name}` is not allowed here"))
                    .help("put the value in quotes if `&` is part of the text; else write the value out wherever it is used"),
            ),
            Event::Alias(_) => {
                self.tree.drafts.push(
                    Draft::at(Kind::YamlAlias, range.clone(), "a YAML alias is not allowed here")
                        .help("put the value in quotes if `*` is part of the text; else write the value out"),
                );
                self.put(Value { content: Content::Text { text: String::new(), plain: false }, range });
            }
            Event::Scalar(text, style, _, tag) => {
                self.tag(tag.is_some(), span);
                let plain = style == ScalarStyle::Plain;
                // An empty plain scalar is a value that is not there; the parser calls it `~`.
                let text = if plain && range.is_empty() { String::new() } else { text.into_owned() };
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let range = if is_block { self.trim(range) } else { range };
                self.put(Value { content: Content::Text { text, plain }, range });
            }
            Event::SequenceStart(_, _, tag) => {
                self.tag(tag.is_some(), span);
                self.open.push(Open::List { start: range.start, items: Vec::new() });
            }
            Event::MappingStart(_, _, tag) => {
                self.tag(tag.is_some(), span);
                let (entries, keys) = (Vec::new(), HashMap::new());
                self.open.push(Open::Map { start: range.start, entries, keys, key: None });
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
                self.put(Value { content, range: start..self.last.max(start) });
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
            self.tree.drafts.push(
                Draft::at(Kind::YamlTag, range, "a YAML tag is not allowed here").help(
                    "put the value in quotes if `!` is part of the text; else remove the tag",
                ),
            );
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
                None => *key = Some(Self::key(value, keys, &mut self.tree.drafts)),
            },
        }
    }

    fn key(value: Value, keys: &mut HashMap<String, Range<usize>>, drafts: &mut Vec<Draft>) -> Key {
        let range = value.range.clone();
        let Content::Text { text, .. } = value.content else {
            drafts.push(
                Draft::at(
                    Kind::YamlComplexKey,
                    range.clone(),
                    format!("a key must be a text, and this is {}", value.noun()),
                )
                .help("put the key in quotes if the brackets are part of it"),
            );
            return Key {
                text: String::new(),
                range,
                keep: false,
            };
        };
        let known = keys.insert(text.clone(), range.clone());
        if known.is_some() {
            drafts.push(
                Draft::at(
                    Kind::DuplicateKey,
                    range.clone(),
                    format!("the key `{}` stands twice", crate::frame::short(&text)),
                )
                .help("keep one of the two and remove the other"),
            );
        }
        Key {
            text,
            range,
            keep: known.is_none(),
        }
    }
}
