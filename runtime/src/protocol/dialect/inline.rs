//! References written out, for providers that have none.

use super::{RECURSION, node::Node};
use crate::protocol::percent::plain;

/// The most nodes that a schema may have when its references are written out.
const MOST_NODES: usize = 20_000;
/// The most bytes of texts in it.
const MOST_BYTES: usize = 4 << 20;
/// How deep it may be; what reads JSON rarely goes deeper.
const MOST_DEPTH: usize = 120;

/// The schema without references. A type that stands within itself is written out
/// [`RECURSION`] more times; what lies deeper is an object described in words.
pub(super) fn inline(root: &Node) -> Result<Node, String> {
    let mut writer = Writer {
        root,
        open: Vec::new(),
        nodes: 0,
        bytes: 0,
        depth: 0,
    };
    writer.schema(root)
}

struct Writer<'a> {
    root: &'a Node,
    /// The references that are being written out.
    open: Vec<&'a str>,
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl<'a> Writer<'a> {
    fn schema(&mut self, node: &'a Node) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(format!(
                "the provider has no references, and written out the schema is more than \
                 {MOST_DEPTH} levels deep; make its types less deep"
            ));
        }
        let written = self.level(node);
        self.depth -= 1;
        written
    }

    /// Counts what is written: a part, or a part and all within it.
    fn count(&mut self, node: &Node, within: bool) -> Result<(), String> {
        self.nodes += 1;
        self.bytes += match node {
            Node::String(text) => text.len(),
            Node::Object(members) => members.iter().map(|(key, _)| key.len()).sum(),
            _ => 0,
        };
        if self.nodes > MOST_NODES || self.bytes > MOST_BYTES {
            return Err(format!(
                "the provider has no references, and written out the schema has more than \
                 {MOST_NODES} parts or {MOST_BYTES} bytes; make its types smaller or less recursive"
            ));
        }
        if within {
            for (_, member) in node.members() {
                self.count(member, true)?;
            }
            for entry in node.entries() {
                self.count(entry, true)?;
            }
        }
        Ok(())
    }

    fn level(&mut self, node: &'a Node) -> Result<Node, String> {
        self.count(node, false)?;
        match node {
            Node::Object(members) => {
                let reference = node.get("$ref").and_then(Node::as_str);
                match reference {
                    Some(reference) => self.reference(reference, members),
                    None => {
                        let mut out = Vec::with_capacity(members.len());
                        for (key, value) in members {
                            if key == "$defs" || key == "definitions" {
                                continue;
                            }
                            // Not schemas, so a `$ref` in them is data.
                            let data = ["enum", "const", "default", "examples", "required"];
                            let value = if data.contains(&key.as_str()) {
                                self.count(value, true)?;
                                value.clone()
                            } else if key == "properties" {
                                self.properties(value)?
                            } else {
                                self.schema(value)?
                            };
                            out.push((key.clone(), value));
                        }
                        Ok(Node::Object(out))
                    }
                }
            }
            Node::Array(entries) => {
                let entries = entries.iter().map(|entry| self.schema(entry));
                Ok(Node::Array(entries.collect::<Result<_, _>>()?))
            }
            other => Ok(other.clone()),
        }
    }

    /// Properties may have any names, `$ref` too.
    fn properties(&mut self, node: &'a Node) -> Result<Node, String> {
        let mut out = Vec::new();
        for (name, schema) in node.members() {
            out.push((name.clone(), self.schema(schema)?));
        }
        Ok(Node::Object(out))
    }

    fn reference(
        &mut self,
        reference: &'a str,
        siblings: &'a [(String, Node)],
    ) -> Result<Node, String> {
        let target = self.find(reference).ok_or_else(|| {
            format!("the reference `{reference}` leads nowhere; only `#` and `#/$defs/…` are known")
        })?;
        let within = self.open.iter().filter(|open| **open == reference).count();
        let mut out = if within > RECURSION || self.only_refers(target) {
            let kind = target.get("type").cloned();
            let mut cut = Node::Object(vec![(
                "type".to_owned(),
                kind.unwrap_or(Node::text("object")),
            )]);
            let name = reference.rsplit('/').next().unwrap_or(reference);
            let text = match name {
                "#" => "the same form as the whole".to_owned(),
                name => format!("the same form as the {name} around it"),
            };
            cut.set("description", Node::String(text));
            cut
        } else {
            self.open.push(reference);
            let written = self.schema(target);
            self.open.pop();
            written?
        };
        for (key, value) in siblings {
            if key != "$ref" && key != "$defs" && key != "definitions" {
                self.count(value, true)?;
                out.set(key, value.clone());
            }
        }
        Ok(out)
    }

    /// Whether a definition is nothing but a reference to itself.
    fn only_refers(&self, target: &Node) -> bool {
        let mut at = target;
        for _ in 0..=RECURSION {
            let Some(next) = at.get("$ref").and_then(Node::as_str) else {
                return false;
            };
            match self.find(next) {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    }

    fn find(&self, reference: &str) -> Option<&'a Node> {
        find(self.root, reference)
    }
}

/// What a reference within a schema leads to: `#`, or a path such as `#/$defs/Name`.
pub(super) fn find<'a>(root: &'a Node, reference: &str) -> Option<&'a Node> {
    let path = reference.strip_prefix('#')?;
    if path.is_empty() {
        return Some(root);
    }
    let mut at = root;
    for step in plain(path.strip_prefix('/')?).split('/') {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            Node::Array(entries) => entries.get(step.parse::<usize>().ok()?)?,
            other => other.get(&step)?,
        };
    }
    Some(at)
}
