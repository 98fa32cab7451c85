//! The implementation of `ToolSchema`: constants and the check of limits.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, parse_quote, spanned::Spanned};

use super::{
    attr::ContainerAttr,
    model::{Entry, Model, Node, Read, Shape},
    recursion::Marked,
};
use crate::json;

/// The implementation for a model.
pub(super) fn expand(input: &DeriveInput, attr: &ContainerAttr, model: &Model) -> TokenStream {
    let private = quote!(__repertoire);
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
    // A type with parameters is looked at where they are known.
    let is_generic = input.generics.type_params().next().is_some();
    let flat: Vec<TokenStream> = flat_types(&model.shape.node)
        .into_iter()
        .map(|(ty, beside_tag)| {
            let ty = ty.tokens(&private);
            let assert = match beside_tag {
                true => quote_spanned!(ty.span()=> assert_beside_tag),
                false => quote_spanned!(ty.span()=> assert_flat),
            };
            quote_spanned!(ty.span()=> <#ty as #private::ToolSchema>::SCHEMA.#assert();)
        })
        .collect();
    let closing = types
        .iter()
        .filter_map(|ty| ty.closing())
        .map(|ty| quote_spanned!(ty.span()=> <#ty as #private::ToolSchema>::ID.assert_named();));
    // What a parameter can be is not known here.
    let limits = (model.checks.iter())
        .filter(|_| input.generics.params.is_empty())
        .flat_map(|check| check.asserts(&private));
    let flat: Vec<TokenStream> = flat.into_iter().chain(closing).chain(limits).collect();
    let (inside, beside) = if is_generic {
        (quote!(#(#flat)*), TokenStream::new())
    } else {
        (TokenStream::new(), quote!(#(const _: () = #flat)*))
    };
    let rest = model.has_unchecked.then(|| quote!(_ => true,));
    let body = quote! {
        const SCHEMA: #private::Schema = {
            #inside
            #schema.named(&<Self as #private::ToolSchema>::ID)
        };
        const DEFS: #private::Defs = #private::Defs::All(&[#(#defs),*]);
        const CHECKED: ::core::primitive::bool = false #(|| #checked)*;

        fn check(&self) -> ::core::primitive::bool {
            match self {
                #(#arms)*
                #rest
            }
        }
    };
    implement(input, attr, &body, &beside)
}

/// An implementation that says nothing, beside an error.
pub(super) fn fallback(input: &DeriveInput, attr: &ContainerAttr) -> TokenStream {
    let body = quote!(
        const SCHEMA: __repertoire::Schema = __repertoire::Schema::ANY;
    );
    implement(input, attr, &body, &TokenStream::new())
}

/// The implementation, with `__repertoire` for the hidden module, and what stands beside it.
fn implement(
    input: &DeriveInput,
    attr: &ContainerAttr,
    body: &TokenStream,
    beside: &TokenStream,
) -> TokenStream {
    let private = attr.private();
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter
            .bounds
            .push(parse_quote!(__repertoire::ToolSchema));
    }
    let parameters = generics.type_params().map(|parameter| &parameter.ident);
    let (implemented, arguments, bounds) = generics.split_for_impl();
    let text = name.to_string();
    quote! {
        const _: () = {
            use #private as __repertoire;
            #[automatically_derived]
            impl #implemented __repertoire::ToolSchema for #name #arguments #bounds {
                const ID: __repertoire::Identity = __repertoire::Identity::new(
                    ::core::concat!(::core::module_path!(), "::", #text),
                    #text,
                    &[#(&<#parameters as __repertoire::ToolSchema>::SCHEMA),*],
                );
                #body
            }
            #beside
        };
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
        let schema = self.unlimited(private);
        let limits = self.limits(private);
        quote!(#schema #limits)
    }

    fn unlimited(&self, private: &TokenStream) -> TokenStream {
        let ty = self.ty.tokens(private);
        let exact = self.exact.then(|| quote!(.wrapped()));
        quote!(<#ty as #private::ToolSchema>::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD #exact)
    }

    /// A call that adds the limits, to a schema or to a member.
    fn limits(&self, private: &TokenStream) -> Option<TokenStream> {
        let ty = self.ty.tokens(private);
        let limits = self.limits.schema(&ty, private)?;
        Some(quote!(.limit(#limits)))
    }
}

impl Entry {
    /// An expression of type `Member`.
    fn member(&self, private: &TokenStream) -> TokenStream {
        match self {
            Entry::Flat { ty, .. } => {
                let ty = ty.tokens(private);
                quote!(#private::Member::flat(&<#ty as #private::ToolSchema>::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD))
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
                let omit = may_omit.then(|| quote!(.may_omit()));
                // An `Option` has its limits as a member only, where it is not nullable.
                let (schema, limits) = match &shape.node {
                    Node::Type(read) => (read.unlimited(private), read.limits(private)),
                    other => (bare(other, private), None),
                };
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
                    Entry::Flat { ty, .. } => types.push(ty),
                    Entry::Tag { .. } => {}
                    Entry::Member { shape, .. } => gather(&shape.node, types),
                }
            }
        }
    }
}

/// The types whose members stand among others, and whether these are a tag.
fn flat_types(node: &Node) -> Vec<(&Marked, bool)> {
    match node {
        Node::Object(entries) => entries
            .iter()
            .flat_map(|entry| match entry {
                Entry::Flat { ty, beside_tag } => vec![(&**ty, *beside_tag)],
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
