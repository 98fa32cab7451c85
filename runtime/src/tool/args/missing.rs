//! What stands for a value that is not there.

use serde::{
    Deserialize, Deserializer,
    de::{Visitor, value::Error},
    forward_to_deserialize_any,
};

/// The value that a type takes when it is absent: `None` for an `Option`, nothing for most others.
/// This is what serde does with the missing field of a struct.
pub(super) fn absent<'de, T: Deserialize<'de>>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
