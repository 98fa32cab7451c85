//! serde's words on its own attributes.

use serde_derive_internals::attr;

use crate::keys;

const CONTAINER: &[&str] = &[
    "rename",
    "rename_all",
    "rename_all_fields",
    "deny_unknown_fields",
    "tag",
    "content",
    "untagged",
    "bound",
    "default",
    "remote",
    "transparent",
    "from",
    "try_from",
    "into",
    "crate",
    "expecting",
    "variant_identifier",
    "field_identifier",
];
const VARIANT: &[&str] = &[
    "rename",
    "alias",
    "rename_all",
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "serialize_with",
    "deserialize_with",
    "with",
    "bound",
    "borrow",
    "other",
    "untagged",
];
const FIELD: &[&str] = &[
    "rename",
    "alias",
    "default",
    "flatten",
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "skip_serializing_if",
    "serialize_with",
    "deserialize_with",
    "with",
    "borrow",
    "bound",
    "getter",
];

/// Whether a function of the user's reads a field. For a `Cow` that borrows serde puts in one of its own,
/// which reads what the type would.
pub(super) fn reads_otherwise(field: &attr::Field) -> bool {
    field.deserialize_with().is_some_and(|function| {
        let segments = &function.path.segments;
        let is_serdes = segments
            .first()
            .is_some_and(|first| first.ident == "_serde");
        let last = segments.last().map(|last| last.ident.to_string());
        !(is_serdes && matches!(last.as_deref(), Some("borrow_cow_str" | "borrow_cow_bytes")))
    })
}

/// The error, with what was probably meant where serde does not know a key.
pub(super) fn explain(error: syn::Error) -> syn::Error {
    let text = error.to_string();
    let unknown = text.strip_prefix("unknown serde ").and_then(|rest| {
        let (place, rest) = rest.split_once(" attribute `")?;
        let known = match place {
            "container" => CONTAINER,
            "variant" => VARIANT,
            "field" => FIELD,
            _ => return None,
        };
        Some((place, rest.strip_suffix('`')?, known))
    });
    match unknown {
        Some((place, name, known)) => {
            let what = format!("serde attribute of a {place}");
            syn::Error::new(error.span(), keys::unknown(&what, name, known))
        }
        None => error,
    }
}
