//! The struct that decoding fills: one slot for each parameter that the model sends.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use super::call::Reach;
use crate::tool::{
    kind::Kind,
    model::{Argument, Default, Tool},
};

/// The struct and its implementation of `Slots`.
pub(super) fn slots(tool: &Tool, private: &TokenStream) -> TokenStream {
    let arguments: Vec<_> = tool.arguments().collect();
    let names = arguments.iter().map(|(parameter, _)| &parameter.name.text);
    let fields: Vec<Ident> = (0..arguments.len())
        .map(|index| format_ident!("a{index}"))
        .collect();
    let types: Vec<_> = arguments
        .iter()
        .map(|(_, argument)| argument.kind.slot(private, &quote!('de)))
        .collect();
    let fills =
        arguments
            .iter()
            .zip(&fields)
            .enumerate()
            .map(|(index, ((parameter, argument), field))| {
                let name = &parameter.name.text;
                let fill = argument.fill(field, name, private);
                quote!(#index => #fill,)
            });
    let finished = arguments
        .iter()
        .zip(&fields)
        .map(|((_, argument), field)| argument.finish(field, private));
    let kept = (arguments.iter().zip(&fields))
        .filter(|((_, argument), _)| !argument.schemars)
        .filter_map(|((_, argument), field)| {
            Some(kept(&argument.kind.parameter(private)?, field, private))
        });
    quote! {
        #(#kept)*

        struct __RepertoireSlots<'de> {
            #(#fields: #private::Option<#types>,)*
            lifetime: #private::PhantomData<&'de ()>,
        }

        #[automatically_derived]
        impl<'de> #private::Slots<'de> for __RepertoireSlots<'de> {
            const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            type Values = (#(#types,)*);

            fn empty() -> Self {
                Self {
                    #(#fields: #private::None,)*
                    lifetime: #private::PhantomData,
                }
            }

            fn fill(
                &mut self,
                slot: ::core::primitive::usize,
                reader: &mut #private::Reader<'de>,
            ) -> #private::Result<(), #private::ReadError> {
                match slot {
                    #(#fills)*
                    _ => #private::Ok(()),
                }
            }

            fn finish(self) -> #private::Option<Self::Values> {
                #private::Some((#(#finished,)*))
            }
        }
    }
}

impl Argument {
    /// A call that fills the slot.
    fn fill(&self, field: &Ident, name: &str, private: &TokenStream) -> TokenStream {
        let method = match &self.default {
            None => quote!(fill),
            Some(_) => quote!(fill_or_null),
        };
        let arguments = quote!((&mut self.#field, reader, #name));
        match self.kind.parameter(private) {
            Some(ty) if self.schemars => quote!(<#ty as #private::Decoded>::#method #arguments),
            Some(_) => {
                let kept = kept_name(field);
                quote!(#private::Fills::#method(#kept(), &mut self.#field, reader, #name))
            }
            None => quote!(#private::#method #arguments),
        }
    }

    /// The value of a full slot, or what stands for an empty one, if it keeps to the limits.
    fn finish(&self, field: &Ident, private: &TokenStream) -> TokenStream {
        let slot = quote!(self.#field);
        let present = |slot: TokenStream| match self.kind.parameter(private) {
            Some(_) if self.schemars => quote!(#slot?),
            Some(ty) => quote!(<#ty as #private::ToolSchema>::checked(#slot)?),
            None if matches!(self.kind, Kind::OptionStr) => quote!(#private::optional(#slot)?),
            None => quote!(#private::required(#slot)?),
        };
        let value = match &self.default {
            None => present(slot),
            Some(default) => {
                let present = present(quote!(#private::Some(value)));
                let default = default.expression(&self.kind, private);
                quote!(match #slot {
                    #private::Some(value) => #present,
                    #private::None => #default,
                })
            }
        };
        let ty = self.kind.checked(private);
        match self.limits.check(&quote!(&value), &ty, private) {
            Some(check) => quote! {{
                let value = #value;
                if !(#check) {
                    return #private::None;
                }
                value
            }},
            None => value,
        }
    }
}

/// The function that knows how a slot is filled. It is one function, so that a type that cannot be
/// decoded is reported once, where it is written.
fn kept(ty: &TokenStream, field: &Ident, private: &TokenStream) -> TokenStream {
    let name = kept_name(field);
    let reach = Reach::over(ty.clone());
    let (first, last) = (reach.first, reach.last);
    let start = quote_spanned!(first=> impl);
    let end = quote_spanned!(last=> >);
    quote! {
        fn #name() -> #start #private::Fills<#ty #end {
            use #private::{IsKnown as _, IsUnknown as _};
            (&&#private::Kept::<#ty>::NEW).repertoire_slot()
        }
    }
}

fn kept_name(field: &Ident) -> Ident {
    format_ident!("__repertoire_kept_{field}")
}

impl Default {
    fn expression(&self, kind: &Kind, private: &TokenStream) -> TokenStream {
        let ty = kind.slot(private, &quote!('de));
        match self {
            Default::Trait => quote!(<#ty as #private::Default>::default()),
            Default::Text(text) => {
                // The type lies where the text is, so that a mismatch is reported there.
                let ty = lay(ty, text.span());
                quote!(<#ty as #private::FromText>::from_text(#text))
            }
            Default::Expression(expression) => {
                quote!(#private::DefaultFor::<#ty>::into_default(#expression))
            }
        }
    }
}

/// The same tokens at another place.
fn lay(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let at = token.span().located_at(span);
            match token {
                TokenTree::Group(group) => {
                    let inner = lay(group.stream(), span);
                    let mut group = proc_macro2::Group::new(group.delimiter(), inner);
                    group.set_span(at);
                    group.into()
                }
                mut other => {
                    other.set_span(at);
                    other
                }
            }
        })
        .collect()
}
