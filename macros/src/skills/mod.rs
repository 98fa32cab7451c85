//! `skills!`: input -> scan -> check -> expand. Expanding cannot fail.

mod embed;
mod expand;
mod input;
mod scan;

use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;

pub(crate) fn entry(input: TokenStream) -> TokenStream {
    let mut found = Diagnostics::default();
    let input = input::parse(input, &mut found);
    let set = match &input {
        Some(input) if found.is_empty() => scan::scan(input, &mut found),
        _ => scan::Set::default(),
    };
    let errors = found.into_tokens();
    // The static stays when something is wrong, so that its users have no error of their own.
    let items = input.map(|input| expand::expand(&input, &set));
    quote::quote!(#errors #items)
}
