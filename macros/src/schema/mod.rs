//! `#[derive(ToolSchema)]`: what serde reads, said as a JSON schema.

mod expand;
mod model;

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::{Ctxt, Derive, ast::Container};
use syn::DeriveInput;

use crate::diagnostics::Diagnostics;

/// The whole derive. Where something is wrong, the type still gets a schema, so that the mistake is
/// reported once.
pub(crate) fn entry(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut found = Diagnostics::default();
    let context = Ctxt::new();
    let private = quote::format_ident!("__private");
    let container = Container::from_ast(&context, &input, Derive::Deserialize, &private);
    // serde's own derive reports these; it stands beside this one.
    let serde_is_content = context.check().is_ok();
    let shape = container
        .filter(|_| serde_is_content)
        .and_then(|container| model::Shape::lower(&container, &mut found));
    match shape {
        Some(shape) if found.is_empty() => expand::expand(&input, &shape),
        _ => {
            let fallback = expand::fallback(&input);
            let errors = found.into_tokens();
            quote!(#fallback #errors)
        }
    }
}
