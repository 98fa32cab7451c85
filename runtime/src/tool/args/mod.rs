//! From the text a model wrote to the parameters of a function.
//!
//! The good case reads the text once, straight into the parameters, and borrows strings from it.
//! Only when that fails is the text read again, as a value, to name every problem at once.

mod explain;
mod missing;
mod text;
mod walk;

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor},
};

pub use text::Text;

use super::{Schema, ToolError, ToolSchema};

/// The slots of one tool's parameters, written by `#[tool]`.
pub trait Slots<'de>: Sized {
    /// The parameters' names, in order.
    const NAMES: &'static [&'static str];
    /// What the slots become when all are filled.
    type Values;
    /// All slots empty.
    fn empty() -> Self;
    /// Fills a slot with the next value of an object.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill<A: MapAccess<'de>>(&mut self, slot: usize, object: &mut A) -> Result<(), A::Error>;
    /// The parameters, or `None` if one is missing that must be there.
    fn finish(self) -> Option<Self::Values>;
}

/// A type that can be a parameter: it has a schema, and it can be decoded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "needs a schema, for the model, and a way to decode it",
    note = "derive both: `#[derive(serde::Deserialize, repertoire::ToolSchema)]`",
    note = "the types inside it count too, and the keys of a map are `String`",
    note = "a value that comes from the program and not from the model is marked `#[state]`"
)]
pub trait Parameter: Sized {
    /// The schema of the type.
    const SCHEMA: Schema;
    /// Fills a slot with the next value of an object.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill<'de, A: MapAccess<'de>>(
        slot: &mut Option<Self>,
        object: &mut A,
        name: &'static str,
    ) -> Result<(), A::Error>;
    /// The value, or what stands for an absent one.
    fn or_absent(slot: Option<Self>) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolSchema + DeserializeOwned> Parameter for T {
    const SCHEMA: Schema = <T as ToolSchema>::SCHEMA;

    fn fill<'de, A: MapAccess<'de>>(
        slot: &mut Option<Self>,
        object: &mut A,
        name: &'static str,
    ) -> Result<(), A::Error> {
        fill(slot, object, name)
    }

    fn or_absent(slot: Option<Self>) -> Option<Self> {
        slot.or_else(missing::absent)
    }
}

/// Fills a slot that may borrow from the arguments.
///
/// # Errors
///
/// When the value does not fit, or the slot is full already.
pub fn fill<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    object: &mut A,
    name: &'static str,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(A::Error::custom(format_args!("`/{name}`: given twice")));
    }
    *slot = Some(object.next_value()?);
    Ok(())
}

/// Decodes the arguments of a call.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that names every problem.
pub fn decode<'de, S: Slots<'de>>(
    arguments: &'de str,
    schema: &'static str,
) -> Result<S::Values, ToolError> {
    let arguments = if arguments.trim_ascii().is_empty() {
        "{}"
    } else {
        arguments
    };
    match slots::<S>(arguments) {
        Ok(slots) => match slots.finish() {
            Some(values) => Ok(values),
            None => Err(explain::explain(arguments, schema, None)),
        },
        Err(error) => Err(explain::explain(arguments, schema, Some(error))),
    }
}

fn slots<'de, S: Slots<'de>>(arguments: &'de str) -> Result<S, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(arguments);
    let slots = deserializer.deserialize_map(Object(PhantomData))?;
    deserializer.end()?;
    Ok(slots)
}

struct Object<S>(PhantomData<S>);

impl<'de, S: Slots<'de>> Visitor<'de> for Object<S> {
    type Value = S;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<S, A::Error> {
        let mut slots = S::empty();
        while let Some(slot) = object.next_key_seed(Name(S::NAMES))? {
            match slot {
                Some(slot) => slots.fill(slot, &mut object)?,
                None => {
                    object.next_value::<IgnoredAny>()?;
                    return Err(A::Error::custom("a key is not known"));
                }
            }
        }
        Ok(slots)
    }
}

/// Reads a key as its place among the names.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}
