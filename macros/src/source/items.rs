//! The blocks and items of a source file, found without parsing it.

use std::{cell::OnceCell, collections::HashMap};

use super::{tokens::Tokens, tools::Tool, types::Type};

/// Keywords of items that have a name.
const ITEMS: [&str; 7] = ["fn", "mod", "struct", "enum", "union", "trait", "type"];
/// Words that may stand before the keyword.
const BEFORE: [&str; 8] = [
    "pub", "unsafe", "default", "async", "const", "extern", "auto", "safe",
];

/// Keys of attributes that take a path.
const PATHS: [&str; 4] = ["crate", "fallback", "replaced_by", "post_process"];

/// A source file.
pub(super) struct Index {
    /// Where each line starts.
    lines: Vec<usize>,
    text: Box<str>,
    /// In the order in which they open; the first is the file.
    blocks: Vec<Block>,
    pub(super) items: Vec<Item>,
    /// The `impl` blocks; the name of one is what follows the keyword.
    pub(super) impls: Vec<Item>,
    /// The places in `items`, by name.
    names: HashMap<Box<str>, Vec<usize>>,
    /// What is found out when somebody asks for it.
    pub(super) tools: OnceCell<Vec<Tool>>,
    pub(super) types: OnceCell<Vec<Type>>,
}

/// What lies between braces.
pub(super) struct Block {
    start: usize,
    end: usize,
    kind: &'static str,
    /// The number of the block around it; the file is in itself.
    parent: usize,
    has_cfg: bool,
}

/// An item with a name.
pub(super) struct Item {
    pub(super) kind: &'static str,
    /// The place of the name.
    pub(super) name_at: usize,
    /// The place of the first token, attributes included.
    pub(super) at: usize,
    /// The number of the block it is in.
    pub(super) block: usize,
    pub(super) has_cfg: bool,
    /// Whether it is marked `#[tool]` or `#[toolbox]`.
    pub(super) is_tool: bool,
}

impl Block {
    /// `impl`, `trait`, another keyword, or nothing.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }
}

impl Index {
    pub(super) fn new(text: &str) -> Index {
        let mut index = Index {
            lines: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
            text: text.into(),
            blocks: vec![Block {
                start: 0,
                end: text.len(),
                kind: "",
                parent: 0,
                has_cfg: false,
            }],
            items: Vec::new(),
            impls: Vec::new(),
            names: HashMap::new(),
            tools: OnceCell::new(),
            types: OnceCell::new(),
        };
        index.read();
        index
    }

    /// The place of a line and column (in characters), both from 1.
    pub(super) fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.lines.get(line.checked_sub(1)?)?;
        let mut places = self.text.get(start..)?.char_indices();
        Some(start + places.nth(column.checked_sub(1)?)?.0)
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset)
    }

    /// The innermost block around a place.
    pub(super) fn block(&self, offset: usize) -> &Block {
        let inside = |block: &&Block| block.start <= offset && offset < block.end;
        // The file itself is around every place.
        let mut around = self.blocks.iter().filter(inside);
        let first = around.next().unwrap_or(&self.blocks[0]);
        around.next_back().unwrap_or(first)
    }

    /// Whether a block is around a place.
    pub(super) fn holds(&self, block: usize, offset: usize) -> bool {
        let block = self.blocks.get(block);
        block.is_some_and(|block| block.start <= offset && offset < block.end)
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Item> {
        let places = self.names.get(name).into_iter().flatten();
        places.filter_map(|place| self.items.get(*place))
    }

    /// Whether what stands in a block is always there, once: around it are modules and functions alone.
    pub(super) fn is_plain(&self, mut number: usize) -> bool {
        while number > 0 {
            let Some(block) = self.blocks.get(number) else {
                return false;
            };
            if block.has_cfg || !matches!(block.kind, "mod" | "fn") {
                return false;
            }
            number = block.parent;
        }
        true
    }

    /// The name of an item, without `r#`.
    pub(super) fn name(&self, item: &Item) -> &str {
        let mut tokens = Tokens {
            text: &self.text,
            at: item.name_at,
        };
        let name = tokens.next_token().map_or("", |(_, name)| name);
        name.trim_start_matches("r#")
    }

    /// The text of an item before its name.
    pub(super) fn head(&self, item: &Item) -> &str {
        self.text.get(item.at..item.name_at).unwrap_or_default()
    }

    /// The text of a type, to its braces or semicolon.
    pub(super) fn whole(&self, item: &Item) -> &str {
        let mut tokens = Tokens {
            text: &self.text,
            at: item.name_at,
        };
        let mut depth = 0_usize;
        while let Some((at, token)) = tokens.next_token() {
            match token {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "}" if depth > 1 => depth -= 1,
                "}" => return self.text.get(item.at..=at).unwrap_or_default(),
                ";" if depth == 0 => return self.text.get(item.at..=at).unwrap_or_default(),
                _ => {}
            }
        }
        ""
    }

    /// Whether a word stands anywhere but as the value of a key that takes a path.
    pub(super) fn mentions(&self, word: &str) -> bool {
        let mut tokens = Tokens {
            text: &self.text,
            at: 0,
        };
        let mut before = ["", "", ""];
        while let Some((_, token)) = tokens.next_token() {
            let is_value = matches!(before, [.., key, "="] if PATHS.contains(&key))
                || matches!(before, ["=", ":", ":"]);
            if token == word && !is_value {
                return true;
            }
            before = [before[1], before[2], token];
        }
        false
    }

    /// Whether a name is written at a place. Elsewhere it may come from a macro.
    pub(super) fn reads(&self, offset: usize, name: &str) -> bool {
        let text = self.text.get(offset..).unwrap_or_default();
        text.strip_prefix("r#").unwrap_or(text).starts_with(name)
    }

    /// Whether there may be names that the file does not hold.
    pub(super) fn has_unnamed(&self) -> bool {
        ["::*", "macro_rules!", "include!"]
            .iter()
            .any(|way| self.text.contains(way))
    }

    /// What stands between a place and the next brace, without spaces and comments.
    pub(super) fn to_brace(&self, offset: usize) -> String {
        let mut tokens = Tokens {
            text: &self.text,
            at: offset,
        };
        let mut found = String::new();
        while let Some((_, token)) = tokens.next_token() {
            if token == "{" {
                break;
            }
            found.push_str(token);
        }
        found
    }

    /// What stands before a place, without the spaces between.
    pub(super) fn before(&self, offset: usize) -> &str {
        self.text.get(..offset).unwrap_or_default().trim_end()
    }

    fn read(&mut self) {
        let text = std::mem::take(&mut self.text);
        let mut open = vec![0];
        let mut head = Head::default();
        let mut tokens = Tokens { text: &text, at: 0 };
        while let Some((at, token)) = tokens.next_token() {
            let block = open.last().copied().unwrap_or_default();
            match token {
                "{" => {
                    self.blocks.push(Block {
                        start: at,
                        end: text.len(),
                        kind: head.kind,
                        parent: block,
                        has_cfg: head.has_cfg,
                    });
                    open.push(self.blocks.len() - 1);
                    head = Head::default();
                }
                "}" => {
                    if let (true, Some(closed)) = (open.len() > 1, open.pop())
                        && let Some(block) = self.blocks.get_mut(closed)
                    {
                        block.end = at;
                    }
                    head = Head::default();
                }
                ";" => head = Head::default(),
                _ => {
                    let item = head.take(at, token, block);
                    if let Some(item) = item {
                        if item.kind == "impl" {
                            self.impls.push(item);
                            continue;
                        }
                        let name = token.trim_start_matches("r#");
                        let places = self.names.entry(name.into()).or_default();
                        places.push(self.items.len());
                        self.items.push(item);
                    }
                }
            }
        }
        self.text = text;
    }
}

/// What was read of an item before its braces or semicolon.
#[derive(Default)]
struct Head {
    at: Option<usize>,
    /// How many brackets of an attribute are open.
    brackets: usize,
    /// How many parentheses of `pub(crate)` are open.
    parentheses: usize,
    /// Whether the first word of the attribute comes next.
    attribute: bool,
    kind: &'static str,
    is_named: bool,
    has_cfg: bool,
    is_tool: bool,
    /// Whether this is no item at all.
    other: bool,
}

impl Head {
    fn take(&mut self, at: usize, token: &str, block: usize) -> Option<Item> {
        let start = *self.at.get_or_insert(at);
        match token {
            "[" => self.brackets += 1,
            "]" => self.brackets = self.brackets.saturating_sub(1),
            "(" if self.brackets == 0 => self.parentheses += 1,
            ")" if self.brackets == 0 => self.parentheses = self.parentheses.saturating_sub(1),
            "#" if self.brackets == 0 => self.attribute = true,
            _ if self.brackets > 0 => {
                // `#[tool]`, `#[repertoire::tool(…)]`, `#[cfg(…)]`, `#[cfg_attr(…)]`
                if self.attribute && token != ":" {
                    self.is_tool |= matches!(token, "tool" | "toolbox");
                    self.has_cfg |= token.starts_with("cfg");
                }
                self.attribute &= token == ":" || !matches!(token, "(" | "=" | ",");
            }
            _ if self.other || self.parentheses > 0 || self.is_named => {}
            _ if !self.kind.is_empty() => {
                self.is_named = true;
                return Some(Item {
                    kind: self.kind,
                    name_at: at,
                    at: start,
                    block,
                    has_cfg: self.has_cfg,
                    is_tool: self.is_tool,
                });
            }
            _ => match ITEMS.iter().chain(&["impl"]).find(|kind| **kind == token) {
                Some(kind) => self.kind = kind,
                // The text after `extern`.
                None => self.other = !BEFORE.contains(&token) && token != "\"",
            },
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    const FILE: &str = r###"
mod time { pub fn now() {} }
/// A "quote, and {
#[repertoire::tool(name = "}")]
pub(crate) async fn plan<'a>(text: &'a str) -> char { '{' }
// fn plan {
/* fn plan /* { */ { */
impl<T> Planner for Plan where T: Fn() -> u8 {
    #[tool]
    fn plan() -> &'static str { r#"}"{"# }
    fn inner() { if true { #[tool] fn deep() {} } }
}
#[cfg(unix)] extern "C" fn plan() { call(fn_pointer, b"\"{"); }
const X: Foo = Foo { a: 1 };
unsafe trait Wide { fn r#type(); }
"###;

    #[test]
    fn items_and_blocks_are_found() {
        let index = Index::new(FILE);
        let found: Vec<_> = index
            .items
            .iter()
            .map(|item| {
                let name: String = FILE[item.name_at..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '#')
                    .collect();
                let around = index.block(item.name_at).kind();
                (item.kind, name, around, item.is_tool, item.has_cfg)
            })
            .collect();
        let item = |kind, name: &str, around, tool, cfg| (kind, name.to_owned(), around, tool, cfg);
        assert_eq!(
            found,
            [
                item("mod", "time", "", false, false),
                item("fn", "now", "mod", false, false),
                item("fn", "plan", "", true, false),
                item("fn", "plan", "impl", true, false),
                item("fn", "inner", "impl", false, false),
                item("fn", "deep", "", true, false),
                item("fn", "plan", "", false, true),
                item("trait", "Wide", "", false, false),
                item("fn", "r#type", "trait", false, false),
            ]
        );
        assert_eq!(index.named("plan").count(), 3);
        assert_eq!(index.named("type").count(), 1);
        let offset = index.offset(5, 21).unwrap();
        assert_eq!(&FILE[offset..offset + 4], "plan");
        assert_eq!(index.line(offset), 5);
        assert_eq!(index.offset(500, 1), None);
    }

    #[test]
    fn what_is_cut_off_is_read_to_its_end() {
        for end in 0..FILE.len() {
            if FILE.is_char_boundary(end) {
                Index::new(&FILE[..end]);
            }
        }
    }
}
