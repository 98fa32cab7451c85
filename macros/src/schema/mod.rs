//! `#[derive(ToolSchema)]`: attr -> model -> expand. What serde reads, said as a JSON schema.

mod attr;
mod check;
mod enums;
mod expand;
mod model;
mod recursion;

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
    let attr = attr::ContainerAttr::read(&input.attrs, &mut found);
    let context = Ctxt::new();
    let private = quote::format_ident!("__private");
    let container = Container::from_ast(&context, &input, Derive::Deserialize, &private);
    // serde's own derive says the same at the same place, and the compiler shows it once.
    if let Err(error) = context.check() {
        found.push(error);
    }
    let model = container
        .filter(|_| found.is_empty())
        .and_then(|container| model::Model::lower(&container, &attr, &mut found));
    match model {
        Some(model) if found.is_empty() => expand::expand(&input, &attr, &model),
        _ => {
            let fallback = expand::fallback(&input, &attr);
            let errors = found.into_tokens();
            quote!(#fallback #errors)
        }
    }
}
