//! What narrows a parameter or a field: one source for the schema and for the check at the call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::LitStr;

use crate::{
    json,
    keys::Key,
    literal::{Literal, Number},
};

/// The keys of `#[arg(...)]` and `#[schema(...)]` that narrow a value.
pub(crate) const KEYS: &[&str] = &["min", "max", "min_len", "max_len", "pattern", "example"];

/// The limits of one value.
#[derive(Clone, Default)]
pub(crate) struct Limits {
    min: Option<Literal>,
    max: Option<Literal>,
    min_len: Option<(usize, Span)>,
    max_len: Option<(usize, Span)>,
    pattern: Option<LitStr>,
    examples: Vec<Literal>,
    default: Option<Literal>,
}

impl Limits {
    /// Takes a key, if it is one of [`KEYS`].
    pub(crate) fn set(&mut self, key: &Key) -> syn::Result<()> {
        match key.name().as_str() {
            "min" => self.min = Some(number(key)?),
            "max" => self.max = Some(number(key)?),
            "min_len" => self.min_len = Some(length(key)?),
            "max_len" => self.max_len = Some(length(key)?),
            "pattern" => self.pattern = Some(pattern(key)?),
            "example" => self.examples = key.literals()?,
            _ => return Ok(()),
        }
        self.in_order()
    }

    /// Takes the value of an absent parameter, which the schema names too.
    pub(crate) fn set_default(&mut self, default: Literal) -> syn::Result<()> {
        self.default = Some(default);
        self.in_order()
    }

    /// Whether anything has to be checked.
    pub(crate) fn are_checked(&self) -> bool {
        self.min.is_some()
            || self.max.is_some()
            || self.min_len.is_some()
            || self.max_len.is_some()
            || self.pattern.is_some()
    }

    fn in_order(&self) -> syn::Result<()> {
        let number = |literal: &Option<Literal>| literal.as_ref().and_then(|l| l.number);
        let (min, max) = (number(&self.min), number(&self.max));
        if let (Some(min), Some(max), Some(literal)) = (min, max, &self.max)
            && max.is_less(min)
        {
            return Err(syn::Error::new(literal.span, "`max` is less than `min`"));
        }
        if let (Some((min, _)), Some((max, span))) = (self.min_len, self.max_len)
            && min > max
        {
            return Err(syn::Error::new(span, "`max_len` is less than `min_len`"));
        }
        let values = self.examples.iter().map(|example| ("example", example));
        let values = values.chain(self.default.iter().map(|default| ("default", default)));
        for (key, value) in values {
            if let Some(limit) = self.exceeded(value) {
                let message = format!("`{key}` {limit}");
                return Err(syn::Error::new(value.span, message));
            }
        }
        Ok(())
    }

    /// What a value does not keep to. A value of another type is for the compiler to find.
    fn exceeded(&self, value: &Literal) -> Option<&'static str> {
        let number = |literal: &Option<Literal>| literal.as_ref().and_then(|l| l.number);
        if let Some(value) = value.number {
            let less = |a: Option<Number>, b: Option<Number>| match (a, b) {
                (Some(a), Some(b)) => a.is_less(b),
                _ => false,
            };
            let (min, max) = (number(&self.min), number(&self.max));
            if less(Some(value), min) || less(max, Some(value)) {
                return Some("is not between `min` and `max`");
            }
        }
        let text = value.text.as_ref()?;
        let length = text.chars().count();
        let (min, max) = (self.min_len, self.max_len);
        if min.is_some_and(|(min, _)| length < min) || max.is_some_and(|(max, _)| length > max) {
            return Some("is not between `min_len` and `max_len` characters long");
        }
        let pattern = self.pattern.as_ref()?;
        let regex = regex_lite::Regex::new(&pattern.value()).ok()?;
        (!regex.is_match(text)).then_some("does not match `pattern`")
    }

    /// Assertions for the compiler, which alone knows the type: that the bounds and the examples are
    /// values of it. The type is named as the user wrote it.
    pub(crate) fn asserts(
        &self,
        ty: &TokenStream,
        written: &str,
        private: &TokenStream,
    ) -> Option<TokenStream> {
        let mut asserts = TokenStream::new();
        for (key, bound) in [("min", &self.min), ("max", &self.max)] {
            if let Some(bound) = bound {
                let message = format!("`{key}` is outside of what a `{written}` can be");
                asserts.extend(bound.assert("bounds", &message, private));
            }
        }
        for example in &self.examples {
            let message = format!("`example` is no value of `{written}`");
            asserts.extend(example.assert("takes", &message, private));
        }
        (!asserts.is_empty()).then(|| {
            quote! {{
                const SCHEMA: #private::Schema = #private::Schema::of(&[#private::Piece::Object(&[
                    #private::Member::new("x", &<#ty as #private::ToolSchema>::SCHEMA, ""),
                ])]);
                const DEFS: #private::Defs = <#ty as #private::ToolSchema>::DEFS;
                const BYTES: [::core::primitive::u8; #private::measure(&SCHEMA, &DEFS)] =
                    #private::flatten(&SCHEMA, &DEFS);
                const TEXT: &::core::primitive::str = #private::to_text(&BYTES);
                #asserts
            }}
        })
    }

    /// The limits as the schema takes them, or nothing if there are none.
    pub(crate) fn schema(&self, ty: &TokenStream, private: &TokenStream) -> Option<TokenStream> {
        let mut calls = TokenStream::new();
        if self.min.is_some() || self.max.is_some() {
            let text = |literal: &Option<Literal>| {
                literal.as_ref().map_or(String::new(), |l| l.json.clone())
            };
            let (min, max) = (text(&self.min), text(&self.max));
            calls.extend(quote!(.range(#min, #max)));
        }
        if self.min_len.is_some() || self.max_len.is_some() {
            let text = |length: Option<(usize, Span)>| {
                length.map_or(String::new(), |(length, _)| length.to_string())
            };
            let (min, max) = (text(self.min_len), text(self.max_len));
            calls.extend(quote!(.length(<#ty as #private::Measured>::LENGTH, #min, #max)));
        }
        let rest = self.rest();
        if !rest.is_empty() {
            calls.extend(quote!(.rest(#rest)));
        }
        (!calls.is_empty()).then(|| quote!(#private::Limits::NONE #calls))
    }

    fn rest(&self) -> String {
        let mut rest = String::new();
        if let Some(pattern) = &self.pattern {
            rest.push_str(&format!(
                ",\"pattern\":\"{}\"",
                json::escape(&pattern.value())
            ));
        }
        if let Some(default) = &self.default {
            rest.push_str(&format!(",\"default\":{}", default.json));
        }
        if !self.examples.is_empty() {
            let examples: Vec<&str> = self.examples.iter().map(|e| e.json.as_str()).collect();
            rest.push_str(&format!(",\"examples\":[{}]", examples.join(",")));
        }
        rest
    }

    /// An expression that says whether `value`, a reference to a `ty`, keeps to the limits.
    pub(crate) fn check(
        &self,
        value: &TokenStream,
        ty: &TokenStream,
        private: &TokenStream,
    ) -> Option<TokenStream> {
        let mut checks = Vec::new();
        for (literal, method) in [(&self.min, "at_least"), (&self.max, "at_most")] {
            if let Some(bound) = literal.as_ref().and_then(|literal| literal.number) {
                let method = Ident::new(method, Span::call_site());
                let bound = bound.bound(private);
                checks.push(quote!(<#ty as #private::Ranged>::#method(#value, #bound)));
            }
        }
        if self.min_len.is_some() || self.max_len.is_some() {
            let min = self.min_len.map_or(0, |(length, _)| length);
            let max = self.max_len.map_or(usize::MAX, |(length, _)| length);
            checks.push(
                quote!(#private::within(<#ty as #private::Measured>::length(#value), #min, #max)),
            );
        }
        if let Some(pattern) = &self.pattern {
            let pattern = pattern.value();
            checks.push(quote! {{
                static PATTERN: #private::Pattern = #private::Pattern::new(#pattern);
                PATTERN.fits(<#ty as #private::Patterned>::as_text(#value))
            }});
        }
        (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
    }
}

fn number(key: &Key) -> syn::Result<Literal> {
    key.number()
        .ok_or_else(|| key.wrong_value("takes a number: `= 5`"))
}

fn length(key: &Key) -> syn::Result<(usize, Span)> {
    let literal = number(key)?;
    let length = match literal.number {
        Some(Number::Whole(length)) => usize::try_from(length).ok(),
        _ => None,
    };
    length
        .map(|length| (length, literal.span))
        .ok_or_else(|| key.wrong_value("takes a length: a whole number from 0"))
}

/// The pattern, tried: what the call would find out too late is an error here.
fn pattern(key: &Key) -> syn::Result<LitStr> {
    let text = key.text()?;
    match regex_lite::Regex::new(&text.value()) {
        Ok(_) => Ok(text),
        Err(error) => Err(syn::Error::new(
            text.span(),
            format!("`pattern` is no regular expression: {error}"),
        )),
    }
}
