//! What a tool may not be because of what stands around it: the type beside the function must not hide
//! or repeat anything, and that type cannot stand in an `impl` block.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, ext::IdentExt};

use super::{function::Function, model::Tool};
use crate::{diagnostics::Diagnostics, source::Place};

/// Types of the language and of its prelude, and its crates.
const KNOWN: &[&str] = &[
    "bool",
    "char",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "str",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "alloc",
    "core",
    "std",
    "Box",
    "Option",
    "Result",
    "String",
    "Vec",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "Eq",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Future",
    "Hash",
    "Into",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
];
/// What the type beside the function has.
const OWN: &[&str] = &["SPEC", "REGISTRATION"];

/// What can be written where the tool stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The function and a type beside it.
    All,
    /// The function alone.
    Function,
    /// Nothing: it is there already.
    Nothing,
}

/// Reports what stands in the way.
pub(super) fn look(tool: &Tool, function: &Function, found: &mut Diagnostics) -> Room {
    if let Some(problem) = &tool.no_crate {
        found.push(problem.clone());
        return Room::Function;
    }
    let place = Place::of(function.ident.span());
    if function.is_method() {
        // `self` outside of an `impl` block would be an error of its own.
        let is_free = place.as_ref().is_some_and(|place| !place.is_in_impl());
        return match is_free && function.has_body() {
            true => Room::Nothing,
            false => Room::Function,
        };
    }
    if function.is_variadic() {
        return Room::Nothing;
    }
    if let Some(place) = &place {
        if place.is_in_impl() {
            found.at(
                &function.ident,
                "`#[tool]` on a method: write `#[toolbox]` on the `impl` block",
            );
            return Room::Function;
        }
        if let Some(line) = place.earlier_tool(&function.ident.unraw().to_string()) {
            found.at(
                &function.ident,
                format!(
                    "the tool `{}` is written twice; the first is in line {line}",
                    function.ident
                ),
            );
            return Room::Nothing;
        }
        let toolset = tool.toolset.as_ref().map(|toolset| toolset.text.as_str());
        if !tool.unlinked
            && let Some(line) = place.same_tool(&tool.name.text, toolset)
        {
            found.at_span(
                tool.name.span,
                format!(
                    "two tools are called `{}`, and the first is in line {line}; rename one of them \
                     with `name = \"…\"`, or give it to another agent with `toolset = \"…\"`",
                    tool.name.text
                ),
            );
            return Room::All;
        }
    }
    match hidden(tool, function, place.as_ref()) {
        Some((token, what)) => {
            let name = tool.type_name.unraw();
            found.at(
                token,
                format!(
                    "the type beside the tool is called `{name}` too, and {what}; name that type \
                     otherwise: `type = {}`",
                    suggestion(&name.to_string())
                ),
            );
            Room::Function
        }
        None => Room::All,
    }
}

/// What the type beside the function would hide or repeat.
fn hidden(tool: &Tool, function: &Function, place: Option<&Place>) -> Option<(Ident, String)> {
    let name = tool.type_name.unraw().to_string();
    let at = tool.type_name.clone();
    if KNOWN.contains(&name.as_str()) {
        return Some((at, format!("would hide Rust's own `{name}`")));
    }
    if tool.type_name == function.ident
        && let Some((kind, line)) = place.and_then(|place| place.other_type(&name))
    {
        return Some((at, format!("there is a `{kind} {name}` in line {line}")));
    }
    let mut written = function.rest.clone();
    written.extend(function.output.to_token_stream());
    for ty in function.inputs.iter().filter_map(|input| input.ty.as_ref()) {
        written.extend([TokenTree::Punct(proc_macro2::Punct::new(
            ',',
            Spacing::Alone,
        ))]);
        written.extend(ty.to_token_stream());
    }
    let path = start_of_path(written, &name)?;
    Some((path, format!("hides what `{name}::` means here")))
}

/// Where a path starts with the name, unless it leads to what the type itself has.
fn start_of_path(tokens: TokenStream, name: &str) -> Option<Ident> {
    let mut tokens = tokens.into_iter().peekable();
    let mut inside = false;
    while let Some(token) = tokens.next() {
        let after = std::mem::replace(&mut inside, is_joint(&token));
        match token {
            TokenTree::Group(group) => {
                if let Some(found) = start_of_path(group.stream(), name) {
                    return Some(found);
                }
            }
            TokenTree::Ident(ident) if !after && ident == name => {
                let mut next = || tokens.next_if(is_colon).is_some();
                if next() && next() {
                    inside = true;
                    let own = |token: &TokenTree| match token {
                        TokenTree::Ident(next) => OWN.iter().any(|own| next == own),
                        _ => false,
                    };
                    if !tokens.peek().is_some_and(own) {
                        return Some(ident);
                    }
                }
            }
            _ => {}
        }
    }
    None
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

/// Whether what follows is part of what comes before: `a::b`, `a.b`.
fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '.'))
}

/// `WarehouseStockTool` for `warehouse_stock`.
fn suggestion(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out + "Tool"
}
