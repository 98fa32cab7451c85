//! Two laws. What fits the schema decodes. What decodes without a coercion fits the schema, but for
//! `null` where an `Option` is absent.

use proptest::{prelude::*, sample::select, test_runner::TestRunner};
use serde_json::{Map, Value, json};

use crate::animal::Animal;

/// Holds both laws against many values.
pub fn hold(animal: &Animal) {
    let schema = (animal.ours)();
    let validator = jsonschema::draft202012::options()
        .should_validate_formats(true)
        // Formats of schemars, which JSON Schema does not name.
        .with_format("partial-time", |text: &str| {
            text.parse::<chrono::NaiveTime>().is_ok()
        })
        .with_format("partial-date-time", |text: &str| {
            text.parse::<chrono::NaiveDateTime>().is_ok()
        })
        .build(&schema)
        .unwrap();
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new(config);
    let strategy = fitting(&schema, &schema, 0);
    let result = runner.run(
        &(strategy, any::<u32>(), broken()),
        |(value, place, wrong)| {
            prop_assert!(validator.is_valid(&value), "made wrongly: {value}");
            if let Err(error) = animal.call(&value, false) {
                return Err(TestCaseError::fail(format!(
                    "fits and is refused: {value}: {error}"
                )));
            }
            let mutated = mutate(&value, place, &wrong);
            let fits = validator.is_valid(&mutated);
            let lenient = animal.call(&mutated, false);
            prop_assert!(
                !fits || lenient.is_ok(),
                "fits and is refused: {mutated}: {lenient:?}"
            );
            if animal.call(&mutated, true).is_ok() {
                let seen = overlooked(&mutated, &schema, &schema);
                prop_assert!(
                    validator.is_valid(&seen),
                    "decodes and does not fit: {mutated}"
                );
            }
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{}: {error}\n{schema}", animal.name);
    }
}

/// Values that fit a schema.
fn fitting(schema: &Value, root: &Value, depth: usize) -> BoxedStrategy<Value> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return fitting(root.pointer(&name[1..]).unwrap(), root, depth);
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        let mut choices: Vec<&Value> = choices.iter().collect();
        if depth > 4 {
            // The shortest text is the one that ends.
            choices.sort_by_key(|choice| choice.to_string().len());
            choices.truncate(1);
        }
        let choices = choices
            .into_iter()
            .map(|choice| fitting(choice, root, depth + 1));
        return proptest::strategy::Union::new(choices.collect::<Vec<_>>()).boxed();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return select(values.clone()).boxed();
    }
    match schema.get("type").and_then(Value::as_str) {
        None => broken().boxed(),
        Some("null") => Just(Value::Null).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("string") => text(schema),
        Some("number") => any::<i32>()
            .prop_map(|number| Value::from(f64::from(number) / 16.0))
            .boxed(),
        Some("integer") => integer(schema),
        Some("array") => array(schema, root, depth),
        Some("object") => object(schema, root, depth),
        Some(other) => unreachable!("no type {other}"),
    }
}

fn text(schema: &Value) -> BoxedStrategy<Value> {
    let samples: &[&str] = match schema.get("format").and_then(Value::as_str) {
        Some("uuid") => &["67e55044-10b1-426f-9247-bb680e5fe0c8"],
        Some("uri") => &["https://example.com/a?b=c", "mailto:a@example.com"],
        Some("date") => &["2024-02-29", "0001-01-01"],
        Some("date-time") => &["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.25-08:00"],
        Some("partial-time") => &["00:00:00", "23:59:59.999"],
        Some("partial-date-time") => &["2026-01-31T09:30:00"],
        Some("ipv4") => &["127.0.0.1", "10.1.2.3"],
        Some("ipv6") => &["::1", "fe80::1"],
        Some(other) => unreachable!("no format {other}"),
        None if schema.get("pattern").is_some() => {
            &["0", "-12.5", "0.0000000000000000000000000001"]
        }
        None if schema.get("maxLength").is_some() => &["a", "ß", "\u{1f600}", "\""],
        None => &[
            "",
            "a",
            "5",
            "true",
            "\"",
            "\\",
            "\n\u{1}",
            "größe",
            "\u{1f600}",
            "[1]",
        ],
    };
    select(samples).prop_map(Value::from).boxed()
}

fn integer(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |key, or| schema.get(key).and_then(Value::as_i64).unwrap_or(or);
    let range = bound("minimum", i64::MIN)..=bound("maximum", i64::MAX);
    let not_zero = schema.get("not").is_some();
    range
        .prop_map(move |number| Value::from(if not_zero && number == 0 { 1 } else { number }))
        .boxed()
}

fn array(schema: &Value, root: &Value, depth: usize) -> BoxedStrategy<Value> {
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        let items = items.iter().map(|item| fitting(item, root, depth + 1));
        return items.collect::<Vec<_>>().prop_map(Value::from).boxed();
    }
    let bound = |key, or| schema.get(key).and_then(Value::as_u64).unwrap_or(or) as usize;
    let most = if depth > 3 { 0 } else { 3 };
    let least = bound("minItems", 0);
    let most = bound("maxItems", most).max(least);
    if most == 0 {
        return Just(json!([])).boxed();
    }
    let unique = schema.get("uniqueItems").is_some();
    let any = json!({});
    let items = fitting(schema.get("items").unwrap_or(&any), root, depth + 1);
    proptest::collection::vec(items, least..=most)
        .prop_map(move |mut items| {
            if unique {
                items = distinct(items);
            }
            Value::from(items)
        })
        .boxed()
}

fn object(schema: &Value, root: &Value, depth: usize) -> BoxedStrategy<Value> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut members: Vec<BoxedStrategy<Option<(String, Value)>>> = Vec::new();
    for (name, member) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let name = name.clone();
        let present = required.contains(&name.as_str());
        if !present && depth > 3 {
            continue;
        }
        let value = fitting(member, root, depth + 1);
        let value = if present {
            value.prop_map(Some).boxed()
        } else {
            proptest::option::of(value).boxed()
        };
        let named = move |value: Option<Value>| value.map(|value| (name.clone(), value));
        members.push(value.prop_map(named).boxed());
    }
    let others = match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => None,
        _ if depth > 3 => None,
        Some(values) => Some(fitting(values, root, depth + 1)),
        None => Some(broken().boxed()),
    };
    let most = if others.is_some() { 3 } else { 0 };
    let others = proptest::collection::vec(
        (
            "[x-z]{1,3}",
            others.unwrap_or_else(|| Just(Value::Null).boxed()),
        ),
        0..=most,
    );
    (members, others)
        .prop_map(|(members, others)| {
            let mut all: Map<String, Value> = others.into_iter().collect();
            all.extend(members.into_iter().flatten());
            all.into()
        })
        .boxed()
}

/// Values that probably do not fit.
fn broken() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(5),
        json!(5.0),
        json!(5.5),
        json!(300),
        json!(128),
        json!(256),
        json!(-129),
        json!(-0.0),
        json!(0.3),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(9_007_199_254_740_992.0),
        json!(18_446_744_073_709_551_616.0),
        json!(1e38),
        json!(3.5e38),
        json!(1e300),
        json!("1.2.3.4"),
        json!("::1"),
        json!("2026-02-30"),
        json!({"a": 1, "q": 2}),
        json!({"A": null}),
        json!({"Nothing": null}),
        json!({"colour": "red"}),
        json!({"secs": u64::MAX, "nanos": 1_000_000_000}),
        json!({"secs": u64::MAX, "nanos": 999_999_999}),
        json!({"secs_since_epoch": u64::MAX, "nanos_since_epoch": 0}),
        json!({"left": 1, "right": null}),
        json!(5_000_000_000_u64),
        json!(""),
        json!("a"),
        json!("5"),
        json!("One"),
        json!([]),
        json!([1, 1]),
        json!({}),
        json!({"a": 1}),
        json!({"kind": "Nothing"}),
        json!({"left": 1, "unknown": 2}),
    ])
}

/// Replaces, adds or takes away one thing somewhere in a value.
fn mutate(value: &Value, place: u32, wrong: &Value) -> Value {
    let mut copy = value.clone();
    let mut here = &mut copy;
    let mut rest = place;
    loop {
        let choice = rest % 4;
        rest /= 4;
        let length = match here {
            Value::Object(object) => object.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if choice == 0 || length == 0 {
            *here = wrong.clone();
            return copy;
        }
        let index = rest as usize % length;
        rest /= 8;
        match here {
            Value::Object(object) => {
                let key = object.keys().nth(index).unwrap().clone();
                match choice {
                    1 => {
                        object.remove(&key);
                        return copy;
                    }
                    2 => {
                        object.insert("unknown".to_owned(), wrong.clone());
                        return copy;
                    }
                    _ => here = object.get_mut(&key).unwrap(),
                }
            }
            Value::Array(items) => match choice {
                1 => {
                    items.remove(index);
                    return copy;
                }
                2 => {
                    items.push(items[index].clone());
                    return copy;
                }
                _ => here = &mut items[index],
            },
            _ => return copy,
        }
    }
}

/// The value without `null` where a member may be absent.
fn overlooked(value: &Value, schema: &Value, root: &Value) -> Value {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return overlooked(value, root.pointer(&name[1..]).unwrap(), root);
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        let mut seen = choices
            .iter()
            .map(|choice| (choice, overlooked(value, choice, root)));
        let fits = |choice: &Value, value: &Value| {
            let mut schema = choice.clone();
            if let (Some(schema), Some(defs)) = (schema.as_object_mut(), root.get("$defs")) {
                schema.insert("$defs".to_owned(), defs.clone());
            }
            jsonschema::draft202012::is_valid(&schema, value)
        };
        return seen
            .find(|(choice, seen)| fits(choice, seen))
            .map_or_else(|| value.clone(), |(_, seen)| seen);
    }
    let any = json!({});
    match value {
        Value::Array(items) => {
            let prefix = schema.get("prefixItems").and_then(Value::as_array);
            let items = items.iter().enumerate().map(|(index, item)| {
                let schema = prefix
                    .and_then(|prefix| prefix.get(index))
                    .or(schema.get("items"));
                overlooked(item, schema.unwrap_or(&any), root)
            });
            items.collect()
        }
        Value::Object(object) => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let required = schema.get("required").and_then(Value::as_array);
            let is_required =
                |key: &str| required.is_some_and(|required| required.contains(&json!(key)));
            let mut seen = Map::new();
            for (key, value) in object {
                let member = properties.and_then(|properties| properties.get(key));
                if member.is_some() && value.is_null() && !is_required(key) {
                    continue;
                }
                let member = member.or(schema.get("additionalProperties"));
                let value = overlooked(value, member.unwrap_or(&any), root);
                seen.insert(key.clone(), value);
            }
            seen.into()
        }
        other => other.clone(),
    }
}

fn distinct(items: Vec<Value>) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}
