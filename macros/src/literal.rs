//! Literals that are written into a schema.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Lit, Token,
    parse::{ParseStream, Parser},
    spanned::Spanned,
};

use crate::{json, tool::kind::respan};

/// A literal of Rust and what it is in JSON.
#[derive(Clone)]
pub(crate) struct Literal {
    pub(crate) json: String,
    pub(crate) number: Option<Number>,
    /// The text, where it is one.
    pub(crate) text: Option<String>,
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
                    text: Some(text.value()),
                    span,
                });
            }
            Lit::Bool(value) => {
                return Some(Literal {
                    json: value.value.to_string(),
                    number: None,
                    text: None,
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
            text: None,
            span,
        })
    }
}

impl Literal {
    /// An assertion, lying where the literal is, that a schema called `TEXT` takes it.
    pub(crate) fn assert(&self, judge: &str, message: &str, private: &TokenStream) -> TokenStream {
        let judge = Ident::new(judge, self.span);
        let private = respan(private, self.span);
        let json = &self.json;
        let given = match (self.number, &self.text) {
            (Some(Number::Whole(whole)), _) => quote!(#private::Given::Whole(#whole)),
            (Some(Number::Float(float)), _) => quote!(#private::Given::Float(#float)),
            (None, Some(text)) => {
                let characters = text.chars().count();
                quote!(#private::Given::Text(#json, #characters))
            }
            (None, None) => quote!(#private::Given::Boolean),
        };
        quote_spanned!(self.span=> ::core::assert!(#private::#judge(TEXT, &#given), #message);)
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

    /// Whether this is less than another.
    pub(crate) fn is_less(self, other: Number) -> bool {
        match (self, other) {
            (Number::Whole(this), Number::Whole(other)) => this < other,
            _ => self.as_f64() < other.as_f64(),
        }
    }

    fn as_f64(self) -> f64 {
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
