//! Writes out the skills: a table of constants, the files by `include_bytes!`, and a test.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use repertoire_skillmd::build;
use syn::{Ident, ext::IdentExt};

use super::{
    input::Input,
    scan::{Found, Set, Warning},
};

pub(super) fn expand(input: &Input, set: &Set) -> TokenStream {
    let krate = &input.options.krate;
    let private = quote!(#krate::__private);
    let skills = set.skills.iter().map(|skill| embedded(skill, &private));
    let folders = input.folders.iter().map(|folder| folder.value());
    let folders: Vec<String> = folders.collect();
    let folder = folders.join(", ");
    let value = quote! {
        #private::EmbeddedSkills::new(
            ::core::env!("CARGO_PKG_NAME"),
            ::core::module_path!(),
            #folder,
            &[#(#skills),*],
        )
    };
    let module = module(input);
    let (item, set_path) = match &input.name {
        Some(name) => {
            let (attributes, visibility, ident) = (&name.attributes, &name.visibility, &name.ident);
            let item = quote! {
                #(#attributes)*
                #visibility static #ident: #private::EmbeddedSkills = #value;
            };
            (item, quote!(super::#ident))
        }
        None => (
            quote!(static SKILLS: #private::EmbeddedSkills = #value;),
            quote!(SKILLS),
        ),
    };
    let (outer, inner) = match &input.name {
        Some(_) => (item, TokenStream::new()),
        None => (TokenStream::new(), item),
    };
    let warnings = set.warnings.iter().map(warning);
    quote! {
        #outer
        #[doc(hidden)]
        #[allow(non_snake_case, unused_imports, missing_docs)]
        mod #module {
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

fn embedded(found: &Found, private: &TokenStream) -> TokenStream {
    // Only skills that load are in the set; one that does not has been reported.
    let Some(skill) = found.checked.checked().skill() else {
        return TokenStream::new();
    };
    let (name, description) = (skill.name(), skill.description());
    let body = skill.body_span();
    let (start, end) = (body.start, body.end);
    let folder = found.checked.folder().path();
    let mut below = found.root.trim_end_matches('/').to_owned();
    if !folder.is_empty() {
        below.push('/');
        below.push_str(folder);
    }
    let mut tree = Tree::default();
    for file in found.checked.folder().files() {
        tree.insert(file.path());
    }
    let entries = tree.entries("", &below, private);
    let group = found
        .checked
        .group()
        .map(|group| quote!(.with_group(#group)));
    let tools = skill.allowed_tools();
    let tools = (!tools.is_empty()).then(|| quote!(.with_allowed_tools(&[#(#tools),*])));
    let by_model = !skill.disable_model_invocation().unwrap_or(false);
    let by_user = skill.user_invocable().unwrap_or(true);
    let invocation = (!by_model || !by_user).then(|| quote!(.with_invocation(#by_model, #by_user)));
    quote! {
        #private::EmbeddedSkill::new(
            #name,
            #description,
            (#start, #end),
            #private::include_dir::Dir::new("", #entries),
        )
        #group
        #tools
        #invocation
    }
}

/// The files of a folder by name.
#[derive(Default)]
struct Tree {
    files: Vec<String>,
    folders: BTreeMap<String, Tree>,
}

impl Tree {
    fn insert(&mut self, path: &str) {
        match path.split_once('/') {
            Some((folder, rest)) => self
                .folders
                .entry(folder.to_owned())
                .or_default()
                .insert(rest),
            None => self.files.push(path.to_owned()),
        }
    }

    /// The entries of the folder at `path` in a skill that lies at `skill` in the package.
    fn entries(&self, path: &str, skill: &str, private: &TokenStream) -> TokenStream {
        let files = self.files.iter().map(|name| {
            let path = join(path, name);
            let on_disk = format!("/{skill}/{path}");
            quote! {
                #private::include_dir::DirEntry::File(#private::include_dir::File::new(
                    #path,
                    ::core::include_bytes!(::core::concat!(
                        ::core::env!("CARGO_MANIFEST_DIR"),
                        #on_disk
                    )),
                ))
            }
        });
        let folders = self.folders.iter().map(|(name, tree)| {
            let path = join(path, name);
            let entries = tree.entries(&path, skill, private);
            quote! {
                #private::include_dir::DirEntry::Dir(#private::include_dir::Dir::new(
                    #path, #entries,
                ))
            }
        });
        quote!(&[#(#files,)* #(#folders,)*])
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
