//! The implementation of `ToolSchema`: constants and the check of limits.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use super::{
    attr::ContainerAttr,
    model::{Entry, Model, Node, Read, Shape},
    recursion::Marked,
};
use crate::json;

/// The implementation for a model.
pub(super) fn expand(input: &DeriveInput, attr: &ContainerAttr, model: &Model) -> TokenStream {
    let private = attr.private();
    let schema = schema(&model.shape, &private);
    let mut types = Vec::new();
    gather(&model.shape.node, &mut types);
    let defs = types.iter().map(|ty| {
        let ty = ty.tokens(&private);
        quote!(<#ty as #private::ToolSchema>::DEFS)
    });
    let checked: Vec<TokenStream> = model
        .checks
        .iter()
        .flat_map(|check| check.is_checked(&private))
        .collect();
    let arms = model.checks.iter().map(|check| check.arm(&private));
    let flat = flat_types(&model.shape.node).into_iter().map(|ty| {
        let ty = ty.tokens(&private);
        quote!(<#ty as #private::ToolSchema>::SCHEMA.assert_flat();)
    });
    let rest = model.has_unchecked.then(|| quote!(_ => true,));
    let body = quote! {
        const SCHEMA: #private::Schema = {
            #(#flat)*
            #schema.named(&<Self as #private::ToolSchema>::ID)
        };
        const DEFS: #private::Defs = #private::Defs::All(&[#(#defs),*]);
        const CHECKED: bool = false #(|| #checked)*;

        fn check(&self) -> bool {
            match self {
                #(#arms)*
                #rest
            }
        }
    };
    implement(input, &private, &body)
}

/// An implementation that says nothing, beside an error.
pub(super) fn fallback(input: &DeriveInput, attr: &ContainerAttr) -> TokenStream {
    let private = attr.private();
    let body = quote!(const SCHEMA: #private::Schema = #private::Schema::ANY;);
    implement(input, &private, &body)
}

fn implement(input: &DeriveInput, private: &TokenStream, body: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#private::ToolSchema));
    }
    let parameters = generics.type_params().map(|parameter| &parameter.ident);
    let (implemented, arguments, bounds) = generics.split_for_impl();
    let text = name.to_string();
    quote! {
        #[automatically_derived]
        impl #implemented #private::ToolSchema for #name #arguments #bounds {
            const ID: #private::Identity = #private::Identity::new(
                ::core::concat!(::core::module_path!(), "::", #text),
                #text,
                &[#(&<#parameters as #private::ToolSchema>::SCHEMA),*],
            );
            #body
        }
    }
}

/// An expression of type `Schema`.
fn schema(shape: &Shape, private: &TokenStream) -> TokenStream {
    let schema = bare(&shape.node, private);
    let description = json::escape(&shape.description);
    let notes = notes(&shape.node);
    if description.is_empty() && notes.is_empty() {
        return schema;
    }
    quote!(#schema.with_docs(#description, #notes))
}

/// An expression of type `Schema` without descriptions.
fn bare(node: &Node, private: &TokenStream) -> TokenStream {
    let text = |text: &str| quote!(#private::Piece::Text(#text));
    let pieces = match node {
        Node::Type(read) => return read.schema(private),
        Node::Null => text(r#""type":"null""#),
        Node::Names(names) => {
            let names: Vec<String> = names
                .iter()
                .map(|(name, _)| format!("\"{}\"", json::escape(name)))
                .collect();
            text(&format!(r#""type":"string","enum":[{}]"#, names.join(",")))
        }
        Node::Object(entries) => {
            let members = entries.iter().map(|entry| entry.member(private));
            quote!(#private::Piece::Object(&[#(#members),*]))
        }
        Node::Tuple(items) if items.is_empty() => text(r#""type":"array","maxItems":0"#),
        Node::Tuple(items) => {
            let schemas = items.iter().map(|read| read.schema(private));
            let length = items.len();
            let end = format!(r#"],"minItems":{length},"maxItems":{length}"#);
            between(schemas, r#""type":"array","prefixItems":["#, &end, private)
        }
        Node::AnyOf(shapes) => {
            let schemas = shapes.iter().map(|shape| schema(shape, private));
            between(schemas, r#""anyOf":["#, "]", private)
        }
    };
    quote!(#private::Schema::of(&[#pieces]))
}

/// Schemas with commas between, a start and an end.
fn between(
    schemas: impl Iterator<Item = TokenStream>,
    start: &str,
    end: &str,
    private: &TokenStream,
) -> TokenStream {
    let mut all = quote!(#private::Piece::Text(#start),);
    for (index, schema) in schemas.enumerate() {
        if index > 0 {
            all.extend(quote!(#private::Piece::Text(","),));
        }
        all.extend(quote!(#private::Piece::Schema(&#schema),));
    }
    all.extend(quote!(#private::Piece::Text(#end),));
    all
}

impl Read {
    fn schema(&self, private: &TokenStream) -> TokenStream {
        let ty = self.ty.tokens(private);
        let limits = self.limits.schema(&ty, private);
        let limits = limits.map(|limits| quote!(.limit(#limits)));
        let exact = self.exact.then(|| quote!(.wrapped()));
        quote!(<#ty as #private::ToolSchema>::SCHEMA #exact #limits)
    }
}

impl Entry {
    /// An expression of type `Member`.
    fn member(&self, private: &TokenStream) -> TokenStream {
        match self {
            Entry::Flat(ty) => {
                let ty = ty.tokens(private);
                quote!(#private::Member::flat(&<#ty as #private::ToolSchema>::SCHEMA))
            }
            Entry::Tag { name, value } => {
                let name = json::escape(name);
                let keywords = format!(r#""type":"string","enum":["{}"]"#, json::escape(value));
                quote! {
                    #private::Member::new(
                        #name,
                        &#private::Schema::of(&[#private::Piece::Text(#keywords)]),
                        "",
                    )
                }
            }
            Entry::Member {
                name,
                shape,
                may_omit,
            } => {
                let name = json::escape(name);
                let description = json::escape(&shape.description);
                let schema = bare(&shape.node, private);
                let omit = may_omit.then(|| quote!(.may_omit()));
                // An `Option` has its limits as a member only, where it is not nullable.
                let limits = match &shape.node {
                    Node::Type(read) => read.limits.schema(&read.ty.tokens(private), private),
                    _ => None,
                };
                let limits = limits.map(|limits| quote!(.limit(#limits)));
                quote!(#private::Member::new(#name, &#schema, #description) #omit #limits)
            }
        }
    }
}

/// One line for each name that has a description.
fn notes(node: &Node) -> String {
    let Node::Names(names) = node else {
        return String::new();
    };
    let lines: Vec<String> = names
        .iter()
        .filter(|(_, description)| !description.is_empty())
        .map(|(name, description)| format!("- `{name}`: {description}"))
        .collect();
    json::escape(&lines.join("\n"))
}

/// All types that a node takes schemas from.
fn gather<'a>(node: &'a Node, types: &mut Vec<&'a Marked>) {
    match node {
        Node::Type(read) => types.push(&read.ty),
        Node::Names(_) | Node::Null => {}
        Node::Tuple(items) => types.extend(items.iter().map(|read| &read.ty)),
        Node::AnyOf(shapes) => shapes.iter().for_each(|shape| gather(&shape.node, types)),
        Node::Object(entries) => {
            for entry in entries {
                match entry {
                    Entry::Flat(ty) => types.push(ty),
                    Entry::Tag { .. } => {}
                    Entry::Member { shape, .. } => gather(&shape.node, types),
                }
            }
        }
    }
}

/// The types whose members stand among others.
fn flat_types(node: &Node) -> Vec<&Marked> {
    match node {
        Node::Object(entries) => entries
            .iter()
            .flat_map(|entry| match entry {
                Entry::Flat(ty) => vec![ty],
                Entry::Tag { .. } => Vec::new(),
                Entry::Member { shape, .. } => flat_types(&shape.node),
            })
            .collect(),
        Node::AnyOf(shapes) => shapes
            .iter()
            .flat_map(|shape| flat_types(&shape.node))
            .collect(),
        _ => Vec::new(),
    }
}
