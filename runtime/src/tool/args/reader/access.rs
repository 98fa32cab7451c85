//! The parts of arrays, objects and enums.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::{Error, Reader, key::Key};

/// The items of an array.
pub(super) struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'r, 'de> Items<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Items {
            reader,
            first: true,
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.reader.next(b']', &mut self.first) {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// The members of an object.
pub(super) struct Members<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'r, 'de> Members<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>) -> Self {
        Members {
            reader,
            first: true,
        }
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.reader.next_member(&mut self.first) {
            seed.deserialize(Key(&mut *self.reader)).map(Some)
        } else {
            Ok(None)
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        self.reader.colon();
        seed.deserialize(&mut *self.reader)
    }
}

/// The variant of an enum: a string, or an object with one member.
pub(super) struct Variant<'r, 'de> {
    reader: &'r mut Reader<'de>,
    has_value: bool,
}

impl<'r, 'de> Variant<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>, has_value: bool) -> Self {
        Variant { reader, has_value }
    }

    fn value(self, expected: &dyn Expected) -> Result<&'r mut Reader<'de>, Error> {
        if self.has_value {
            Ok(self.reader)
        } else {
            Err(<Error as serde::de::Error>::invalid_type(
                Unexpected::UnitVariant,
                expected,
            ))
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = seed.deserialize(Key(&mut *self.reader))?;
        if self.has_value {
            self.reader.colon();
        }
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if self.has_value {
            self.reader.unit(&"null")
        } else {
            Ok(())
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.value(&"newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value(&"tuple variant")?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value(&"struct variant")?.deserialize_map(visitor)
    }
}

impl Reader<'_> {
    /// Begins an enum. Whether a value comes with the variant, whose name is next.
    pub(super) fn begin_enum(&mut self, expected: &dyn Expected) -> Result<bool, Error> {
        if self.peek() == Some(b'"') {
            return Ok(false);
        }
        self.begin(b'{', expected)?;
        Ok(true)
    }
}
