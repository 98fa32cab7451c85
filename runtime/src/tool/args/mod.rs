//! From the text a model wrote to the parameters of a function.
//!
//! The good case reads the text once, straight into the parameters, and borrows strings from it.
//! Only when that fails is the text read again, as a value, to name every problem at once.

mod coerce;
mod default;
mod ecma;
mod explain;
mod kept;
pub(crate) mod limits;
mod locate;
mod missing;
mod numbers;
mod overlooked;
mod read;
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
use kept::Kept;
pub use read::{MAX_ARGUMENT_BYTES, MAX_ARGUMENT_DEPTH};
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

/// Decodes the arguments of a call. `kept` keeps the texts that are decoded in their place, where
/// they are not what serde reads and yet beyond doubt.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that names every problem.
pub fn decode<'x, S: Slots<'x>>(
    invocation: &Invocation<'x>,
    spec: &ToolSpec,
    kept: &'x mut Option<Kept>,
) -> Result<S::Values, ToolError> {
    let arguments = read::text(invocation.arguments)?;
    let exact = invocation.exact || spec.strict;
    let first = match values::<S>(arguments) {
        Ok(values) if !overlooked::may_be(arguments, spec, exact) => return Ok(values),
        first => first,
    };
    let kept: &'x Kept = kept.insert(Kept::default());
    again::<S>(arguments, first, spec, exact, kept)
        .map_err(|error| without_secrets(error, arguments, spec.schema, exact, spec.secrets))
}

/// Decodes arguments that did not decode at once, or of which something may be lost.
#[cold]
fn again<'x, S: Slots<'x>>(
    arguments: &'x str,
    first: Result<S::Values, Option<serde_json::Error>>,
    spec: &ToolSpec,
    exact: bool,
    kept: &'x Kept,
) -> Result<S::Values, ToolError> {
    let decodes = |text: String| kept.keep(text).is_none_or(|text| slots::<S>(text).is_ok());
    let settle = |text: &str, values| {
        let problems = overlooked::problems(text, spec.schema, exact, decodes)?;
        if problems.is_empty() {
            Ok(values)
        } else {
            Err(explain::invalid(&problems))
        }
    };
    let mut error = match first {
        Ok(values) => return settle(arguments, values),
        Err(error) => error,
    };
    let mut text = arguments;
    if let Some(plain) = numbers::plain(arguments).and_then(|plain| kept.keep(plain)) {
        text = plain;
        match values::<S>(text) {
            Ok(values) => return settle(text, values),
            Err(again) => error = again,
        }
    }
    let (mended, problems) = explain::mend(text, spec.schema, error, exact)?;
    let Some(text) = kept.keep(mended) else {
        return Err(explain::invalid(&problems));
    };
    match values::<S>(text) {
        Ok(values) => settle(text, values),
        Err(_) if !problems.is_empty() => Err(explain::invalid(&problems)),
        Err(error) => Err(explain::unexplained(text, error.as_ref())),
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
    explain::check(read::text(arguments)?, schema, exact)
}

/// The parameters, or serde's error, or none if something is missing or exceeds its limits.
fn values<'de, S: Slots<'de>>(arguments: &'de str) -> Result<S::Values, Option<serde_json::Error>> {
    slots::<S>(arguments)?.finish().ok_or(None)
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
