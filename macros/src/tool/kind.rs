//! How a parameter's type is kept between decoding and the call.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type, spanned::Spanned};

/// A parameter's type, seen as what has to be owned and what is handed over.
pub(crate) enum Kind {
    /// `T`
    Owned(Type),
    /// `&str`
    Str,
    /// `Option<&str>`
    OptionStr,
    /// `&T`; the owned type may be written differently (`&[T]` is kept as a `Vec<T>`)
    Ref(Owned),
    /// `Option<&T>`
    OptionRef(Owned),
}

/// What a reference is borrowed from.
pub(crate) enum Owned {
    /// `T` for `&T`
    Same(Type),
    /// `Vec<T>` for `&[T]`
    Slice(Type, Span),
    /// `PathBuf` for `&Path`
    Path(Span),
}

/// Why a type cannot be a parameter: what to underline, and what to say.
pub(crate) struct Refused {
    pub(crate) tokens: TokenStream,
    pub(crate) message: &'static str,
}

fn refuse<T>(tokens: impl ToTokens, message: &'static str) -> Result<T, Refused> {
    Err(Refused {
        tokens: tokens.into_token_stream(),
        message,
    })
}

impl Kind {
    pub(crate) fn of(ty: &Type) -> Result<Kind, Refused> {
        let ty = peel(ty);
        if let Type::Reference(reference) = ty {
            return Ok(borrowed(reference)?.map_or(Kind::Str, Kind::Ref));
        }
        if let Some(Type::Reference(reference)) = option_of(ty).map(peel) {
            return Ok(borrowed(reference)?.map_or(Kind::OptionStr, Kind::OptionRef));
        }
        owned(ty)?;
        Ok(Kind::Owned(static_lifetimes(ty)))
    }
}

/// What a reference is borrowed from, or `None` for `&str`, which borrows from the arguments.
fn borrowed(reference: &syn::TypeReference) -> Result<Option<Owned>, Refused> {
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident != "_"
    {
        return refuse(
            lifetime,
            "a parameter is borrowed for the call alone; leave the lifetime out",
        );
    }
    if reference.mutability.is_some() {
        return refuse(
            reference,
            "a parameter cannot be `&mut`; take it by value, or `#[state]` with a `Mutex` inside",
        );
    }
    let inner = peel(&reference.elem);
    Ok(match inner {
        Type::Path(path) if path.qself.is_none() && is_named(path, "str") => None,
        Type::Path(path) if is_named(path, "Path") => Some(Owned::Path(inner.span())),
        Type::Slice(slice) => {
            owned(&slice.elem)?;
            Some(Owned::Slice(static_lifetimes(&slice.elem), inner.span()))
        }
        other => {
            owned(other)?;
            Some(Owned::Same(static_lifetimes(other)))
        }
    })
}

/// Whether a type can be decoded into, as far as its looks say.
fn owned(ty: &Type) -> Result<(), Refused> {
    match peel(ty) {
        Type::ImplTrait(ty) => refuse(
            ty,
            "a parameter needs one concrete type, since the model is sent its schema",
        ),
        Type::TraitObject(ty) => refuse(
            ty,
            "a parameter needs one concrete type; for `#[state]`, take `&Arc<dyn …>`",
        ),
        Type::Infer(ty) => refuse(ty, "a parameter needs its type written out"),
        Type::FnPtr(ty) => refuse(ty, "a function cannot be sent by a model"),
        Type::Ptr(ty) => refuse(ty, "a pointer cannot be sent by a model"),
        Type::Never(ty) => refuse(ty, "`!` has no value that a model could send"),
        Type::Slice(ty) => refuse(ty, "a slice is taken by reference: `&[T]`"),
        Type::Reference(ty) => refuse(
            ty,
            "a reference inside a parameter's type; own it: `String` for `&str`, `Vec<T>` for `&[T]`",
        ),
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(owned),
        Type::Array(array) => owned(&array.elem),
        Type::Path(path) => {
            path.path
                .segments
                .iter()
                .try_for_each(|segment| match &segment.arguments {
                    PathArguments::AngleBracketed(arguments) => {
                        arguments
                            .args
                            .iter()
                            .try_for_each(|argument| match argument {
                                // `Box<dyn Trait>`, `Box<str>` and `Arc<[T]>` are for the compiler to judge.
                                GenericArgument::Type(Type::Slice(slice)) => owned(&slice.elem),
                                GenericArgument::Type(ty) => owned(ty),
                                GenericArgument::Lifetime(lifetime)
                                    if lifetime.ident != "_" && lifetime.ident != "static" =>
                                {
                                    refuse(
                                        lifetime,
                                        "a parameter owns its data; use `'static` or `'_`",
                                    )
                                }
                                _ => Ok(()),
                            })
                    }
                    _ => Ok(()),
                })
        }
        _ => Ok(()),
    }
}

/// The type inside `Option<…>`.
fn option_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if segment.ident == "Option" => Some(inner),
        _ => None,
    }
}

fn is_named(path: &syn::TypePath, name: &str) -> bool {
    path.path
        .segments
        .last()
        .is_some_and(|segment| segment.ident == name && segment.arguments.is_none())
}

/// The type behind parentheses and the invisible groups that `macro_rules` leave.
pub(crate) fn peel(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        };
    }
}

/// `'_` as `'static`: what was decoded owns its data, and a longer lifetime fits where a shorter one
/// is asked for.
fn static_lifetimes(ty: &Type) -> Type {
    fn walk(tokens: TokenStream) -> TokenStream {
        let mut tick = false;
        tokens
            .into_iter()
            .map(|token| match token {
                proc_macro2::TokenTree::Group(group) => {
                    tick = false;
                    let mut inner =
                        proc_macro2::Group::new(group.delimiter(), walk(group.stream()));
                    inner.set_span(group.span());
                    inner.into()
                }
                proc_macro2::TokenTree::Ident(name) if tick && name == "_" => {
                    tick = false;
                    proc_macro2::Ident::new("static", name.span()).into()
                }
                other => {
                    tick =
                        matches!(&other, proc_macro2::TokenTree::Punct(p) if p.as_char() == '\'');
                    other
                }
            })
            .collect()
    }
    syn::parse2(walk(quote!(#ty))).unwrap_or_else(|_| ty.clone())
}
