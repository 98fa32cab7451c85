//! What the tools of a file are called.

use proc_macro2::TokenStream;
use syn::{
    Attribute,
    parse::{ParseStream, Parser},
};

use super::items::{Index, Item};
use crate::{diagnostics::Diagnostics, keys, tool::attr};

/// A function that is a tool and registers itself.
pub(super) struct Tool {
    name: String,
    toolset: Option<String>,
    /// The place of its first token.
    pub(super) at: usize,
}

impl Tool {
    pub(super) fn is_called(&self, name: &str, toolset: Option<&str>) -> bool {
        self.name == name && self.toolset.as_deref() == toolset
    }
}

/// The tools that are there whatever is configured, in the order of the file.
pub(super) fn of(index: &Index) -> &[Tool] {
    index.tools.get_or_init(|| {
        let is_tool = |item: &&Item| {
            item.kind == "fn" && item.is_tool && !item.has_cfg && index.is_plain(item.block)
        };
        let tools = index.items.iter().filter(is_tool);
        tools.filter_map(|item| read(index, item)).collect()
    })
}

fn read(index: &Index, item: &Item) -> Option<Tool> {
    let attributes = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    let attributes = attributes.parse_str(index.head(item)).ok()?;
    let is_tool = |attribute: &&Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|segment| segment.ident == "tool")
    };
    let attribute = attributes.iter().find(is_tool)?;
    // What is wrong with it is reported where it is expanded.
    let mut ignored = Diagnostics::default();
    let arguments = keys::arguments(attribute, &mut ignored);
    let mut name = index.name(item).to_owned();
    let mut toolset = None;
    for key in keys::parse(arguments, attr::KEYS, &mut ignored) {
        match key.name().as_str() {
            "name" => name = key.text().ok()?.value(),
            "toolset" => toolset = Some(key.text().ok()?.value()),
            "unlinked" if key.flag().ok()? => return None,
            _ => {}
        }
    }
    Some(Tool {
        name,
        toolset,
        at: item.at,
    })
}

#[cfg(test)]
mod tests {
    use super::{Index, of};

    const FILE: &str = r#"
#[tool] fn plan() {}
#[cfg(unix)] #[tool] fn plan() {}
#[cfg(test)] mod tests { #[tool] fn plan() {} }
mod boat {
    /// Plan with "quotes", { and #[tool].
    #[repertoire::tool(deferred, name = concat!("pl", "an"))] pub(crate) async fn by_boat() {}
    #[tool(toolset = "other")] fn plan() {}
    #[tool(unlinked)] fn plan() {}
    #[tool(name = 5)] fn broken() {}
}
impl Trip { #[tool] fn plan() {} }
macro_rules! tools { () => { #[tool] fn plan() {} } }
fn outer() { #[tool] fn r#match() {} if true { #[tool] fn deep() {} } }
fn plan_by_hand() {}
"#;

    #[test]
    fn tools_that_are_certainly_there_are_found_with_their_names() {
        let index = Index::new(FILE);
        let found: Vec<_> = of(&index)
            .iter()
            .map(|tool| {
                (
                    tool.name.as_str(),
                    tool.toolset.as_deref(),
                    index.line(tool.at),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("plan", None, 2),
                // A comment is no part of the item.
                ("plan", None, 7),
                ("plan", Some("other"), 8),
                ("match", None, 14),
            ]
        );
    }
}
