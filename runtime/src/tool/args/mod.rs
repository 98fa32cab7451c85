//! From the text a model wrote to the parameters of a function.
//!
//! The good case reads the text once, straight into the parameters, and borrows strings from it.
//! Only when that fails is the text read again, as a value, to name every problem at once.

mod coerce;
mod default;
mod explain;
pub(crate) mod limits;
mod locate;
mod missing;
mod secrets;
pub(crate) mod slot;
mod text;
mod walk;

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor},
};

pub use default::{DefaultFor, FromText, fill_or_null};
pub(crate) use secrets::without_secrets;
pub use text::Text;

use super::{Invocation, ToolError, ToolSpec};

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
    /// The parameters, or `None` if one is missing that must be there, or exceeds its limits.
    fn finish(self) -> Option<Self::Values>;
}

/// A type that can be decoded from what a model sends. A parameter needs a schema besides, which is
/// asked for separately, so that the compiler says which of the two is missing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded from what a model sends",
    label = "needs `#[derive(serde::Deserialize)]`",
    note = "the types inside it count too, and the keys of a map are `String`",
    note = "a value that comes from the program and not from the model is marked `#[state]`"
)]
pub trait Decoded: Sized {
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
    /// Fills a slot with the next value of an object; `null` leaves it empty.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill_or_null<'de, A: MapAccess<'de>>(
        slot: &mut Option<Self>,
        object: &mut A,
        name: &'static str,
    ) -> Result<(), A::Error>;
    /// The value, or what stands for an absent one.
    fn finish(slot: Option<Self>) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Decoded for T {
    fn fill<'de, A: MapAccess<'de>>(
        slot: &mut Option<Self>,
        object: &mut A,
        name: &'static str,
    ) -> Result<(), A::Error> {
        fill(slot, object, name)
    }

    fn fill_or_null<'de, A: MapAccess<'de>>(
        slot: &mut Option<Self>,
        object: &mut A,
        name: &'static str,
    ) -> Result<(), A::Error> {
        fill_or_null(slot, object, name)
    }

    fn finish(slot: Option<Self>) -> Option<Self> {
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

/// A full slot that borrows, or `None`.
pub fn required<T>(slot: Option<T>) -> Option<T> {
    slot
}

/// A slot that borrows and may be empty.
pub fn optional<T>(slot: Option<Option<T>>) -> Option<Option<T>> {
    Some(slot.flatten())
}

/// Decodes the arguments of a call. `mended` keeps the text that is decoded in their place, where
/// they are not what the schema says and yet beyond doubt.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that names every problem.
pub fn decode<'x, S: Slots<'x>>(
    invocation: &Invocation<'x>,
    spec: &ToolSpec,
    mended: &'x mut Option<String>,
) -> Result<S::Values, ToolError> {
    let arguments = match invocation.arguments {
        text if text.trim_ascii().is_empty() => "{}",
        text => text,
    };
    let error = match slots::<S>(arguments).map(S::finish) {
        Ok(Some(values)) => return Ok(values),
        Ok(None) => None,
        Err(error) => Some(error),
    };
    let exact = invocation.exact || spec.strict;
    let blind = |error| without_secrets(error, arguments, spec.schema, exact, spec.secrets);
    *mended = Some(explain::mend(arguments, spec.schema, error, exact).map_err(blind)?);
    // The text was mended: it fits the schema, and so it decodes.
    let text = mended.as_deref().unwrap_or("{}");
    match slots::<S>(text).map(S::finish) {
        Ok(Some(values)) => Ok(values),
        Ok(None) => Err(blind(explain::unexplained(text, None))),
        Err(error) => Err(blind(explain::unexplained(text, Some(&error)))),
    }
}

/// Checks the arguments of a call against a schema, and returns them as they fit it.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that names every problem.
pub(crate) fn check(
    arguments: &str,
    schema: &str,
    exact: bool,
) -> Result<serde_json::Value, ToolError> {
    let arguments = match arguments {
        text if text.trim_ascii().is_empty() => "{}",
        text => text,
    };
    explain::check(arguments, schema, exact)
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
