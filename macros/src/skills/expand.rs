//! Writes out the skills: a table of constants, the warnings, and a test.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use repertoire_skillmd::build;
use syn::{Ident, ext::IdentExt};

use super::{
    embed,
    input::Input,
    scan::{Set, Warning},
};

pub(super) fn expand(input: &Input, set: &Set) -> TokenStream {
    let krate = &input.options.krate;
    let private = quote!(#krate::__private);
    let table = embed::items(&set.skills);
    let table_name = format_ident!("{}", embed::TABLE);
    let folders = input.folders.iter().map(|folder| folder.value());
    let folders: Vec<String> = folders.collect();
    let folder = folders.join(", ");
    let module = module(input);
    let value = |table: TokenStream| {
        quote! {
            #private::EmbeddedSkills::new(
                ::core::env!("CARGO_PKG_NAME"),
                ::core::module_path!(),
                #folder,
                #table,
            )
        }
    };
    let (outer, inner, set_path) = match &input.name {
        Some(name) => {
            let (attributes, visibility, ident) = (&name.attributes, &name.visibility, &name.ident);
            let value = value(quote!(#module::#table_name));
            let item = quote! {
                #(#attributes)*
                #visibility static #ident: #private::EmbeddedSkills = #value;
            };
            (item, TokenStream::new(), quote!(super::#ident))
        }
        None => {
            let value = value(quote!(#table_name));
            let item = quote!(static SET: #private::EmbeddedSkills = #value;);
            (TokenStream::new(), item, quote!(SET))
        }
    };
    let warnings = set.warnings.iter().map(warning);
    quote! {
        #outer
        #[doc(hidden)]
        #[allow(non_snake_case, unused_imports, missing_docs)]
        mod #module {
            use ::core::include_bytes;
            use #krate::__private::{self as private, include_dir::{Dir, DirEntry, File}};
            #table
            #inner
            #private::submit_skills! { #set_path }
            #[cfg(test)]
            #[test]
            fn every_skill_of_the_folder_is_embedded() {
                #private::assert_embedded(
                    &#set_path,
                    ::core::env!("CARGO_MANIFEST_DIR"),
                    &[#(#folders),*],
                );
            }
        }
        #(#warnings)*
    }
}

/// A name that no other call in the same module has: the static's, or the folders'.
fn module(input: &Input) -> Ident {
    match &input.name {
        Some(name) => format_ident!("__repertoire_skills_{}", name.ident.unraw()),
        None => {
            let folders: Vec<String> = input.folders.iter().map(syn::LitStr::value).collect();
            format_ident!("__{}", build::variable(&folders.join(",")))
        }
    }
}

/// A constant that is deprecated and used, which is how a macro can warn.
fn warning(warning: &Warning) -> TokenStream {
    let text = &warning.text;
    quote_spanned! { warning.span =>
        const _: () = {
            #[deprecated(note = #text)]
            const SKILL: () = ();
            SKILL
        };
    }
}
