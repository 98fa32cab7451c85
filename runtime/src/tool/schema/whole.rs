//! The schema of one type as the schema of all arguments.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Schema, ToolSchema,
    piece::{Member, Piece},
    rope::{self, Flat},
};
use crate::tool::{ToolError, code, error::ErrorKind};

/// The member that holds a value which is no object itself.
const VALUE: &str = "value";

/// A type that a model gives as the arguments of a call. Arguments are an object, so a type that is
/// none stands in its member `value`.
#[derive(Debug)]
pub(crate) struct Whole {
    text: String,
    wrapped: bool,
    decodes: fn(&Value) -> Result<(), serde_json::Error>,
}

impl Whole {
    pub(crate) fn of<T: ToolSchema + DeserializeOwned>() -> Self {
        let plain = matches!(Flat::of(&T::SCHEMA), Flat::Object(_)) && !T::SCHEMA.recursive;
        let schema = match plain {
            true => &T::SCHEMA,
            false => &Wrapped::<T>::SCHEMA,
        };
        Self {
            text: rope::render(schema, &T::DEFS),
            wrapped: !plain,
            decodes: |value| T::deserialize(value).map(drop),
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
        let value = match arguments {
            Value::Object(mut object) if self.wrapped => object.remove(VALUE).unwrap_or_default(),
            whole => whole,
        };
        match (self.decodes)(&value) {
            Ok(()) => Ok(value),
            Err(error) => {
                Err(ToolError::new(ErrorKind::Invalid, error.to_string())
                    .with_code(code::ARGUMENTS))
            }
        }
    }
}

struct Wrapped<T>(PhantomData<T>);

impl<T: ToolSchema> Wrapped<T> {
    const MEMBERS: &'static [Member] = &[Member::new(VALUE, &T::SCHEMA, "")];
    const SCHEMA: Schema = Schema::of(&[Piece::Object(Self::MEMBERS)]);
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
        assert!(error.to_string().starts_with("R0001"), "{error}");
    }

    #[test]
    fn an_optional_value_may_be_left_out() {
        let whole = Whole::of::<Option<u8>>();
        assert!(!whole.text().contains("required"), "{}", whole.text());
        assert_eq!(whole.value(json!({})).unwrap(), json!(null));
    }
}
