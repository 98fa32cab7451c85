//! How a slot is filled. A type that the model cannot be told of is refused where its schema is asked
//! for; that it cannot be decoded either is then not worth another error.

use std::marker::PhantomData;

use super::{
    Decoded,
    reader::{Error, Reader},
};
use crate::tool::ToolSchema;

/// Stands for a parameter's type in method lookup.
#[derive(Debug)]
pub struct Kept<T>(PhantomData<fn() -> T>);

impl<T> Kept<T> {
    /// The one value.
    pub const NEW: Self = Kept(PhantomData);
}

/// A type with a schema.
#[derive(Debug)]
pub struct Known<T>(PhantomData<fn() -> T>);

/// A type without one.
#[derive(Debug)]
pub struct Unknown<T>(PhantomData<fn() -> T>);

/// Found first.
pub trait IsKnown<T> {
    /// What fills the slot.
    fn repertoire_slot(&self) -> Known<T> {
        Known(PhantomData)
    }
}

impl<T: ToolSchema> IsKnown<T> for &Kept<T> {}

/// Found where there is nothing better.
pub trait IsUnknown<T> {
    /// What fills no slot.
    fn repertoire_slot(&self) -> Unknown<T> {
        Unknown(PhantomData)
    }
}

impl<T> IsUnknown<T> for Kept<T> {}

/// Fills a slot.
pub trait Fills<T> {
    /// See [`Decoded::fill`].
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill(
        self,
        slot: &mut Option<T>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error>;
    /// See [`Decoded::fill_or_null`].
    ///
    /// # Errors
    ///
    /// When the value does not fit, or the slot is full already.
    fn fill_or_null(
        self,
        slot: &mut Option<T>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error>;
}

impl<T: Decoded> Fills<T> for Known<T> {
    fn fill(
        self,
        slot: &mut Option<T>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error> {
        T::fill(slot, reader, name)
    }

    fn fill_or_null(
        self,
        slot: &mut Option<T>,
        reader: &mut Reader<'_>,
        name: &'static str,
    ) -> Result<(), Error> {
        T::fill_or_null(slot, reader, name)
    }
}

impl<T> Fills<T> for Unknown<T> {
    fn fill(self, _: &mut Option<T>, _: &mut Reader<'_>, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn fill_or_null(
        self,
        _: &mut Option<T>,
        _: &mut Reader<'_>,
        _: &'static str,
    ) -> Result<(), Error> {
        Ok(())
    }
}
