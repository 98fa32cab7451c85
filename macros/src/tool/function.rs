//! A function whose signature is read and whose body is not: it stays a stream of tokens, so errors
//! and completion inside it are the compiler's and the editor's own.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::{
    Attribute, Generics, Ident, ReturnType, Token, Type, Visibility,
    ext::IdentExt,
    parenthesized,
    parse::{Parse, ParseStream},
    token::Paren,
};

/// A function as it was written.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// `const`, `async`, `unsafe`, `extern "C"`.
    pub(crate) qualifiers: TokenStream,
    pub(crate) asyncness: Option<Token![async]>,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) fn_token: Token![fn],
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) paren: Paren,
    pub(crate) inputs: Vec<Input>,
    pub(crate) output: ReturnType,
    /// The `where` clause and the body.
    pub(crate) rest: TokenStream,
}

/// A parameter as it was written.
#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) pattern: Pattern,
    pub(crate) ty: Option<Type>,
    comma: Option<Token![,]>,
    /// The pattern, the colon and the type.
    tokens: TokenStream,
}

/// The left side of a parameter.
#[derive(Clone)]
pub(crate) enum Pattern {
    /// `name` or `mut name`.
    Name(Ident),
    /// `self` in any form.
    Receiver(TokenStream),
    /// `name: ...`, the rest of the arguments in C.
    Variadic(TokenStream),
    /// Anything else.
    Other(TokenStream),
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let mut function = Qualifiers::default();
        while !input.peek(Token![fn]) {
            function.parse_one(input)?;
        }
        let fn_token = input.parse()?;
        // `fn match()` does not parse as a function anyway; `parse_any` lets the compiler say so.
        let ident = Ident::parse_any(input)?;
        let generics = input.parse()?;
        let content;
        let paren = parenthesized!(content in input);
        let mut inputs = Vec::new();
        while !content.is_empty() {
            inputs.push(content.parse()?);
        }
        Ok(Function {
            attributes,
            visibility,
            qualifiers: function.tokens,
            asyncness: function.asyncness,
            unsafety: function.unsafety,
            fn_token,
            ident,
            generics,
            paren,
            inputs,
            output: input.parse()?,
            rest: rest(input)?,
        })
    }
}

/// Everything to the end of the body, or to the semicolon where there is none.
fn rest(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.append(token);
        if ends {
            break;
        }
    }
    Ok(tokens)
}

#[derive(Default)]
struct Qualifiers {
    tokens: TokenStream,
    asyncness: Option<Token![async]>,
    unsafety: Option<Token![unsafe]>,
}

impl Qualifiers {
    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.peek(Token![async]) {
            let token: Token![async] = input.parse()?;
            token.to_tokens(&mut self.tokens);
            self.asyncness = Some(token);
        } else if input.peek(Token![unsafe]) {
            let token: Token![unsafe] = input.parse()?;
            token.to_tokens(&mut self.tokens);
            self.unsafety = Some(token);
        } else if input.peek(Token![const]) {
            input.parse::<Token![const]>()?.to_tokens(&mut self.tokens);
        } else if input.peek(Token![extern]) {
            input.parse::<syn::Abi>()?.to_tokens(&mut self.tokens);
        } else {
            return Err(input.error("`#[tool]` stands on a function"));
        }
        Ok(())
    }
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let mut pattern = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            if input.peek(Token![::]) {
                pattern.extend(input.parse::<Token![::]>()?.into_token_stream());
            } else if input.peek(Token![:]) {
                break;
            } else {
                pattern.append(input.parse::<TokenTree>()?);
            }
        }
        let mut tokens = pattern.clone();
        let ty = if input.peek(Token![:]) {
            input.parse::<Token![:]>()?.to_tokens(&mut tokens);
            if input.peek(Token![...]) {
                input.parse::<Token![...]>()?.to_tokens(&mut tokens);
                return Ok(Input {
                    attributes,
                    pattern: Pattern::Variadic(tokens.clone()),
                    ty: None,
                    comma: input.parse()?,
                    tokens,
                });
            }
            let ty: Type = input.parse()?;
            ty.to_tokens(&mut tokens);
            Some(ty)
        } else {
            None
        };
        Ok(Input {
            attributes,
            pattern: Pattern::classify(pattern),
            ty,
            comma: input.parse()?,
            tokens,
        })
    }
}

impl Function {
    /// Whether this stands in an `impl` block or a trait, as far as its looks say.
    pub(crate) fn is_method(&self) -> bool {
        let receives = |input: &Input| matches!(input.pattern, Pattern::Receiver(_));
        self.inputs.first().is_some_and(receives) || !self.has_body()
    }

    /// Whether the rest of the arguments are taken as in C.
    pub(crate) fn is_variadic(&self) -> bool {
        let variadic = |input: &Input| matches!(input.pattern, Pattern::Variadic(_));
        self.inputs.iter().any(variadic)
    }

    /// Whether this is more than the signature of a trait's method.
    pub(crate) fn has_body(&self) -> bool {
        let last = self.rest.clone().into_iter().last();
        !matches!(last, Some(TokenTree::Punct(punct)) if punct.as_char() == ';')
    }
}

impl Input {
    /// Whether this is `&self`.
    pub(crate) fn is_shared_self(&self) -> bool {
        let shared = |input: ParseStream<'_>| -> syn::Result<()> {
            input.parse::<Token![&]>()?;
            input.parse::<Option<syn::Lifetime>>()?;
            input.parse::<Token![self]>()?;
            Ok(())
        };
        syn::parse::Parser::parse2(shared, self.tokens.clone()).is_ok()
    }
}

impl Pattern {
    fn classify(tokens: TokenStream) -> Pattern {
        let name = |input: ParseStream<'_>| -> syn::Result<Ident> {
            input.parse::<Option<Token![mut]>>()?;
            input.parse()
        };
        if let Ok(name) = syn::parse::Parser::parse2(name, tokens.clone()) {
            return Pattern::Name(name);
        }
        let is_self = |token: TokenTree| matches!(token, TokenTree::Ident(name) if name == "self");
        if tokens.clone().into_iter().any(is_self) {
            return Pattern::Receiver(tokens);
        }
        Pattern::Other(tokens)
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function {
            attributes,
            visibility,
            qualifiers,
            fn_token,
            ident,
            generics,
            paren,
            inputs,
            output,
            rest,
            ..
        } = self;
        tokens.extend(quote!(#(#attributes)* #visibility #qualifiers #fn_token #ident #generics));
        paren.surround(tokens, |tokens| tokens.append_all(inputs));
        tokens.extend(quote!(#output #rest));
    }
}

impl ToTokens for Input {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        tokens.extend(self.tokens.clone());
        self.comma.to_tokens(tokens);
    }
}
