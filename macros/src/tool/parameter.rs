//! From a parameter as it was written to what it means.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Type, ext::IdentExt, spanned::Spanned};

use super::{
    function::{Input, Pattern},
    kind::{Kind, peel},
    model::{Argument, Located, Owner, Parameter, Role},
    param_attr::ParamAttr,
};
use crate::{diagnostics::Diagnostics, source::Place};

/// Understands a parameter, and takes from it the attributes that are ours. `None` where it is
/// refused; the mistake is then reported.
pub(super) fn lower(
    input: &mut Input,
    owner: Option<&Owner>,
    found: &mut Diagnostics,
) -> Option<Parameter> {
    let attr = ParamAttr::take(&mut input.attributes, found);
    let ident = match (&input.pattern, owner) {
        (Pattern::Name(ident), _) => ident.clone(),
        (Pattern::Receiver(tokens), Some(owner)) => {
            if !input.is_shared_self() {
                found.at(
                    tokens,
                    "the tools of a toolbox share it; take `&self`, and put what changes in a `Mutex`",
                );
                return None;
            }
            return Some(receiver(tokens, owner));
        }
        (Pattern::Receiver(tokens), None) => {
            found.at(
                tokens,
                "`#[tool]` on a method: write `#[toolbox]` on the `impl` block, which makes `self` state",
            );
            return None;
        }
        (Pattern::Variadic(tokens), _) => {
            found.at(
                tokens,
                "a tool has a fixed list of parameters; take a `Vec<T>` for any number of values",
            );
            return None;
        }
        (Pattern::Other(tokens), _) => {
            found.at(
                tokens,
                "a parameter needs a plain name, which the model is told; take it apart in the body",
            );
            return None;
        }
    };
    let Some(ty) = &input.ty else {
        found.at(&ident, "a parameter needs a type");
        return None;
    };
    let ty = &owned_self(ty, owner);
    let name = attr.rename.as_ref().map_or_else(
        || Located {
            text: ident.unraw().to_string(),
            span: ident.span(),
        },
        Located::from,
    );
    Some(Parameter {
        description: attr.description.clone(),
        computed: attr.computed,
        undocumented: attr.undocumented,
        role: role(attr, ty, found)?,
        ident,
        name,
    })
}

/// `&self`: the toolbox, which is given by the program.
fn receiver(tokens: &TokenStream, owner: &Owner) -> Parameter {
    let ident = Ident::new("self", tokens.span());
    Parameter {
        name: Located {
            text: "self".to_owned(),
            span: ident.span(),
        },
        ident,
        description: String::new(),
        computed: None,
        undocumented: true,
        role: Role::State(Box::new(owner.ty.clone())),
    }
}

/// A type with the toolbox for `Self`: generated code stands outside its `impl` block.
fn owned_self(ty: &Type, owner: Option<&Owner>) -> Type {
    fn replace(tokens: TokenStream, owner: &Type) -> TokenStream {
        tokens
            .into_iter()
            .flat_map(|token| match token {
                TokenTree::Ident(name) if name == "Self" => owner.to_token_stream(),
                TokenTree::Group(group) => {
                    let inner = replace(group.stream(), owner);
                    let mut copy = Group::new(group.delimiter(), inner);
                    copy.set_span(group.span());
                    TokenTree::from(copy).into()
                }
                other => other.into(),
            })
            .collect()
    }
    let replaced = owner.map(|owner| replace(ty.to_token_stream(), &owner.ty));
    replaced
        .and_then(|tokens| syn::parse2(tokens).ok())
        .unwrap_or_else(|| ty.clone())
}

fn role(attr: ParamAttr, ty: &Type, found: &mut Diagnostics) -> Option<Role> {
    if attr.context {
        refuse_keys(&attr.arg, found);
        if attr.state {
            found.at(ty, "a parameter is `#[state]` or `#[context]`, not both");
        }
        return context(ty, found);
    }
    if attr.state {
        refuse_keys(&attr.arg, found);
        return Some(Role::State(Box::new(state_type(ty, found)?)));
    }
    if attr.arg.is_none() && is_context(ty) {
        found.at(
            ty,
            "the context is given by the program, not sent by the model: mark it `#[context]`, as \
             in `#[context] cx: &Context`; an argument whose own type has this name is written with \
             its path, as in `self::Context`",
        );
        return None;
    }
    match Kind::of(ty) {
        Ok(kind) => Some(Role::Argument(Box::new(Argument {
            kind,
            default: attr.default,
            limits: attr.limits,
            secret: attr.secret,
            schemars: attr.schemars,
        }))),
        Err(refused) => {
            found.at(refused.tokens, refused.message);
            None
        }
    }
}

/// Whether this is `Context` or `&Context`, by its looks, and no type of that name stands in the file
/// around it: the forgotten attribute is a common mistake.
fn is_context(ty: &Type) -> bool {
    let inner = match peel(ty) {
        Type::Reference(reference) => peel(&reference.elem),
        other => other,
    };
    match inner {
        Type::Path(path) => {
            let path: Vec<String> = (path.path.segments.iter())
                .map(|segment| segment.ident.to_string())
                .collect();
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let is_own = || Place::of(ty.span()).is_some_and(|place| place.sees_type("Context"));
            match path.as_slice() {
                ["repertoire", .., "Context"] => true,
                ["Context"] => !is_own(),
                _ => false,
            }
        }
        _ => false,
    }
}

fn context(ty: &Type, found: &mut Diagnostics) -> Option<Role> {
    if let Type::Reference(reference) = peel(ty)
        && reference.mutability.is_none()
    {
        return Some(Role::Context(reference.elem.clone()));
    }
    found.at(
        ty,
        "the context is lent for the call; take it by reference: `&Context`",
    );
    None
}

fn refuse_keys(key: &Option<Ident>, found: &mut Diagnostics) {
    if let Some(key) = key {
        found.at(
            key,
            "this parameter is not sent by the model, so `#[arg(...)]` says nothing about it",
        );
    }
}

fn state_type(ty: &Type, found: &mut Diagnostics) -> Option<Type> {
    let Type::Reference(reference) = peel(ty) else {
        found.at(
            ty,
            "state is shared by all calls; take it by reference: `&T`",
        );
        return None;
    };
    if reference.mutability.is_some() {
        found.at(
            ty,
            "state is shared by all calls and cannot be `&mut`; put a `Mutex` inside it",
        );
        return None;
    }
    let inner = peel(&reference.elem);
    let is_str = matches!(inner, Type::Path(path) if path.path.is_ident("str"));
    if is_str || matches!(inner, Type::Slice(_)) {
        found.at(
            inner,
            "state is kept by the program, so its type has a size; take `&String` for `&str`, \
             `&Vec<T>` for `&[T]`",
        );
        return None;
    }
    if let Type::TraitObject(object) = inner {
        found.at(
            object,
            "state is found by its type, which must be concrete; take `&Arc<dyn …>`",
        );
        return None;
    }
    Some((*reference.elem).clone())
}
