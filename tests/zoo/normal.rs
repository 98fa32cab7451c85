//! What schemars says otherwise and means the same. This list is closed: a difference that is not
//! named here is a difference.
//!
//! 1. References are followed, to a depth; members beside a reference are members with those behind it.
//! 2. `$schema`, `title`, `description`, `default`, `writeOnly` and the formats of numbers say nothing
//!    of values.
//! 3. The bounds of a number's type follow from its format.
//! 4. Objects with named members take no others (ours say so).
//! 5. An `Option` that may be left out need not be null; elsewhere a union with null is an `anyOf`.
//! 6. `oneOf` is `anyOf`; `const` is an `enum` of one; names without data are one `enum`, in front.
//! 7. `true` is the empty schema; the order of required members says nothing; an object without named
//!    members has no list of them.
//! 8. An IP address is one of either version; `ip` is no format of JSON Schema.
//! 9. The nanoseconds of a time are less than a second, and its seconds are what every clock holds.
//! 10. A decimal has as many digits as the type holds.

use serde_json::{Map, Value, json};

/// The normal form of a schema.
pub fn normal(schema: &Value) -> Value {
    let root = schema.clone();
    Normal { root: &root }.schema(schema, 0)
}

/// Deep enough for three turns through any recursive type of the zoo.
const DEPTH: usize = 8;

struct Normal<'a> {
    root: &'a Value,
}

impl Normal<'_> {
    fn schema(&self, schema: &Value, depth: usize) -> Value {
        let Value::Object(schema) = schema else {
            // (7)
            return if schema == &Value::Bool(true) {
                json!({})
            } else {
                schema.clone()
            };
        };
        // (1)
        if depth > DEPTH {
            return json!({});
        }
        if let Some(Value::String(name)) = schema.get("$ref") {
            let target = self.root.pointer(name.strip_prefix('#').unwrap()).unwrap();
            return self.schema(&beside(schema, target), depth);
        }
        // (8)
        if schema.get("format") == Some(&json!("ip")) {
            return json!({"anyOf": [
                {"type": "string", "format": "ipv4"},
                {"type": "string", "format": "ipv6"},
            ]});
        }
        // (10)
        if schema.get("pattern") == Some(&json!(r"^-?\d+(\.\d+)?([eE]\d+)?$")) {
            return json!({"anyOf": [
                {"type": "string", "pattern": "^-?[0-9]{1,28}([.][0-9]{1,28})?$"},
                {"type": "number", "minimum": -7.9e28, "maximum": 7.9e28},
            ]});
        }
        // A choice is no deeper than what is chosen from.
        let inside = depth + 1;
        let mut out = Map::new();
        for (key, value) in schema {
            match key.as_str() {
                // (2)
                "$schema" | "$defs" | "title" | "description" | "default" | "writeOnly" => {}
                "format" => bounds(value.as_str().unwrap(), &mut out),
                "properties" => {
                    let optional = |name: &str| !names(schema).contains(&name.to_owned());
                    let members = value.as_object().unwrap().iter().map(|(name, member)| {
                        let mut member = self.schema(member, inside);
                        // (9)
                        if let Some(most) = match name.as_str() {
                            "nanos" | "nanos_since_epoch" => Some(json!(999_999_999)),
                            "secs_since_epoch" => Some(json!(910_692_730_085_u64)),
                            _ => None,
                        } && matches!(theirs(schema, name), Some("uint32" | "uint64"))
                        {
                            member["maximum"] = most;
                        }
                        // (5)
                        let member = if optional(name) {
                            without_null(member)
                        } else {
                            member
                        };
                        (name.clone(), member)
                    });
                    let members: Map<String, Value> = members.collect();
                    out.insert(key.clone(), members.into());
                }
                "required" => {}
                // (4)
                "additionalProperties" if value == &json!(false) => {}
                "additionalProperties" | "items" | "not" => {
                    out.insert(key.clone(), self.schema(value, inside));
                }
                "prefixItems" => {
                    let items = value.as_array().unwrap().iter();
                    let items: Vec<Value> = items.map(|item| self.schema(item, inside)).collect();
                    out.insert(key.clone(), items.into());
                }
                // (6)
                "anyOf" | "oneOf" => {
                    let choices = value.as_array().unwrap().iter();
                    let choices = choices.map(|choice| self.schema(choice, depth)).collect();
                    out.extend(any_of(choices));
                }
                "const" => {
                    out.insert("enum".to_owned(), json!([value]));
                    if value.is_string() {
                        out.insert("type".to_owned(), json!("string"));
                    }
                }
                _ => {
                    out.insert(key.clone(), value.clone());
                }
            }
        }
        // (7)
        if out.get("properties") == Some(&json!({})) {
            out.remove("properties");
        }
        if out.contains_key("properties") {
            out.insert("required".to_owned(), names(schema).into());
        }
        null_union(out)
    }
}

/// (1)
fn beside(schema: &Map<String, Value>, target: &Value) -> Value {
    let mut target = target.clone();
    if let (Some(more), Value::Object(target)) = (schema.get("properties"), &mut target) {
        let members = target.entry("properties").or_insert_with(|| json!({}));
        let members = members.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        let required = [names(schema), names(target)].concat();
        target.insert("required".to_owned(), required.into());
    }
    target
}

fn names(schema: &Map<String, Value>) -> Vec<String> {
    let mut names: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

fn read(number: &str) -> Value {
    serde_json::from_str(number).unwrap()
}

/// The format of a member, which only theirs has for numbers.
fn theirs<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    schema.get("properties")?.get(name)?.get("format")?.as_str()
}

/// (3)
fn bounds(format: &str, out: &mut Map<String, Value>) {
    let (minimum, maximum) = match format {
        "int8" => (json!(i8::MIN), json!(i8::MAX)),
        "int16" => (json!(i16::MIN), json!(i16::MAX)),
        "int32" => (json!(i32::MIN), json!(i32::MAX)),
        "uint8" => (json!(0), json!(u8::MAX)),
        "uint16" => (json!(0), json!(u16::MAX)),
        "uint32" => (json!(0), json!(u32::MAX)),
        "int64" | "int" => (json!(i64::MIN), json!(i64::MAX)),
        "uint64" | "uint" => (json!(0), json!(u64::MAX)),
        "int128" => (
            read("-170141183460469231731687303715884105728"),
            read("170141183460469231731687303715884105727"),
        ),
        "uint128" => (json!(0), read("340282366920938463463374607431768211455")),
        "float" => (
            read("-3.4028234663852886e38"),
            read("3.4028234663852886e38"),
        ),
        "double" => return,
        other => {
            out.insert("format".to_owned(), json!(other));
            return;
        }
    };
    out.entry("minimum").or_insert(minimum);
    out.entry("maximum").or_insert(maximum);
}

/// (5): `"type": ["string", "null"]` as a union.
fn null_union(mut schema: Map<String, Value>) -> Value {
    let Some(Value::Array(types)) = schema.get("type").cloned() else {
        return schema.into();
    };
    schema.insert("type".to_owned(), types[0].clone());
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    json!({"anyOf": [schema, {"type": "null"}]})
}

/// (5)
fn without_null(schema: Value) -> Value {
    match schema
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([one, null]) if null == &json!({"type": "null"}) => one.clone(),
        _ => schema,
    }
}

/// (6)
fn any_of(choices: Vec<Value>) -> Map<String, Value> {
    let is_names = |choice: &Value| {
        choice.get("type") == Some(&json!("string")) && choice.get("enum").is_some()
    };
    let (named, others): (Vec<Value>, Vec<Value>) = choices.into_iter().partition(is_names);
    let mut all = Vec::new();
    let names: Vec<Value> = named
        .iter()
        .flat_map(|choice| choice["enum"].as_array().unwrap())
        .cloned()
        .collect();
    if !names.is_empty() {
        all.push(json!({"type": "string", "enum": names}));
    }
    all.extend(others);
    match all.as_slice() {
        [Value::Object(one)] if one.get("type") == Some(&json!("string")) => one.clone(),
        _ => Map::from_iter([("anyOf".to_owned(), all.into())]),
    }
}

/// All schemas that differ from this one in one keyword.
pub fn one_change_each(schema: &Value) -> Vec<Value> {
    let mut changed = Vec::new();
    for pointer in pointers(schema, String::new()) {
        let mut copy = schema.clone();
        let place = copy.pointer_mut(&pointer).unwrap();
        let key = pointer.rsplit('/').next().unwrap();
        *place = match (key, &*place) {
            ("type", Value::String(kind)) if kind == "string" => json!("boolean"),
            ("type", Value::String(_)) => json!("string"),
            ("minimum" | "maximum" | "minItems" | "maxItems" | "minLength" | "maxLength", old) => {
                // A step that a number of any size sees.
                json!(old.as_f64().unwrap() / 2.0 + 1.5)
            }
            ("required", Value::Array(names)) => json!(names[1..]),
            ("enum", Value::Array(names)) => json!([names.clone(), vec![json!("more")]].concat()),
            ("uniqueItems", _) => json!(false),
            ("format", _) => json!("other"),
            ("anyOf", Value::Array(choices)) => json!(choices[1..]),
            _ => continue,
        };
        changed.push(copy);
    }
    changed
}

/// The places of all keywords; names of members are none.
fn pointers(value: &Value, path: String) -> Vec<String> {
    let mut all = Vec::new();
    match value {
        Value::Object(object) => {
            let is_members = path.ends_with("/properties") || path.ends_with("/$defs");
            for (key, value) in object {
                let path = format!("{path}/{key}");
                if !is_members {
                    all.push(path.clone());
                }
                all.extend(pointers(value, path));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                all.extend(pointers(item, format!("{path}/{index}")));
            }
        }
        _ => {}
    }
    all
}
