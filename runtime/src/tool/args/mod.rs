//! From the text a model wrote to the parameters of a function.
//!
//! The good case reads the text once, straight into the parameters, and borrows strings from it.
//! Only when that fails is the text read again, as a value, to name every problem at once.

mod coerce;
mod default;
pub(crate) mod ecma;
mod explain;
mod filling;
mod kept;
pub(crate) mod limits;
mod locate;
mod numbers;
mod overlooked;
mod read;
pub(crate) mod reader;
mod secrets;
pub(crate) mod slot;
mod text;
mod walk;

use serde::{
    Deserialize,
    de::{DeserializeOwned, Error as _},
};

pub use default::{DefaultFor, FromText, fill_or_null};
use filling::Fill;
use kept::Kept;
pub use read::{MAX_ARGUMENT_BYTES, MAX_ARGUMENT_DEPTH};
use reader::{Error, Reader};
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
    /// Fills a slot with the next value.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill(&mut self, slot: usize, reader: &mut Reader<'de>) -> Result<(), Error>;
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
    /// Fills a slot with the next value.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill(
        slot: &mut Option<Self>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error>;
    /// Fills a slot with the next value; `null` leaves it empty.
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill_or_null(
        slot: &mut Option<Self>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Decoded for T {
    fn fill(
        slot: &mut Option<Self>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error> {
        fill(slot, reader, name)
    }

    fn fill_or_null(
        slot: &mut Option<Self>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error> {
        fill_or_null(slot, reader, name)
    }
}

/// Fills a slot that may borrow from the arguments.
///
/// # Errors
///
/// When the value does not fit, or the slot is full already.
pub fn fill<'de, T: Deserialize<'de>>(
    slot: &mut Option<T>,
    reader: &mut Reader<'de>,
    name: &'static str,
) -> Result<(), Error> {
    if slot.is_some() {
        return Err(twice(name));
    }
    *slot = Some(T::deserialize(reader)?);
    Ok(())
}

/// A parameter is there already.
#[cold]
fn twice(name: &'static str) -> Error {
    Error::custom(format_args!("`/{name}`: given twice"))
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
    let mut filled = Filled {
        slots: S::empty(),
        values: None,
    };
    filling::decode(invocation, spec, kept, S::NAMES, &mut filled)?;
    match filled.values {
        Some(values) => Ok(values),
        // They are there when decoding has succeeded.
        None => Err(explain::unexplained(invocation.arguments, None)),
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

/// Reads a value that fits its schema as its type.
///
/// # Errors
///
/// A [`ToolError`] of kind `Invalid` that says where the type itself refuses it.
pub(crate) fn read_as<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    let mut reader = Reader::new(text);
    T::deserialize(&mut reader).map_err(|error| {
        let place = reader.place();
        explain::unexplained(text, Some(&filling::At { error, place }))
    })
}

/// The slots of one call, and what becomes of them.
struct Filled<S, V> {
    slots: S,
    values: Option<V>,
}

impl<'de, S: Slots<'de>> Fill<'de> for Filled<S, S::Values> {
    fn empty(&mut self) {
        self.slots = S::empty();
    }

    fn fill(&mut self, slot: usize, reader: &mut Reader<'de>) -> Result<(), Error> {
        self.slots.fill(slot, reader)
    }

    fn finish(&mut self) -> bool {
        self.values = std::mem::replace(&mut self.slots, S::empty()).finish();
        self.values.is_some()
    }
}
