//! Schemas of types of other crates, which are made when a toolset takes the tool.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::ForeignSchema;

/// A type whose schema another crate knows.
#[cfg(feature = "schemars")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema for `#[arg(schemars)]`",
    label = "needs an implementation of `schemars::JsonSchema`",
    note = "the version of `schemars` has to be 1; other crates have it behind a feature, often `schemars1`"
)]
pub trait Foreign {
    /// The schema.
    fn schema() -> Value;
}

#[cfg(feature = "schemars")]
#[diagnostic::do_not_recommend]
impl<T: schemars::JsonSchema> Foreign for T {
    fn schema() -> Value {
        let generator = schemars::SchemaGenerator::default();
        generator.into_root_schema_for::<T>().to_value()
    }
}

/// A type whose schema another crate knows.
#[cfg(not(feature = "schemars"))]
#[diagnostic::on_unimplemented(
    message = "`#[arg(schemars)]` needs the feature `schemars` of the crate `repertoire`",
    label = "the schema of this type is not known without it"
)]
pub trait Foreign {
    /// The schema.
    fn schema() -> Value;
}

/// The schema of a type, for generated code.
pub fn foreign<T: Foreign>() -> Value {
    T::schema()
}

/// The schema of a tool with all that is foreign put in.
pub(crate) fn whole(schema: &'static str, foreign: &[ForeignSchema]) -> Cow<'static, str> {
    if foreign.is_empty() {
        return Cow::Borrowed(schema);
    }
    // The schema was written by this crate's macros, so it is an object with `properties`.
    let Ok(mut whole) = serde_json::from_str::<Map<String, Value>>(schema) else {
        return Cow::Borrowed(schema);
    };
    let mut definitions = match whole.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    for ForeignSchema { name, make } in foreign {
        let Some(place) = whole
            .get_mut("properties")
            .and_then(|properties| properties.get_mut(*name))
        else {
            continue;
        };
        // What is said of the parameter comes before what is said of the type.
        let description = place.get_mut("description").map(Value::take);
        *place = moved(make(), name, &mut definitions);
        if let (Some(description), Some(place)) = (description, place.as_object_mut()) {
            place.insert("description".to_owned(), description);
        }
    }
    if !definitions.is_empty() {
        whole.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Cow::Owned(Value::Object(whole).to_string())
}

/// A root schema as the schema of an argument. Its definitions go to those of the tool; two types of
/// one name may differ, so the argument's name tells them apart.
fn moved(mut made: Value, argument: &str, definitions: &mut Map<String, Value>) -> Value {
    let own = match made.as_object_mut() {
        Some(root) => {
            root.remove("$schema");
            root.remove("title");
            root.remove("$defs")
        }
        None => None,
    };
    let holds_itself = point_to(&mut made, argument);
    if let Some(Value::Object(own)) = own {
        for (name, mut definition) in own {
            point_to(&mut definition, argument);
            definitions.insert(format!("{argument}.{name}"), definition);
        }
    }
    if holds_itself {
        let alone = serde_json::json!({"$ref": format!("#/$defs/{argument}")});
        definitions.insert(argument.to_owned(), std::mem::replace(&mut made, alone));
    }
    made
}

/// Moves references to where the definitions are now; says whether one is to the root.
fn point_to(value: &mut Value, argument: &str) -> bool {
    let mut to_root = false;
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(reference) if key == "$ref" => {
                        if let Some(name) = reference.strip_prefix("#/$defs/") {
                            *reference = format!("#/$defs/{argument}.{name}");
                        } else if reference == "#" {
                            *reference = format!("#/$defs/{argument}");
                            to_root = true;
                        }
                    }
                    value => to_root |= point_to(value, argument),
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                to_root |= point_to(value, argument);
            }
        }
        _ => {}
    }
    to_root
}
