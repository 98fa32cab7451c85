//! Collects every mistake of one macro call, so that all are reported at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Diagnostics {
    error: Option<syn::Error>,
    count: usize,
}

impl Diagnostics {
    /// Adds a mistake that underlines all of `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a mistake at one place.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Adds a mistake made elsewhere.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.error {
            Some(all) => all.combine(error),
            None => self.error = Some(error),
        }
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.error.is_none()
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// One `compile_error!` for each mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.error
            .map(|error| error.into_compile_error())
            .unwrap_or_default()
    }
}
