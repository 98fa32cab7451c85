//! The schema of one type as the schema of all arguments.

use std::marker::PhantomData;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Schema, ToolSchema,
    piece::{Member, Piece},
    rope::{self, Flat},
};
use crate::tool::{ToolError, args};

/// The member that holds a value which is no object itself.
const VALUE: &str = "value";

/// A type that a model gives as the arguments of a call. Arguments are an object, so a type that is
/// none stands in its member `value`.
#[derive(Debug)]
pub(crate) struct Whole {
    text: String,
    wrapped: bool,
    decodes: fn(&str) -> Result<(), ToolError>,
}

impl Whole {
    pub(crate) fn of<T: ToolSchema + DeserializeOwned>() -> Self {
        let plain = matches!(Flat::of(&T::SCHEMA), Flat::Object(_)) && !T::SCHEMA.recursive;
        let schema = match plain {
            true => &T::SCHEMA,
            false => &Wrapped::<T>::SCHEMA,
        };
        Self {
            text: rope::render(schema, &T::DEFS, Wrapped::<T>::BYTES),
            wrapped: !plain,
            decodes: match plain {
                true => |text| args::read_as::<T>(text).map(drop),
                false => |text| args::read_as::<Arguments<T>>(text).map(|all| drop(all.value)),
            },
        }
    }

    /// The JSON schema of the arguments.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The value in arguments that fit the schema.
    ///
    /// # Errors
    /// The type itself refuses the value.
    pub(crate) fn value(&self, arguments: Value) -> Result<Value, ToolError> {
        let mut arguments = arguments;
        if let Value::Object(object) = &mut arguments
            && self.wrapped
        {
            // A value that may be left out is nothing.
            object.entry(VALUE).or_insert(Value::Null);
        }
        (self.decodes)(&arguments.to_string())?;
        Ok(match arguments {
            Value::Object(mut object) if self.wrapped => object.remove(VALUE).unwrap_or_default(),
            whole => whole,
        })
    }
}

/// Arguments that hold a value which is no object itself.
#[derive(Deserialize)]
struct Arguments<T> {
    value: T,
}

struct Wrapped<T>(PhantomData<T>);

impl<T: ToolSchema> Wrapped<T> {
    const MEMBERS: &'static [Member] = &[Member::new(VALUE, &T::SCHEMA, "")];
    const SCHEMA: Schema = Schema::of(&[Piece::Object(Self::MEMBERS)]);
    /// The most bytes that the schema takes, wrapped or not. The compiler counts them, and finds what is
    /// wrong with the types on the way.
    const BYTES: usize = rope::measure(&Self::SCHEMA, &T::DEFS);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Whole;

    #[test]
    fn what_is_no_object_stands_in_one() {
        let whole = Whole::of::<Vec<u8>>();
        let schema: serde_json::Value = serde_json::from_str(whole.text()).unwrap();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["required"], json!(["value"]));
        assert_eq!(schema["properties"]["value"]["type"], "array");
        assert_eq!(
            whole.value(json!({"value": [1, 2]})).unwrap(),
            json!([1, 2])
        );
        let error = whole.value(json!({"value": [300]})).unwrap_err();
        assert_eq!(
            error.to_string(),
            "R0001: the arguments do not fit: `/value/0`: invalid value: integer `300`, expected u8"
        );
    }

    #[test]
    fn an_optional_value_may_be_left_out() {
        let whole = Whole::of::<Option<u8>>();
        assert!(!whole.text().contains("required"), "{}", whole.text());
        assert_eq!(whole.value(json!({})).unwrap(), json!(null));
    }
}
