//! How a parameter's type is kept between decoding and the call.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericArgument, PathArguments, Type, TypePath, spanned::Spanned};

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
        && lifetime.ident == "static"
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

/// Whether a type has a lifetime that is not `'static`. A `Cow` is owned where it has to be.
fn borrows(path: &TypePath) -> bool {
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return false;
    };
    last.ident != "Cow"
        && arguments.args.iter().any(|argument| {
            matches!(argument, GenericArgument::Lifetime(lifetime) if lifetime.ident != "static")
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
        Type::Path(path) if borrows(path) => refuse(
            ty,
            "a type that borrows from the arguments; own what it holds, or take `&str` and \
             `Cow<'_, str>` as parameters",
        ),
        Type::Path(path) => type_arguments(path).try_for_each(|argument| match argument {
            // `Box<[T]>` and the like are for the compiler to judge.
            Type::Slice(slice) => owned(&slice.elem),
            other => owned(other),
        }),
        _ => Ok(()),
    }
}

/// The type inside `Option<…>`, by its looks.
fn option_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Path(path) if last_is(path, "Option") => type_arguments(path).next(),
        _ => None,
    }
}

/// The types inside `Result<T, E>` or an alias `Result<T>`, by its looks.
pub(crate) fn result_of(ty: &Type) -> Option<(&Type, Option<&Type>)> {
    match ty {
        Type::Path(path) if last_is(path, "Result") => {
            let mut types = type_arguments(path);
            Some((types.next()?, types.next()))
        }
        _ => None,
    }
}

fn last_is(path: &TypePath, name: &str) -> bool {
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// The types between the angle brackets of a path.
fn type_arguments(path: &TypePath) -> impl Iterator<Item = &Type> {
    let segments = path.path.segments.iter();
    let arguments = segments.filter_map(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    arguments.flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn is_named(path: &TypePath, name: &str) -> bool {
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

/// Every lifetime as `'static`: what was decoded owns its data, and a longer lifetime fits where a
/// shorter one is asked for.
fn static_lifetimes(ty: &Type) -> Type {
    syn::parse2(all_static(ty.to_token_stream())).unwrap_or_else(|_| ty.clone())
}

fn all_static(tokens: TokenStream) -> TokenStream {
    let mut tick = false;
    tokens
        .into_iter()
        .map(|token| {
            let after_tick = std::mem::take(&mut tick);
            match token {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), all_static(group.stream()));
                    inner.set_span(group.span());
                    inner.into()
                }
                TokenTree::Ident(name) if after_tick => Ident::new("static", name.span()).into(),
                other => {
                    tick = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '\'');
                    other
                }
            }
        })
        .collect()
}

impl Kind {
    /// The type that is decoded, or `None` for the text types, which borrow.
    pub(crate) fn parameter(&self, private: &TokenStream) -> Option<TokenStream> {
        match self {
            Kind::Owned(ty) => Some(ty.to_token_stream()),
            Kind::Ref(owned) => Some(owned.tokens(private)),
            Kind::OptionRef(owned) => {
                let inner = owned.tokens(private);
                let private = respan(private, inner.span());
                Some(quote_spanned!(inner.span()=> #private::Option<#inner>))
            }
            Kind::Str | Kind::OptionStr => None,
        }
    }

    /// The type as a person would write it.
    pub(crate) fn written(&self) -> String {
        let text = |ty: &Type| super::expand::type_text(ty);
        match self {
            Kind::Str | Kind::OptionStr => "&str".to_owned(),
            Kind::Owned(ty) | Kind::Ref(Owned::Same(ty)) | Kind::OptionRef(Owned::Same(ty)) => {
                text(option_of(peel(ty)).unwrap_or(ty))
            }
            Kind::Ref(Owned::Slice(ty, _)) | Kind::OptionRef(Owned::Slice(ty, _)) => {
                format!("&[{}]", text(ty))
            }
            Kind::Ref(Owned::Path(_)) | Kind::OptionRef(Owned::Path(_)) => "&Path".to_owned(),
        }
    }

    /// Whether this is an `Option`, by its looks.
    pub(crate) fn is_option(&self) -> bool {
        match self {
            Kind::Owned(ty) => option_of(peel(ty)).is_some(),
            Kind::OptionStr | Kind::OptionRef(_) => true,
            Kind::Str | Kind::Ref(_) => false,
        }
    }

    /// What a slot holds when it is full.
    pub(crate) fn slot(&self, private: &TokenStream, lifetime: &TokenStream) -> TokenStream {
        match self {
            Kind::Str => quote!(#private::Text<#lifetime>),
            Kind::OptionStr => quote!(#private::Option<#private::Text<#lifetime>>),
            other => other.parameter(private).unwrap_or_default(),
        }
    }

    /// The type that limits are held against.
    pub(crate) fn checked(&self, private: &TokenStream) -> TokenStream {
        self.slot(private, &quote!('_))
    }

    /// An expression: the type's schema.
    pub(crate) fn schema(&self, private: &TokenStream) -> TokenStream {
        match self.parameter(private) {
            Some(ty) => {
                quote!(<#ty as #private::ToolSchema>::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD)
            }
            None if matches!(self, Kind::OptionStr) => {
                quote!(<#private::Option<&::core::primitive::str> as #private::ToolSchema>::SCHEMA)
            }
            None => quote!(<::core::primitive::str as #private::ToolSchema>::SCHEMA),
        }
    }

    /// The value in a slot as the function takes it.
    pub(crate) fn pass(&self, value: &Ident, private: &TokenStream) -> TokenStream {
        match self {
            Kind::Owned(_) => quote!(#value),
            Kind::Str | Kind::Ref(Owned::Slice(..) | Owned::Path(_)) => quote!(&*#value),
            Kind::Ref(Owned::Same(_)) => quote!(&#value),
            Kind::OptionStr | Kind::OptionRef(Owned::Slice(..) | Owned::Path(_)) => {
                quote!(#private::Option::as_deref(&#value))
            }
            Kind::OptionRef(Owned::Same(_)) => quote!(#private::Option::as_ref(&#value)),
        }
    }
}

impl Owned {
    fn tokens(&self, private: &TokenStream) -> TokenStream {
        match self {
            Owned::Same(ty) => ty.to_token_stream(),
            Owned::Slice(ty, span) => {
                let private = respan(private, *span);
                quote_spanned!(*span=> #private::Vec<#ty>)
            }
            Owned::Path(span) => {
                let private = respan(private, *span);
                quote_spanned!(*span=> #private::PathBuf)
            }
        }
    }
}

/// The same path, lying where a type was written.
pub(crate) fn respan(path: &TokenStream, span: Span) -> TokenStream {
    path.clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}
