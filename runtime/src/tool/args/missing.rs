//! What stands for a value that is not there.

use serde::Deserialize;

use super::reader::Reader;

/// The value that a type takes when it is absent: `None` for an `Option`, nothing for most others.
/// This is what serde does with the missing field of a struct.
pub(super) fn absent<'de, T: Deserialize<'de>>() -> Option<T> {
    T::deserialize(&mut Reader::absent()).ok()
}
