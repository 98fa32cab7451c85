//! `#[derive(ToolSchema)]`: attr -> model -> expand. What serde reads, said as a JSON schema.

mod attr;
mod check;
mod circle;
mod enums;
mod expand;
mod lint;
mod model;
mod recursion;
mod serde;

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::{Ctxt, Derive, ast::Container};
use syn::{Data, DeriveInput};

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
    if let Some(problem) = attr.no_crate() {
        found.push(problem);
        return found.into_tokens();
    }
    if let Data::Union(data) = &input.data {
        found.at(
            data.union_token,
            "`ToolSchema` is for structs and enums; JSON has nothing like a union",
        );
        let (fallback, errors) = (expand::fallback(&input, &attr), found.into_tokens());
        return quote!(#fallback #errors);
    }
    let context = Ctxt::new();
    let private = quote::format_ident!("__private");
    let container = Container::from_ast(&context, &input, Derive::Deserialize, &private);
    // serde's own derive says the same at the same place, and the compiler shows it once. Only a key
    // that serde does not know is worth another word.
    if let Err(errors) = context.check() {
        for error in errors {
            found.push(serde::explain(error));
        }
    }
    let container = container.filter(|_| found.is_empty());
    let model = container
        .as_ref()
        .and_then(|container| model::Model::lower(container, &attr, &mut found));
    match (model, container) {
        (Some(model), Some(container))
            if found.is_empty() && !circle::refuse(&input, &mut found) =>
        {
            let warnings = lint::warnings(&container, &attr.allowed);
            let implementation = expand::expand(&input, &attr, &model);
            quote!(#implementation #warnings)
        }
        _ => {
            let fallback = expand::fallback(&input, &attr);
            let errors = found.into_tokens();
            quote!(#fallback #errors)
        }
    }
}
