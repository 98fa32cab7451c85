//! Keys of objects, which are strings in JSON and may be numbers in the program.

use std::{borrow::Cow, str::FromStr};

use serde::{
    de::{Deserializer, Error as _, Expected, Unexpected, Visitor, value::StrDeserializer},
    forward_to_deserialize_any,
};

use super::{Error, Reader, number::Number};

/// The key that is next.
pub(super) struct Key<'r, 'de>(pub(super) &'r mut Reader<'de>);

macro_rules! number {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            Reader::new(self.0.key()?).only_number(&visitor)?.visit_whole(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.string(&"a key")? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0.key()?)
    }

    number! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f64
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = Reader::new(self.0.key()?).only_number(&visitor)?;
        number.within_f32()?.visit_whole(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = Reader::new(self.0.key()?).only_long(&visitor)?;
        visitor.visit_i128(number)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = Reader::new(self.0.key()?).only_long(&visitor)?;
        visitor.visit_u128(number)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.key()? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            other => Err(Error::invalid_type(Unexpected::Str(other), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        StrDeserializer::<Error>::new(self.0.key()?).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}

impl Reader<'_> {
    /// The number that the whole text is.
    fn only_number(&mut self, expected: &dyn Expected) -> Result<Number, Error> {
        let number = self.number(expected);
        self.only(number, expected)
    }

    /// The long number that the whole text is.
    fn only_long<T: FromStr>(&mut self, expected: &dyn Expected) -> Result<T, Error> {
        let number = self.long(expected);
        self.only(number, expected)
    }

    /// What was read, if it is all that there is.
    fn only<T>(&self, read: Result<T, Error>, expected: &dyn Expected) -> Result<T, Error> {
        match read {
            Ok(value)
                if self.at == self.text.len() && !self.text.starts_with(char::is_whitespace) =>
            {
                Ok(value)
            }
            _ => Err(Error::invalid_type(Unexpected::Str(self.text), expected)),
        }
    }
}
