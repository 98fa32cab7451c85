//! Values of parameters that the model left out.

use std::{borrow::Cow, path::PathBuf, rc::Rc, sync::Arc};

use serde::Deserialize;

use super::{
    Text,
    reader::{Error, Reader},
    twice,
};

/// A value that can be the default of a parameter of type `T`.
#[diagnostic::on_unimplemented(
    message = "a default of type `{Self}` does not fit a parameter of type `{T}`",
    label = "expected `{T}`"
)]
pub trait DefaultFor<T> {
    /// The value.
    fn into_default(self) -> T;
}

// The only implementation, so that the compiler infers the type of an expression from the parameter.
impl<T> DefaultFor<T> for T {
    fn into_default(self) -> T {
        self
    }
}

/// A type that a text is the default of.
#[diagnostic::on_unimplemented(
    message = "a default of type `&str` does not fit a parameter of type `{Self}`",
    label = "expected `{Self}`"
)]
pub trait FromText {
    /// The value.
    fn from_text(text: &'static str) -> Self;
}

macro_rules! from_text {
    ($($type:ty),*) => {$(
        impl FromText for $type {
            fn from_text(text: &'static str) -> Self {
                text.into()
            }
        }
    )*};
}

from_text!(
    String,
    Box<str>,
    Rc<str>,
    Arc<str>,
    Cow<'_, str>,
    Text<'_>,
    PathBuf
);

impl<T: FromText> FromText for Option<T> {
    fn from_text(text: &'static str) -> Self {
        Some(T::from_text(text))
    }
}

/// Fills a slot that has a default: `null` leaves it empty.
///
/// # Errors
///
/// When the value does not fit, or the slot is full already.
pub fn fill_or_null<'de, T: Deserialize<'de>>(
    slot: &mut Option<T>,
    reader: &mut Reader<'de>,
    name: &'static str,
) -> Result<(), Error> {
    if slot.is_some() {
        return Err(twice(name));
    }
    *slot = Option::deserialize(reader)?;
    Ok(())
}
