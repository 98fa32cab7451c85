//! Parameters that depend on `cfg`. A macro cannot tell whether a condition holds, so the item is
//! written once for either case, and the compiler, which can, keeps one of them and calls the macro
//! on it again.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Meta, Path, Token, parse::Parser, punctuated::Punctuated};

use super::function::{Function, Input};
use crate::{
    diagnostics::Diagnostics,
    externs,
    keys::{self, Key},
};

/// The function for either case of the first condition on a parameter, if there is one.
pub(super) fn split_function(attribute: &TokenStream, function: &Function) -> Option<TokenStream> {
    let condition = condition(function)?;
    let krate = krate(attribute);
    let with = settled(function, true);
    let without = settled(function, false);
    Some(quote! {
        #[cfg(#condition)]
        #[#krate::tool(#attribute)]
        #with
        #[cfg(not(#condition))]
        #[#krate::tool(#attribute)]
        #without
    })
}

/// The first condition on a parameter.
pub(crate) fn condition(function: &Function) -> Option<TokenStream> {
    let attributes = function.inputs.iter().flat_map(|input| &input.attributes);
    attributes
        .filter_map(Conditional::of)
        .map(|conditional| conditional.condition)
        .next()
}

/// Where the crate is, as a macro's keys say.
pub(crate) fn krate(attribute: &TokenStream) -> TokenStream {
    // What is wrong with the keys is reported when the macro is called again.
    let mut ignored = Diagnostics::default();
    let keys = keys::parse(attribute.clone(), &["crate"], &mut ignored);
    let path: Option<Path> = keys.iter().find_map(|key: &Key| key.path().ok());
    externs::path(path.as_ref())
}

/// The function where its first condition holds or does not.
pub(crate) fn settled(function: &Function, holds: bool) -> Function {
    let mut function = function.clone();
    let found = (function.inputs.iter().enumerate()).find_map(|(index, input)| {
        let mut attributes = input.attributes.iter().enumerate();
        let (place, conditional) =
            attributes.find_map(|(place, attribute)| Some((place, Conditional::of(attribute)?)))?;
        Some((index, place, conditional))
    });
    let Some((index, place, conditional)) = found else {
        return function;
    };
    if conditional.is_parameter && !holds {
        function.inputs.remove(index);
        return function;
    }
    let attributes = if holds {
        conditional.attributes
    } else {
        Vec::new()
    };
    if let Some(Input {
        attributes: all, ..
    }) = function.inputs.get_mut(index)
    {
        all.splice(place..=place, attributes);
    }
    function
}

/// `#[cfg(condition)]` or `#[cfg_attr(condition, attributes)]`.
struct Conditional {
    condition: TokenStream,
    /// Whether the parameter itself depends on it.
    is_parameter: bool,
    attributes: Vec<Attribute>,
}

impl Conditional {
    fn of(attribute: &Attribute) -> Option<Conditional> {
        let Meta::List(list) = &attribute.meta else {
            return None;
        };
        if list.path.is_ident("cfg") {
            return Some(Conditional {
                condition: list.tokens.clone(),
                is_parameter: true,
                attributes: Vec::new(),
            });
        }
        if !list.path.is_ident("cfg_attr") {
            return None;
        }
        let parts = Punctuated::<Meta, Token![,]>::parse_terminated
            .parse2(list.tokens.clone())
            .ok()?;
        let mut parts = parts.into_iter();
        let condition = parts.next()?.into_token_stream();
        let attributes = parts.map(|meta| Attribute {
            meta,
            ..attribute.clone()
        });
        Some(Conditional {
            condition,
            is_parameter: false,
            attributes: attributes.collect(),
        })
    }
}
