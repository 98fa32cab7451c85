//! serde's words on its own attributes.

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
