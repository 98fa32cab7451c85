//! The grammar of attribute arguments: `key`, `key = value`, `key(...)`, separated by commas.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use repertoire_skillmd::nearest::nearest;
use syn::{
    Expr, Lit, LitStr, Path, Token, bracketed,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
};

use crate::{diagnostics::Diagnostics, literal::Literal, source::Place, text_macros};

/// One key with what was given to it.
pub(crate) struct Key {
    pub(crate) ident: Ident,
    pub(crate) value: Value,
}

/// What was given to a key.
pub(crate) enum Value {
    /// Nothing: the key alone.
    None,
    /// The tokens after `=`.
    Assigned(TokenStream),
    /// The tokens in parentheses.
    List(Group),
}

impl Key {
    /// The key as written, without `r#`.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// The key without a value.
    pub(crate) fn flag(&self) -> syn::Result<bool> {
        match &self.value {
            Value::None => Ok(true),
            Value::Assigned(tokens) => syn::parse2::<syn::LitBool>(tokens.clone())
                .map(|value| value.value)
                .map_err(|_| self.wrong_value("stands alone, or takes `true` or `false`")),
            Value::List(_) => Err(self.wrong_value("stands alone, or takes `true` or `false`")),
        }
    }

    /// The text after `=`.
    pub(crate) fn text(&self) -> syn::Result<LitStr> {
        let wrong = || self.wrong_value("takes a text: `= \"…\"`");
        match &self.value {
            Value::Assigned(tokens) => text_of(tokens).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    /// The text or the list of texts after `=`.
    pub(crate) fn texts(&self) -> syn::Result<Vec<LitStr>> {
        let wrong = || self.wrong_value("takes a text or a list: `= \"…\"` or `= [\"…\", \"…\"]`");
        let Value::Assigned(tokens) = &self.value else {
            return Err(wrong());
        };
        if let Some(one) = text_of(tokens) {
            return Ok(vec![one]);
        }
        let list = |input: ParseStream<'_>| {
            let content;
            bracketed!(content in input);
            Punctuated::<LitStr, Token![,]>::parse_terminated(&content)
        };
        list.parse2(tokens.clone())
            .map(|texts| texts.into_iter().collect())
            .map_err(|_| wrong())
    }

    /// The texts in parentheses.
    pub(crate) fn text_list(&self) -> syn::Result<Vec<LitStr>> {
        let wrong = || self.wrong_value("takes texts in parentheses: `(\"…\", \"…\")`");
        match &self.value {
            Value::List(group) if group.stream().is_empty() => Err(wrong()),
            Value::List(group) => Punctuated::<LitStr, Token![,]>::parse_terminated
                .parse2(group.stream())
                .map(|texts| texts.into_iter().collect())
                .map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }

    /// The number after `=`.
    pub(crate) fn number(&self) -> Option<Literal> {
        match &self.value {
            Value::Assigned(tokens) => {
                Literal::parse(tokens).filter(|literal| literal.number.is_some())
            }
            _ => None,
        }
    }

    /// The literal or the list of literals after `=`.
    pub(crate) fn literals(&self) -> syn::Result<Vec<Literal>> {
        let wrong = || self.wrong_value("takes a literal or a list: `= 5` or `= [\"…\", \"…\"]`");
        let Value::Assigned(tokens) = &self.value else {
            return Err(wrong());
        };
        if let Some(one) = Literal::parse(tokens) {
            return Ok(vec![one]);
        }
        let list = |input: ParseStream<'_>| {
            let content;
            bracketed!(content in input);
            let mut literals = Vec::new();
            while !content.is_empty() {
                literals.push(Literal::parse(&until_comma(&content)?).ok_or_else(wrong)?);
                content.parse::<Option<Token![,]>>()?;
            }
            Ok(literals)
        };
        list.parse2(tokens.clone()).map_err(|_| wrong())
    }

    /// The identifier after `=`.
    pub(crate) fn ident_value(&self) -> syn::Result<Ident> {
        let wrong = || self.wrong_value("takes a name: `= Name`");
        match &self.value {
            Value::Assigned(tokens) => syn::parse2(tokens.clone()).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }

    /// The path after `=`.
    pub(crate) fn path(&self) -> syn::Result<Path> {
        let wrong = || self.wrong_value("takes a path: `= ::some::path`");
        match &self.value {
            Value::Assigned(tokens) => Path::parse_mod_style
                .parse2(tokens.clone())
                .map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }

    /// The names in parentheses.
    pub(crate) fn idents(&self) -> syn::Result<Vec<Ident>> {
        let wrong = || self.wrong_value("takes names in parentheses: `(…)`");
        match &self.value {
            Value::List(group) if group.stream().is_empty() => Err(wrong()),
            Value::List(group) => Punctuated::<Ident, Token![,]>::parse_terminated
                .parse2(group.stream())
                .map(|names| names.into_iter().collect())
                .map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }

    /// The names in parentheses, each of which is one that is known.
    pub(crate) fn known_idents(&self, what: &str, known: &[&str]) -> syn::Result<Vec<String>> {
        let name = |ident: Ident| {
            let name = ident.to_string();
            match known.contains(&name.as_str()) {
                true => Ok(name),
                false => Err(syn::Error::new(ident.span(), unknown(what, &name, known))),
            }
        };
        self.idents()?.into_iter().map(name).collect()
    }

    /// The mistake of a value of the wrong form; underlines the value, or the key without one.
    pub(crate) fn wrong_value(&self, takes: &str) -> syn::Error {
        let message = format!("`{}` {takes}", self.name());
        match &self.value {
            Value::None => syn::Error::new(self.ident.span(), message),
            Value::Assigned(tokens) => syn::Error::new_spanned(tokens, message),
            Value::List(group) => syn::Error::new_spanned(group, message),
        }
    }
}

impl Parse for Key {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident = match Ident::parse_any(input) {
            Ok(ident) => ident,
            Err(_) => {
                return Err(match input.parse::<Lit>() {
                    Ok(Lit::Str(text)) => syn::Error::new(
                        text.span(),
                        "expected a key; a text belongs to one: `description = \"…\"`",
                    ),
                    Ok(other) => syn::Error::new_spanned(other, "expected a key"),
                    Err(error) => syn::Error::new(error.span(), "expected a key"),
                });
            }
        };
        let value = if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            let tokens = until_comma(input)?;
            if tokens.is_empty() {
                return Err(syn::Error::new_spanned(
                    equals,
                    format!("expected a value after `{ident} =`"),
                ));
            }
            Value::Assigned(tokens)
        } else if input.peek(syn::token::Paren) {
            let group: Group = input.parse()?;
            Value::List(group)
        } else {
            Value::None
        };
        if !input.is_empty() && !input.peek(Token![,]) {
            let stray: TokenTree = input.parse()?;
            return Err(syn::Error::new_spanned(
                stray,
                format!("expected `,`, `=` or `(` after `{ident}`"),
            ));
        }
        Ok(Key { ident, value })
    }
}

/// A text, or what `concat!` and the like make one of.
fn text_of(tokens: &TokenStream) -> Option<LitStr> {
    syn::parse2(tokens.clone()).ok().or_else(|| {
        let expression = syn::parse2::<Expr>(tokens.clone()).ok()?;
        let text = text_macros::text(&expression)?;
        Some(LitStr::new(&text, expression.span()))
    })
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?.to_tokens(&mut tokens);
    }
    Ok(tokens)
}

/// Reads the arguments of an attribute. What cannot be read is reported, and the keys before it are
/// kept.
pub(crate) fn parse(tokens: TokenStream, known: &[&str], found: &mut Diagnostics) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    // The compiler has refused `#[tool = …]` already, and calls the macro all the same.
    let first = tokens.clone().into_iter().next();
    if let Some(TokenTree::Literal(text)) = first
        && Place::of(text.span()).is_some_and(|place| place.is_assigned())
    {
        return keys;
    }
    let read = |input: ParseStream<'_>| -> syn::Result<()> {
        while !input.is_empty() {
            match input.parse::<Key>() {
                Ok(key) => accept(key, &mut keys, known, found),
                Err(error) => {
                    found.push(error);
                    until_comma(input)?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = read.parse2(tokens) {
        found.push(error);
    }
    keys
}

fn accept(key: Key, keys: &mut Vec<Key>, known: &[&str], found: &mut Diagnostics) {
    let name = key.name();
    if known.contains(&name.as_str()) && key.ident != name {
        found.at_span(
            key.ident.span(),
            format!("a key stands without `r#`: `{name}`"),
        );
    } else if !known.contains(&name.as_str()) {
        found.at_span(key.ident.span(), unknown("key", &name, known));
    } else if keys.iter().any(|other| other.name() == name) {
        found.at_span(key.ident.span(), format!("`{name}` is given twice"));
    } else {
        keys.push(key);
    }
}

/// The message for a name that is not known.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!("unknown {what} `{name}`, did you mean `{near}`?");
    }
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    format!("unknown {what} `{name}`; allowed are {}", known.join(", "))
}

/// The tokens in the parentheses of an attribute, or a mistake if it has another form.
pub(crate) fn arguments(attribute: &syn::Attribute, found: &mut Diagnostics) -> TokenStream {
    match &attribute.meta {
        syn::Meta::Path(_) => TokenStream::new(),
        syn::Meta::List(list) => list.tokens.clone(),
        syn::Meta::NameValue(_) => {
            found.at(
                &attribute.meta,
                "this attribute takes its keys in parentheses",
            );
            TokenStream::new()
        }
    }
}
