//! `#[schema(...)]` on types, variants and fields.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Type};

use crate::{
    diagnostics::Diagnostics,
    externs,
    keys::{self, Key, Value},
    limits::Limits,
    lint,
};

/// What `#[schema(...)]` says of a type.
#[derive(Default)]
pub(super) struct ContainerAttr {
    krate: Option<syn::Path>,
    pub(super) read_as: Option<Type>,
    /// The advice that is not wanted.
    pub(super) allowed: Vec<String>,
}

/// What `#[schema(...)]` says of a variant.
#[derive(Default)]
pub(super) struct VariantAttr {
    pub(super) read_as: Option<Type>,
}

/// What `#[schema(...)]` says of a field.
#[derive(Default)]
pub(super) struct FieldAttr {
    pub(super) read_as: Option<Type>,
    pub(super) recursive: bool,
    pub(super) limits: Limits,
    /// The first key that narrows the field.
    pub(super) limit: Option<Ident>,
}

impl ContainerAttr {
    pub(super) fn read(attributes: &[Attribute], found: &mut Diagnostics) -> Self {
        let mut attr = Self::default();
        each_key(attributes, &["crate", "as", "allow"], found, |key| {
            match key.name().as_str() {
                "crate" => attr.krate = Some(key.path()?),
                "allow" => attr.allowed = key.known_idents("exception", lint::NAMES)?,
                _ => attr.read_as = Some(type_of(key)?),
            }
            Ok(())
        });
        attr
    }

    /// Why the crate is not there.
    pub(super) fn no_crate(&self) -> Option<syn::Error> {
        externs::problem(self.krate.as_ref())
    }

    /// Where the hidden module of the runtime crate is.
    pub(super) fn private(&self) -> TokenStream {
        let krate = externs::path(self.krate.as_ref());
        quote!(#krate::__private)
    }
}

impl VariantAttr {
    pub(super) fn read(attributes: &[Attribute], found: &mut Diagnostics) -> Self {
        let mut attr = Self::default();
        each_key(attributes, &["as"], found, |key| {
            attr.read_as = Some(type_of(key)?);
            Ok(())
        });
        attr
    }
}

impl FieldAttr {
    pub(super) fn read(attributes: &[Attribute], found: &mut Diagnostics) -> Self {
        let mut attr = Self::default();
        let known = [&["as", "recursive"], crate::limits::KEYS].concat();
        each_key(attributes, &known, found, |key| {
            match key.name().as_str() {
                "as" => attr.read_as = Some(type_of(key)?),
                "recursive" => attr.recursive = key.flag()?,
                _ => {
                    attr.limits.set(key)?;
                    attr.limit.get_or_insert(key.ident.clone());
                }
            }
            Ok(())
        });
        attr
    }
}

fn each_key(
    attributes: &[Attribute],
    known: &[&str],
    found: &mut Diagnostics,
    mut set: impl FnMut(&Key) -> syn::Result<()>,
) {
    for attribute in attributes {
        if attribute.path().is_ident("schema") {
            for key in keys::parse(keys::arguments(attribute, found), known, found) {
                if let Err(error) = set(&key) {
                    found.push(error);
                }
            }
        }
    }
}

fn type_of(key: &Key) -> syn::Result<Type> {
    let wrong = || key.wrong_value("takes a type: `= String`");
    match &key.value {
        Value::Assigned(tokens) => syn::parse2(tokens.clone()).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}
