//! Advice on the descriptions of a type, its variants and its fields.

use proc_macro2::{Span, TokenStream};
use serde_derive_internals::ast::{Container, Data, Field};
use syn::{Attribute, Member};

use crate::{docs, lint};

/// One warning for each description that could be better.
pub(super) fn warnings(container: &Container<'_>, allowed: &[String]) -> TokenStream {
    let mut advice = Advice {
        allowed,
        warnings: TokenStream::new(),
    };
    let ident = &container.ident;
    let attributes = &container.original.attrs;
    advice.judge("type", &ident.to_string(), attributes, ident.span());
    match &container.data {
        Data::Struct(_, fields) => advice.fields(fields),
        Data::Enum(variants) => {
            for variant in variants {
                if variant.attrs.skip_deserializing() {
                    continue;
                }
                let name = &variant.attrs.name().deserialize_name().value;
                let attributes = &variant.original.attrs;
                advice.judge("variant", name, attributes, variant.ident.span());
                advice.fields(&variant.fields);
            }
        }
    }
    advice.warnings
}

struct Advice<'a> {
    allowed: &'a [String],
    warnings: TokenStream,
}

impl Advice<'_> {
    fn fields(&mut self, fields: &[Field<'_>]) {
        for field in fields {
            // The model is not told of the others, or of their members alone.
            let is_told = !field.attrs.skip_deserializing() && !field.attrs.flatten();
            if let (true, Member::Named(ident)) = (is_told, &field.member) {
                let name = &field.attrs.name().deserialize_name().value;
                self.judge("field", name, &field.original.attrs, ident.span());
            }
        }
    }

    fn judge(&mut self, what: &str, name: &str, attributes: &[Attribute], span: Span) {
        let warning = match docs::empty(attributes) {
            Some(span) => lint::warn_empty(what, name, self.allowed, "schema", span),
            None => {
                let text = docs::summary(attributes);
                lint::warn(what, name, &text, self.allowed, "schema", span)
            }
        };
        self.warnings.extend(warning);
    }
}
