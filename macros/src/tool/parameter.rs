//! From a parameter as it was written to what it means.

use proc_macro2::Ident;
use syn::{Type, ext::IdentExt};

use super::{
    function::{Input, Pattern},
    kind::{Kind, peel},
    model::{Argument, Located, Parameter, Role},
    param_attr::ParamAttr,
};
use crate::diagnostics::Diagnostics;

/// Understands a parameter, and takes from it the attributes that are ours. `None` where it is
/// refused; the mistake is then reported.
pub(super) fn lower(input: &mut Input, found: &mut Diagnostics) -> Option<Parameter> {
    let attr = ParamAttr::take(&mut input.attributes, found);
    let ident = match &input.pattern {
        Pattern::Name(ident) => ident.clone(),
        Pattern::Receiver(tokens) => {
            found.at(
                tokens,
                "`#[tool]` on a method: write `#[toolbox]` on the `impl` block, which makes `self` state",
            );
            return None;
        }
        Pattern::Other(tokens) => {
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
    let name = attr.rename.as_ref().map_or_else(
        || Located {
            text: ident.unraw().to_string(),
            span: ident.span(),
        },
        Located::from,
    );
    Some(Parameter {
        description: attr.description.clone(),
        undocumented: attr.undocumented,
        role: role(attr, ty, found)?,
        ident,
        name,
    })
}

fn role(attr: ParamAttr, ty: &Type, found: &mut Diagnostics) -> Option<Role> {
    if attr.state {
        refuse_keys(&attr.arg, found);
        return Some(Role::State(state_type(ty, found)?));
    }
    match Kind::of(ty) {
        Ok(kind) => Some(Role::Argument(Box::new(Argument {
            kind,
            default: attr.default,
            limits: attr.limits,
            secret: attr.secret,
        }))),
        Err(refused) => {
            found.at(refused.tokens, refused.message);
            None
        }
    }
}

fn refuse_keys(key: &Option<Ident>, found: &mut Diagnostics) {
    if let Some(key) = key {
        found.at(
            key,
            "state comes from the program, so `#[arg(...)]` says nothing about it",
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
    if let Type::TraitObject(object) = peel(&reference.elem) {
        found.at(
            object,
            "state is found by its type, which must be concrete; take `&Arc<dyn …>`",
        );
        return None;
    }
    Some((*reference.elem).clone())
}
