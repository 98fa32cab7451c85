//! The schema of what a tool returns, where its type has one.
//!
//! The macro sees a name of a type and not what it has. So the compiler picks: a constant of the type
//! itself comes before the constant of the same name in a trait, and exists where its bound holds.

use std::marker::PhantomData;

use super::schema::{
    Schema, ToolSchema,
    piece::{Defs, Piece},
    rope,
};

/// A schema and what it refers to.
type Known = Option<(&'static Schema, &'static Defs)>;

/// Stands for the type that a tool returns.
#[derive(Debug)]
pub struct OutputOf<T>(PhantomData<fn() -> T>);

/// A type whose schema is not known.
pub trait WithoutSchema {
    /// Nothing.
    const OUTPUT: Known = None;
}

impl<T> WithoutSchema for OutputOf<T> {}

impl<T: ToolSchema> OutputOf<T> {
    /// The schema of the type.
    pub const OUTPUT: Known = known(&T::SCHEMA, &T::DEFS);
}

impl<T: ToolSchema, E> OutputOf<Result<T, E>> {
    /// The schema of what is returned where nothing fails.
    pub const OUTPUT: Known = known(&T::SCHEMA, &T::DEFS);
}

/// Text goes to the model as it is, so it is no JSON that could have a schema.
const fn known(schema: &'static Schema, defs: &'static Defs) -> Known {
    if let [Piece::Text(text)] = schema.keywords()
        && is_string(text.as_bytes())
    {
        return None;
    }
    Some((schema, defs))
}

const fn is_string(text: &[u8]) -> bool {
    let string = b"\"type\":\"string\"";
    if text.len() != string.len() {
        return false;
    }
    let mut at = 0;
    while at < text.len() {
        if text[at] != string[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The length of an output schema in bytes.
#[must_use]
pub const fn measure_output(output: Known) -> usize {
    match output {
        Some((schema, defs)) => rope::measure(schema, defs),
        None => 0,
    }
}

/// The text of an output schema as bytes. `N` must be what [`measure_output`] says.
#[must_use]
pub const fn flatten_output<const N: usize>(output: Known) -> [u8; N] {
    match output {
        Some((schema, defs)) => rope::flatten(schema, defs),
        None => [b' '; N],
    }
}

/// The flattened bytes as text, if there are any.
#[must_use]
pub const fn output_text(bytes: &'static [u8]) -> Option<&'static str> {
    match bytes {
        [] => None,
        bytes => Some(rope::to_text(bytes)),
    }
}
