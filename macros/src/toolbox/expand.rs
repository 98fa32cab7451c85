//! The block, and beside it a type for each tool, which has no name outside.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Ident};

use super::block::Block;
use crate::{
    diagnostics::Diagnostics,
    tool::{expand, model::Tool},
};

/// The block and its tools.
pub(super) fn expand(block: &Block, tools: Vec<Tool>, krate: &TokenStream) -> TokenStream {
    let cfgs = cfgs(block);
    let ty = &block.ty;
    let private = quote!(#krate::__private);
    let mut items = TokenStream::new();
    let mut registrations = TokenStream::new();
    for (index, mut tool) in tools.into_iter().enumerate() {
        let name = Ident::new(&format!("__RepertoireTool{index}"), Span::call_site());
        tool.type_name = name.clone();
        let glue = expand::glue(&tool);
        let cfgs = &tool.cfgs;
        items.extend(quote! {
            #(#cfgs)*
            struct #name {}
            #glue
        });
        registrations.extend(quote! {
            #(#cfgs)*
            <#name as #private::Tool>::REGISTRATION,
        });
    }
    quote! {
        #block
        #(#cfgs)*
        const _: () = {
            #items
            #[automatically_derived]
            impl #private::Toolbox for #ty {
                const TOOLS: &'static [&'static #private::Registration] = &[#registrations];
            }
        };
    }
}

/// The block, a toolbox without tools, and the errors.
pub(super) fn fallback(block: &Block, krate: &TokenStream, found: Diagnostics) -> TokenStream {
    let errors = found.into_tokens();
    let cfgs = cfgs(block);
    let ty = &block.ty;
    // A generic toolbox would need its parameters here, and was refused already.
    let toolbox = block.is_plain().then(|| {
        quote! {
            #(#cfgs)*
            #[automatically_derived]
            impl #krate::__private::Toolbox for #ty {
                const TOOLS: &'static [&'static #krate::__private::Registration] = &[];
            }
        }
    });
    quote!(#block #errors #toolbox)
}

fn cfgs(block: &Block) -> Vec<&Attribute> {
    let attributes = block.attributes.iter();
    attributes
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .collect()
}
