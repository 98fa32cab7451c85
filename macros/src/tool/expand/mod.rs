//! The code beside the function. Nothing here can fail: what is wrong was reported before.
//!
//! Only `::repertoire::__private` and the language itself are named, so that the code works whatever
//! the user has renamed, shadowed or forbidden. Generated names have spans of the macro call, which
//! keeps the user's lints away from them; types keep the spans they were written with, which brings
//! errors about them to the right place.

mod call;
mod schema;
mod slots;

pub(crate) use schema::type_text;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Visibility};

use super::{function::Function, model::Tool};
use crate::lint;

/// The function and the tool beside it.
pub(crate) fn expand(tool: &Tool, function: &Function) -> TokenStream {
    let marker = marker(tool, &function.visibility);
    let glue = glue(tool);
    quote! {
        #function
        #marker
        #glue
    }
}

/// The type beside the function.
pub(crate) fn marker(tool: &Tool, visibility: &Visibility) -> TokenStream {
    let Tool { krate, cfgs, .. } = tool;
    let name = own(&tool.type_name);
    let doc = format!("What is known of the tool `{}`.", tool.name.text);
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[doc(hidden)]
        #visibility struct #name {}

        #(#cfgs)*
        #[automatically_derived]
        impl #name {
            #[doc = #doc]
            #visibility const SPEC: #krate::__private::ToolSpec =
                <#name as #krate::__private::Tool>::SPEC;
        }
    }
}

/// What makes the type beside the function a tool.
pub(crate) fn glue(tool: &Tool) -> TokenStream {
    let Tool { krate, cfgs, .. } = tool;
    let private = quote!(__repertoire);
    let type_name = own(&tool.type_name);
    let guard = guard(tool);
    let slots = slots::slots(tool, &private);
    let constants = schema::constants(tool, &private);
    let call = call::call(tool, &private);
    let warnings = warnings(tool);
    let submit = (!tool.unlinked).then(|| {
        quote! {
            #krate::__private::submit! {
                #private::Registration::new(&<#type_name as #private::Tool>::SPEC, __repertoire_call)
            }
        }
    });
    quote! {
        #(#cfgs)*
        const _: () = {
            use #krate::__private as __repertoire;
            #guard
            #slots
            #call
            #[automatically_derived]
            impl #private::Tool for #type_name {
                #constants
                const REGISTRATION: &'static #private::Registration =
                    &#private::Registration::new(&<#type_name as #private::Tool>::SPEC, __repertoire_call);
            }
            #submit
            #warnings
        };
    }
}

/// One warning for each description that could be better.
fn warnings(tool: &Tool) -> TokenStream {
    let warn = |what: &str, name: &str, text: &str, span: Span| {
        lint::warn(what, name, text, &tool.allowed, "tool", span)
    };
    let (name, description) = (&tool.name.text, &tool.description);
    let own = warn("tool", name, &description.text, description.span);
    let parameters = tool.arguments().filter_map(|(parameter, _)| {
        let (name, span) = (&parameter.name.text, parameter.ident.span());
        warn("parameter", name, &parameter.description, span)
    });
    own.into_iter().chain(parameters).collect()
}

/// A name where the user wrote it, but of this macro: its looks are no business of the user's lints.
pub(crate) fn own(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::call_site().located_at(name.span()));
    name
}

/// An exported macro, which is always an item of the crate's root: two of one name are an error
/// wherever in the crate they stand, and its text says what is wrong.
fn guard(tool: &Tool) -> TokenStream {
    if tool.unlinked {
        return TokenStream::new();
    }
    let owner = tool
        .toolset
        .as_ref()
        .map(|toolset| format!("_of_{}", toolset.text))
        .unwrap_or_default();
    // A dash cannot stand in an identifier; the middle dot can, and in no tool's name.
    let name = format!("two_tools{owner}_are_called_{}", tool.name.text).replace('-', "\u{b7}");
    // All of it lies on the tool's name, which is what the compiler underlines.
    let span = tool.name.span;
    let name = Ident::new(&name, span);
    quote_spanned! {span=>
        #[allow(non_local_definitions)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #name {
            () => {};
        }
    }
}
