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
    let items = embed::items(&set.skills);
    let table = format_ident!("{}", embed::TABLE);
    let folders = input.folders.iter().map(|folder| folder.value());
    let folders: Vec<String> = folders.collect();
    let folder = folders.join(", ");
    // Everything stands within the static, so that it can stand in a function too.
    let value = quote! {{
        #[allow(unused_imports)]
        use ::core::include_bytes;
        #[allow(unused_imports)]
        use #krate::__private::EmbeddedSkill;
        #items
        #private::EmbeddedSkills::new(
            ::core::env!("CARGO_PKG_NAME"),
            ::core::module_path!(),
            #folder,
            #table,
        )
    }};
    let item = match &input.name {
        Some(name) => {
            let (attributes, visibility, ident) = (&name.attributes, &name.visibility, &name.ident);
            quote! {
                #(#attributes)*
                #visibility static #ident: #private::EmbeddedSkills = #value;
                const _: () = {
                    #private::submit_skills! { #ident }
                };
            }
        }
        None => quote! {
            const _: () = {
                static SET: #private::EmbeddedSkills = #value;
                #private::submit_skills! { SET }
            };
        },
    };
    let module = module(input);
    let names = set
        .skills
        .iter()
        .filter_map(|found| found.checked.checked().skill());
    let names = names.map(repertoire_skillmd::Skill::name);
    let warnings = set.warnings.iter().map(warning);
    quote! {
        #item
        #[cfg(test)]
        #[doc(hidden)]
        #[allow(non_snake_case, unnameable_test_items)]
        mod #module {
            #[test]
            fn every_skill_of_the_folder_is_embedded() {
                #private::assert_embedded(
                    &[#(#names),*],
                    ::core::env!("CARGO_MANIFEST_DIR"),
                    &[#(#folders),*],
                );
            }
        }
        #(#warnings)*
    }
}

/// A name that no other call in the same module has: the static's, or the folders' and the place.
fn module(input: &Input) -> Ident {
    match &input.name {
        Some(name) => format_ident!("__repertoire_skills_{}", name.ident.unraw()),
        None => {
            let folders: Vec<String> = input.folders.iter().map(syn::LitStr::value).collect();
            let variable = build::variable(&folders.join(","));
            if !proc_macro::is_available() {
                return format_ident!("__{variable}");
            }
            let call = proc_macro::Span::call_site();
            format_ident!("__{variable}_{}_{}", call.line(), call.column())
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
