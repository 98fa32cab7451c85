//! Types inside themselves: where a type's own name stands, the schema has a reference.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericArgument, PathArguments, Type};

/// A type, and the same with a stand-in where it holds the type it is part of.
#[derive(Clone)]
pub(super) struct Marked {
    ty: Type,
    holds: Holds,
}

#[derive(Clone)]
enum Holds {
    /// Only others.
    Others,
    /// The type that is derived for, of this name.
    Itself(Ident),
    /// A type that holds the one that is derived for.
    Closing,
}

impl Marked {
    /// A type that is taken as it is.
    pub(super) fn plain(ty: &Type) -> Marked {
        Marked {
            ty: ty.clone(),
            holds: Holds::Others,
        }
    }

    /// The type to take the schema from.
    pub(super) fn tokens(&self, private: &TokenStream) -> TokenStream {
        match &self.holds {
            Holds::Others => self.ty.to_token_stream(),
            Holds::Itself(name) => replace(self.ty.to_token_stream(), name, private),
            Holds::Closing => innermost(&self.ty, |ty| quote!(#private::Recursive<#ty>)),
        }
    }

    /// The type that `#[schema(recursive)]` says holds this one.
    pub(super) fn closing(&self) -> Option<TokenStream> {
        let mut closing = None;
        if let Holds::Closing = self.holds {
            innermost(&self.ty, |ty| {
                closing = Some(ty.to_token_stream());
                TokenStream::new()
            });
        }
        closing
    }
}

/// Looks for `name` or `Self` in a type.
pub(super) fn mark(ty: &Type, name: &Ident, closing: bool) -> Marked {
    let holds = if closing {
        Holds::Closing
    } else if mentions(ty.to_token_stream(), name) {
        Holds::Itself(name.clone())
    } else {
        Holds::Others
    };
    Marked {
        ty: ty.clone(),
        holds,
    }
}

/// Whether a type is the one that is derived for, in a `Box` or the like.
pub(super) fn is_boxed(ty: &Type, name: &Ident) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    if path.path.is_ident(name) || path.path.is_ident("Self") {
        return true;
    }
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    match &last.arguments {
        PathArguments::AngleBracketed(arguments)
            if ["Box", "Rc", "Arc"].iter().any(|boxed| last.ident == boxed) =>
        {
            matches!(arguments.args.first(), Some(GenericArgument::Type(inner)) if is_boxed(inner, name))
        }
        _ => false,
    }
}

/// Where a type holds the one that is derived for, with other arguments than its own: each would need
/// another, without end.
pub(super) fn other_arguments(ty: &Type, input: &DeriveInput) -> Option<TokenStream> {
    let (_, own, _) = input.generics.split_for_impl();
    let own = own.to_token_stream().to_string();
    let own = own.trim_start_matches("::").trim();
    let mut found = None;
    each_own(
        ty.to_token_stream(),
        &input.ident,
        &mut |name, arguments| {
            let text = arguments.to_string();
            if found.is_none() && !text.is_empty() && text.replace(' ', "") != own.replace(' ', "")
            {
                found = Some(quote!(#name #arguments));
            }
        },
    );
    found
}

/// Calls back for each place where the type's own name stands, with the arguments after it.
fn each_own(tokens: TokenStream, name: &Ident, found: &mut impl FnMut(&Ident, &TokenStream)) {
    let mut in_path = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after_colon = std::mem::replace(&mut in_path, is_colon(&token));
        match token {
            TokenTree::Ident(ident) if is_own(&ident, name, after_colon) => {
                let mut arguments = TokenStream::new();
                if let Some(TokenTree::Punct(punct)) = tokens.peek()
                    && punct.as_char() == '<'
                {
                    take_generics(&mut tokens, &mut arguments);
                }
                found(&ident, &arguments);
            }
            TokenTree::Group(group) => each_own(group.stream(), name, found),
            _ => {}
        }
    }
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    let mut in_path = false;
    tokens.into_iter().any(|token| {
        let after_colon = std::mem::replace(&mut in_path, is_colon(&token));
        match token {
            TokenTree::Ident(ident) => is_own(&ident, name, after_colon),
            TokenTree::Group(group) => mentions(group.stream(), name),
            _ => false,
        }
    })
}

/// Whether a name is the type's own. `other::Name` is another's.
fn is_own(ident: &Ident, name: &Ident, after_colon: bool) -> bool {
    !after_colon && (ident == name || ident == "Self")
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

/// `Name<…>` and `Self` as `Recursive<Name<…>>`.
fn replace(tokens: TokenStream, name: &Ident, private: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut in_path = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let after_colon = std::mem::replace(&mut in_path, is_colon(&token));
        match token {
            TokenTree::Ident(ident) if is_own(&ident, name, after_colon) => {
                let mut own = ident.into_token_stream();
                if let Some(TokenTree::Punct(punct)) = tokens.peek()
                    && punct.as_char() == '<'
                {
                    take_generics(&mut tokens, &mut own);
                }
                out.extend(quote!(#private::Recursive<#own>));
            }
            TokenTree::Group(group) => {
                let inner = replace(group.stream(), name, private);
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                out.extend([TokenTree::Group(copy)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// Moves `<…>` with everything in it.
fn take_generics(tokens: &mut impl Iterator<Item = TokenTree>, own: &mut TokenStream) {
    let mut depth = 0;
    for token in tokens {
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
        }
        own.extend([token]);
        if depth == 0 {
            return;
        }
    }
}

/// `Option<Box<T>>` with something else for `T`.
fn innermost(ty: &Type, instead: impl FnOnce(&Type) -> TokenStream) -> TokenStream {
    if let Type::Path(path) = ty {
        let mut path = path.clone();
        if let Some(segment) = path.path.segments.last_mut()
            && let PathArguments::AngleBracketed(arguments) = &mut segment.arguments
            && let Some(GenericArgument::Type(inner)) = arguments.args.last_mut()
        {
            *inner = Type::Verbatim(innermost(inner, instead));
            return path.to_token_stream();
        }
    }
    instead(ty)
}
