//! Limits of fields, held against a decoded value.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Member, Type};

use super::{
    model::{Fields, ReadField},
    recursion::Marked,
};
use crate::{limits::Limits, tool::expand::type_text};

/// The fields of a struct or a variant, and what to look at in each.
pub(super) struct Check {
    /// The variant, for an enum.
    variant: Option<Ident>,
    fields: Vec<CheckedField>,
}

struct CheckedField {
    member: Member,
    ty: Type,
    marked: Marked,
    limits: Limits,
}

impl Check {
    pub(super) fn of_struct(fields: &Fields) -> Option<Check> {
        Self::of(None, fields)
    }

    pub(super) fn of_variant(variant: &Ident, fields: &Fields) -> Option<Check> {
        Self::of(Some(variant.clone()), fields)
    }

    fn of(variant: Option<Ident>, fields: &Fields) -> Option<Check> {
        let fields: Vec<CheckedField> = fields
            .fields
            .iter()
            // What is read as another type is that type's to check.
            .filter(|field| !field.is_other)
            .map(CheckedField::of)
            .collect();
        (!fields.is_empty()).then_some(Check { variant, fields })
    }

    /// An expression: whether there is anything to check.
    pub(super) fn is_checked(&self, private: &TokenStream) -> Vec<TokenStream> {
        self.fields
            .iter()
            .map(|field| {
                if field.limits.are_checked() {
                    return quote!(true);
                }
                let ty = field.marked.tokens(private);
                quote!(<#ty as #private::ToolSchema>::CHECKED)
            })
            .collect()
    }

    /// Assertions that bounds and examples are values of their fields.
    pub(super) fn asserts(&self, private: &TokenStream) -> Vec<TokenStream> {
        let asserts = self.fields.iter().filter_map(|field| {
            let ty = field.marked.tokens(private);
            let assert = field.limits.asserts(&ty, &type_text(&field.ty), private)?;
            Some(quote!(#assert;))
        });
        asserts.collect()
    }

    /// An arm of a `match` on the value: the pattern, and whether all fields keep to their limits.
    pub(super) fn arm(&self, private: &TokenStream) -> TokenStream {
        let mut bindings = TokenStream::new();
        let mut checks = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            let value = Ident::new(&format!("f{index}"), Span::mixed_site());
            let (member, ty) = (&field.member, &field.ty);
            bindings.extend(quote!(#member: #value,));
            checks.push(quote!(<#ty as #private::ToolSchema>::check(#value)));
            checks.extend(field.limits.check(&quote!(#value), &quote!(#ty), private));
        }
        let path = match &self.variant {
            Some(variant) => quote!(Self::#variant),
            None => quote!(Self),
        };
        quote!(#path { #bindings .. } => #(#checks)&&*,)
    }
}

impl CheckedField {
    fn of(field: &ReadField) -> CheckedField {
        CheckedField {
            member: field.member.clone(),
            ty: field.ty.clone(),
            marked: field.marked.clone(),
            limits: field.limits.clone(),
        }
    }
}
