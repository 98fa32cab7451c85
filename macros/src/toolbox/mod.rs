//! `#[toolbox]`: an `impl` block whose methods are tools. Each method is understood and expanded as
//! `#[tool]` does it; this only takes the block apart.

mod block;
mod expand;

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, spanned::Spanned};

use crate::{
    diagnostics::Diagnostics,
    externs, keys,
    source::Place,
    tool::{attr::Attr, check, model},
};
use block::{Block, Member};

const KEYS: &[&str] = &["prefix", "crate"];

/// What `#[toolbox(...)]` says.
#[derive(Default)]
struct BoxAttr {
    prefix: String,
    crate_path: Option<Path>,
}

/// The whole macro. Where something is wrong, the block stays, without its tools.
pub(crate) fn entry(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut block = match syn::parse2::<Block>(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#item #error);
        }
    };
    if let Some(both) = block.split(&attribute) {
        return both;
    }
    let mut found = Diagnostics::default();
    let attr = BoxAttr::read(attribute, &mut found);
    if let Some(problem) = externs::problem(attr.crate_path.as_ref()) {
        found.push(problem);
        let errors = found.into_tokens();
        return quote!(#block #errors);
    }
    let earlier = Place::of(block.ty.span()).and_then(|place| place.earlier_toolbox());
    if let Some(line) = earlier {
        found.at(
            &block.ty,
            format!(
                "this type has a toolbox already, in line {line}; put all its tools into one \
                 `impl` block"
            ),
        );
        let errors = found.into_tokens();
        return quote!(#block #errors);
    }
    let krate = externs::path(attr.crate_path.as_ref());
    block.check(&mut found);
    let owner = model::Owner {
        ty: block.ty.clone(),
        prefix: attr.prefix,
    };
    let mut tools = Vec::new();
    for member in &mut block.members {
        if let Member::Tool(attribute, function) = member {
            let attr = Attr::parse(keys::arguments(attribute, &mut found), &mut found);
            refuse_keys(&attr, &mut found);
            let mut tool = model::Tool::lower(attr, function, Some(&owner), &mut found);
            tool.krate = krate.clone();
            check::check(&tool, &mut found);
            tools.push(tool);
        }
    }
    refuse_same_names(&tools, &mut found);
    if found.is_empty() {
        expand::expand(&block, tools, &krate)
    } else {
        expand::fallback(&block, &krate, found)
    }
}

/// Keys that say something of the block.
fn refuse_keys(attr: &Attr, found: &mut Diagnostics) {
    if let Some(name) = &attr.type_name {
        found.at(
            name,
            "the tools of a toolbox have no types of their own; leave `type` out",
        );
    }
    if let Some(path) = &attr.crate_path {
        found.at(
            path,
            "the tools of a toolbox share its crate; write `crate` into `#[toolbox(...)]`",
        );
    }
}

/// Reports a second tool of one name, unless it may not be there.
fn refuse_same_names(tools: &[model::Tool], found: &mut Diagnostics) {
    let mut names = HashSet::new();
    for tool in tools.iter().filter(|tool| tool.cfgs.is_empty()) {
        let name = &tool.name.text;
        let toolset = tool.toolset.as_ref().map(|toolset| &toolset.text);
        if !names.insert((name, toolset)) {
            found.at_span(
                tool.name.span,
                format!("two tools of this toolbox are called `{name}`; rename one of them"),
            );
        }
    }
}

impl BoxAttr {
    fn read(attribute: TokenStream, found: &mut Diagnostics) -> BoxAttr {
        let mut attr = BoxAttr::default();
        for key in keys::parse(attribute, KEYS, found) {
            let set = match key.name().as_str() {
                "prefix" => key.text().map(|prefix| attr.prefix = prefix.value()),
                _ => key.path().map(|path| attr.crate_path = Some(path)),
            };
            if let Err(error) = set {
                found.push(error);
            }
        }
        attr
    }
}
