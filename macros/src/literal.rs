//! Literals that are written into a schema.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Lit, Token,
    parse::{ParseStream, Parser},
    spanned::Spanned,
};

use crate::json;

/// A literal of Rust and what it is in JSON.
#[derive(Clone)]
pub(crate) struct Literal {
    pub(crate) json: String,
    pub(crate) number: Option<Number>,
    pub(crate) span: Span,
}

/// A number of either sort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Whole(i128),
    Float(f64),
}

impl Literal {
    /// Reads tokens as one literal, which may be a negative number.
    pub(crate) fn parse(tokens: &TokenStream) -> Option<Literal> {
        let literal = |input: ParseStream<'_>| -> syn::Result<(Option<Token![-]>, Lit)> {
            Ok((input.parse()?, input.parse()?))
        };
        let (minus, literal) = literal.parse2(tokens.clone()).ok()?;
        let span = minus.map_or_else(|| literal.span(), |minus| minus.span());
        let number = match &literal {
            Lit::Int(int) => Number::Whole(int.base10_parse().ok()?),
            Lit::Float(float) => Number::Float(float.base10_parse().ok()?),
            _ if minus.is_some() => return None,
            Lit::Str(text) => {
                return Some(Literal {
                    json: format!("\"{}\"", json::escape(&text.value())),
                    number: None,
                    span,
                });
            }
            Lit::Bool(value) => {
                return Some(Literal {
                    json: value.value.to_string(),
                    number: None,
                    span,
                });
            }
            _ => return None,
        };
        let number = if minus.is_some() {
            number.negative()
        } else {
            number
        };
        Some(Literal {
            json: number.json()?,
            number: Some(number),
            span,
        })
    }
}

impl Number {
    fn negative(self) -> Number {
        match self {
            Number::Whole(whole) => Number::Whole(-whole),
            Number::Float(float) => Number::Float(-float),
        }
    }

    fn json(self) -> Option<String> {
        match self {
            Number::Whole(whole) => Some(whole.to_string()),
            Number::Float(float) if float.is_finite() => Some(format!("{float:?}")),
            Number::Float(_) => None,
        }
    }

    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Float(float) => float,
        }
    }

    /// The number as the runtime takes it.
    pub(crate) fn bound(self, private: &TokenStream) -> TokenStream {
        match self {
            Number::Whole(whole) => quote!(#private::Bound::Whole(#whole)),
            Number::Float(float) => quote!(#private::Bound::Float(#float)),
        }
    }
}
