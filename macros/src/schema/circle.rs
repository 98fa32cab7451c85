//! Types that hold each other. The compiler would report a circle of constants, somewhere inside; what
//! stands in one file is seen here before.

use quote::ToTokens;
use syn::{Data, DeriveInput, Field};

use crate::{
    diagnostics::Diagnostics,
    source::{self, Place},
};

/// Reports a circle at the last of its types, and says whether the type is in one.
pub(super) fn refuse(input: &DeriveInput, found: &mut Diagnostics) -> bool {
    let circle = Place::of(input.ident.span()).map_or_else(Vec::new, |place| place.circle());
    let Some((last, others)) = circle.split_last() else {
        return false;
    };
    if input.ident == last {
        let names: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "{} and `{last}` hold each other, so a schema would have no end; write \
             `#[schema(recursive)]` on this field",
            names.join(", ")
        );
        match fields(input).find(|field| holds(field, others)) {
            Some(field) => found.at(&field.ty, message),
            None => found.at(&input.ident, message),
        }
    }
    true
}

fn fields(input: &DeriveInput) -> Box<dyn Iterator<Item = &Field> + '_> {
    match &input.data {
        Data::Struct(data) => Box::new(data.fields.iter()),
        Data::Enum(data) => Box::new(data.variants.iter().flat_map(|variant| &variant.fields)),
        Data::Union(_) => Box::new(std::iter::empty()),
    }
}

fn holds(field: &Field, others: &[String]) -> bool {
    let mut names = Vec::new();
    source::names(field.ty.to_token_stream(), &mut names);
    names.iter().any(|name| others.contains(name))
}
