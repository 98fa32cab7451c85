//! The schema of a shape, as pieces.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use super::model::{Body, Member, Shape};
use crate::json;

/// The implementation for a shape.
pub(crate) fn expand(input: &DeriveInput, shape: &Shape) -> TokenStream {
    let private = quote!(::repertoire::__private);
    let (pieces, notes) = match &shape.body {
        Body::Object(members) => (object(members, &private), String::new()),
        Body::Names(names) => (self::names(names, &private), notes(names)),
    };
    let description = json::escape(&shape.description);
    let schema = quote! {
        #private::Schema::of(&[#pieces]).with_docs(#description, #notes)
    };
    implement(input, &private, &schema)
}

/// An implementation that says nothing, beside an error.
pub(crate) fn fallback(input: &DeriveInput) -> TokenStream {
    let private = quote!(::repertoire::__private);
    implement(input, &private, &quote!(#private::Schema::ANY))
}

fn implement(input: &DeriveInput, private: &TokenStream, schema: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#private::ToolSchema));
    }
    let (implemented, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #implemented #private::ToolSchema for #name #arguments #bounds {
            const SCHEMA: #private::Schema = #schema;
        }
    }
}

fn object(members: &[Member], private: &TokenStream) -> TokenStream {
    let members = members.iter().map(|member| {
        let name = json::escape(&member.name);
        let description = json::escape(&member.description);
        let ty = &member.ty;
        let omit = member.has_default.then(|| quote!(.may_omit()));
        quote! {
            #private::Member::new(#name, &<#ty as #private::ToolSchema>::SCHEMA, #description) #omit
        }
    });
    quote!(#private::Piece::Object(&[#(#members),*]))
}

fn names(names: &[(String, String)], private: &TokenStream) -> TokenStream {
    let names: Vec<String> = names
        .iter()
        .map(|(name, _)| format!("\"{}\"", json::escape(name)))
        .collect();
    let text = format!(r#""type":"string","enum":[{}]"#, names.join(","));
    quote!(#private::Piece::Text(#text))
}

/// One line for each variant that has a description.
fn notes(names: &[(String, String)]) -> String {
    let lines: Vec<String> = names
        .iter()
        .filter(|(_, description)| !description.is_empty())
        .map(|(name, description)| format!("- `{name}`: {description}"))
        .collect();
    json::escape(&lines.join("\n"))
}
