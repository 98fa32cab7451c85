//! Values of the program as JSON, without a number getting lost on the way.

use serde::{
    Serialize, Serializer,
    ser::{
        Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
        SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
    },
};
use serde_json::{Error, Value};

/// A value as JSON.
///
/// # Errors
/// It cannot be written as JSON. That holds for a number that is not finite too, of which
/// `serde_json` makes `null`: whoever reads it back would find nothing, or something else.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    let json = serde_json::to_value(value)?;
    // Only where there is a `null` can it be one of those.
    if has_null(&json) {
        value.serialize(Finite)?;
    }
    Ok(json)
}

/// The same as text.
///
/// # Errors
/// As [`to_json`].
pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    let text = serde_json::to_string(value)?;
    if text.contains("null") {
        value.serialize(Finite)?;
    }
    Ok(text)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.iter().any(has_null),
        Value::Object(map) => map.values().any(has_null),
        _ => false,
    }
}

/// Writes nothing, and fails at a number that is not finite.
#[derive(Clone, Copy)]
struct Finite;

impl Finite {
    fn float(number: f64) -> Result<(), Error> {
        if number.is_finite() {
            return Ok(());
        }
        Err(Error::custom(format_args!(
            "{number} is no number of JSON; leave it out, or give it as text"
        )))
    }
}

/// Types that hold no number that matters.
macro_rules! nothing {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, _: $type) -> Result<(), Error> {
            Ok(())
        })*
    };
}

impl Serializer for Finite {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    nothing! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i128: i128, serialize_u128: u128, serialize_unit_struct: &'static str,
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        Self::float(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        Self::float(number)
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        Ok(self)
    }
}

/// What holds other values, each under a method of its own name.
macro_rules! holders {
    ($($trait:ident: $method:ident($($key:ident: $type:ty)?)),* $(,)?) => {
        $(impl $trait for Finite {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: $type,)?
                value: &T,
            ) -> Result<(), Error> {
                $(let _ = $key;)?
                value.serialize(*self)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

holders! {
    SerializeSeq: serialize_element(),
    SerializeTuple: serialize_element(),
    SerializeTupleStruct: serialize_field(),
    SerializeTupleVariant: serialize_field(),
    SerializeStruct: serialize_field(key: &'static str),
    SerializeStructVariant: serialize_field(key: &'static str),
}

impl SerializeMap for Finite {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    use super::{to_json, to_text};

    #[derive(Serialize)]
    enum Measure {
        Nothing,
        One(f64),
        Two(f32, f32),
        Named { value: Option<f64> },
    }

    #[derive(Serialize)]
    struct Pair(Option<u8>, f64);

    #[test]
    fn a_number_that_is_not_finite_is_an_error_wherever_it_stands() {
        let none: Option<u8> = None;
        assert_eq!(to_json(&(1.5, none, ())).unwrap(), json!([1.5, null, null]));
        assert_eq!(to_json(&Measure::Nothing).unwrap(), json!("Nothing"));
        let named = Measure::Named { value: None };
        assert_eq!(to_json(&named).unwrap(), json!({"Named": {"value": null}}));
        let refused = [
            to_json(&f64::NAN),
            to_json(&f32::INFINITY),
            to_json(&vec![1.0, f64::NEG_INFINITY]),
            to_json(&(1, Some(f64::NAN))),
            to_json(&Measure::One(f64::NAN)),
            to_json(&Measure::Two(1.0, f32::NAN)),
            to_json(&Measure::Named {
                value: Some(f64::NAN),
            }),
            to_json(&Pair(None, f64::NAN)),
            to_json(&BTreeMap::from([("a", vec![f64::NAN])])),
        ];
        for refused in refused {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains("is no number of JSON"), "{error}");
        }
        assert_eq!(
            to_text(&("null", u128::MAX)).unwrap(),
            format!("[\"null\",{}]", u128::MAX)
        );
        assert!(to_text(&("null", f64::NAN)).is_err());
        let minus = to_json(&f64::NEG_INFINITY).unwrap_err().to_string();
        assert!(minus.starts_with("-inf "), "{minus}");
    }
}
