//! A type as serde reads it.

use quote::ToTokens;
use serde_derive_internals::{
    ast::{Container, Data, Field, Style, Variant},
    attr,
};
use syn::Type;

use crate::{diagnostics::Diagnostics, docs};

/// A type's shape in JSON.
pub(crate) struct Shape {
    pub(crate) description: String,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    /// An object with these members.
    Object(Vec<Member>),
    /// One of these strings, each with its description.
    Names(Vec<(String, String)>),
}

/// A member of an object.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) ty: Type,
    /// Whether serde fills the member in when it is absent.
    pub(crate) has_default: bool,
}

impl Shape {
    pub(crate) fn lower(container: &Container<'_>, found: &mut Diagnostics) -> Option<Shape> {
        let description = docs::summary(&container.original.attrs);
        let body = match &container.data {
            Data::Struct(Style::Struct, fields) => Body::Object(members(container, fields)),
            Data::Enum(variants) if variants.iter().all(is_unit) => Body::Names(
                variants
                    .iter()
                    .filter(|variant| !variant.attrs.skip_deserializing())
                    .map(|variant| {
                        (
                            variant.attrs.name().deserialize_name().value.clone(),
                            docs::summary(&variant.original.attrs),
                        )
                    })
                    .collect(),
            ),
            _ => {
                found.at(
                    container.original.ident.to_token_stream(),
                    "`ToolSchema` is derived for structs with named fields and for enums without data",
                );
                return None;
            }
        };
        Some(Shape { description, body })
    }
}

fn is_unit(variant: &Variant<'_>) -> bool {
    matches!(variant.style, Style::Unit)
}

fn members(container: &Container<'_>, fields: &[Field<'_>]) -> Vec<Member> {
    let all_default = !matches!(container.attrs.default(), attr::Default::None);
    fields
        .iter()
        .filter(|field| !field.attrs.skip_deserializing())
        .map(|field| Member {
            name: field.attrs.name().deserialize_name().value.clone(),
            description: docs::summary(&field.original.attrs),
            ty: field.ty.clone(),
            has_default: all_default || !matches!(field.attrs.default(), attr::Default::None),
        })
        .collect()
}
