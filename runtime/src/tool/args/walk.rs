//! Compares a value with a schema in canonical form and names every difference.

use serde_json::{Map, Value};

use crate::tool::nearest::nearest;

/// Every place where `value` does not fit `schema`, as one clause each.
pub(super) fn problems(value: &Value, schema: &Value) -> Vec<String> {
    let mut walk = Walk {
        root: schema,
        found: Vec::new(),
    };
    walk.value(value, schema, &Path::Root);
    walk.found
}

/// The way from the root to a value; it is written out only for a problem.
#[derive(Clone, Copy)]
enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Key(parent, key) => {
                let key = key.replace('~', "~0").replace('/', "~1");
                write!(f, "{parent}/{key}")
            }
            Path::Index(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

struct Walk<'s> {
    root: &'s Value,
    found: Vec<String>,
}

impl<'s> Walk<'s> {
    fn add(&mut self, path: &Path<'_>, problem: impl std::fmt::Display) {
        self.found.push(match path {
            Path::Root => problem.to_string(),
            path => format!("`{path}`: {problem}"),
        });
    }

    fn value(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) {
        let Value::Object(schema) = schema else {
            return;
        };
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            if let Some(target) = target
                .strip_prefix('#')
                .and_then(|pointer| self.root.pointer(pointer))
            {
                self.value(value, target, path);
            }
            return;
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(choices)) = schema.get(key) {
                self.choice(value, choices, path);
            }
        }
        if let Some(kind) = schema.get("type").and_then(Value::as_str)
            && !is_a(value, kind)
        {
            let expected = expected(schema);
            self.add(path, format!("expected {expected}, got {}", got(value)));
            return;
        }
        if let Some(Value::Array(allowed)) = schema.get("enum")
            && !allowed.contains(value)
        {
            let hint = value
                .as_str()
                .and_then(|text| nearest(text, allowed.iter().filter_map(Value::as_str)));
            let hint = hint.map_or_else(String::new, |hint| format!(", did you mean \"{hint}\"?"));
            self.add(
                path,
                format!(
                    "expected one of {}, got {}{hint}",
                    list(allowed),
                    got(value)
                ),
            );
            return;
        }
        if let Some(constant) = schema.get("const")
            && constant != value
        {
            self.add(path, format!("expected {constant}, got {}", got(value)));
            return;
        }
        if let Some(constant) = schema.get("not").and_then(|not| not.get("const"))
            && constant == value
        {
            self.add(path, format!("may not be {constant}"));
        }
        match value {
            Value::Object(object) => self.object(object, schema, path),
            Value::Array(items) => self.array(items, schema, path),
            Value::String(text) => self.text(text, schema, path),
            Value::Number(_) => self.number(value, schema, path),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn choice(&mut self, value: &Value, choices: &'s [Value], path: &Path<'_>) {
        let mut closest: Option<Vec<String>> = None;
        for choice in choices {
            let before = self.found.len();
            self.value(value, choice, path);
            let problems = self.found.split_off(before);
            if problems.is_empty() {
                return;
            }
            // A choice of another type says nothing about what is wrong inside the value.
            let other_type = choice
                .get("type")
                .and_then(Value::as_str)
                .is_some_and(|kind| !is_a(value, kind));
            if !other_type
                && closest
                    .as_ref()
                    .is_none_or(|closest| problems.len() < closest.len())
            {
                closest = Some(problems);
            }
        }
        match closest {
            Some(problems) => self.found.extend(problems),
            None => {
                let kinds: Vec<String> = choices
                    .iter()
                    .filter_map(Value::as_object)
                    .map(expected)
                    .collect();
                self.add(
                    path,
                    format!("expected {}, got {}", kinds.join(" or "), got(value)),
                );
            }
        }
    }

    fn object(
        &mut self,
        object: &Map<String, Value>,
        schema: &'s Map<String, Value>,
        path: &Path<'_>,
    ) {
        let empty = Map::new();
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => Some(properties),
            _ => None,
        };
        for (key, value) in object {
            let path = Path::Key(path, key);
            if let Some(property) = properties.and_then(|properties| properties.get(key)) {
                let optional_null = value.is_null() && !is_required(schema, key);
                if !optional_null {
                    self.value(value, property, &path);
                }
                continue;
            }
            match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    let known = properties.unwrap_or(&empty);
                    self.add(&path, unknown(key, known));
                }
                Some(other) => self.value(value, other, &path),
                None => {}
            }
        }
        if let Some(Value::Array(required)) = schema.get("required") {
            for key in required.iter().filter_map(Value::as_str) {
                if !object.contains_key(key) {
                    let wanted = properties
                        .and_then(|properties| properties.get(key))
                        .and_then(Value::as_object)
                        .map_or_else(|| "a value".to_owned(), expected);
                    self.add(&Path::Key(path, key), format!("missing, expected {wanted}"));
                }
            }
        }
    }

    fn array(&mut self, items: &[Value], schema: &'s Map<String, Value>, path: &Path<'_>) {
        let count = items.len() as u64;
        if let Some(least) = schema.get("minItems").and_then(Value::as_u64)
            && count < least
        {
            self.add(
                path,
                format!("expected at least {least} items, got {count}"),
            );
        }
        if let Some(most) = schema.get("maxItems").and_then(Value::as_u64)
            && count > most
        {
            self.add(path, format!("expected at most {most} items, got {count}"));
        }
        let first: &[Value] = match schema.get("prefixItems") {
            Some(Value::Array(first)) => first,
            _ => &[],
        };
        let rest = schema.get("items");
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or(rest) {
                self.value(item, schema, &Path::Index(path, index));
            }
        }
    }

    fn text(&mut self, text: &str, schema: &Map<String, Value>, path: &Path<'_>) {
        let count = text.chars().count() as u64;
        if let Some(least) = schema.get("minLength").and_then(Value::as_u64)
            && count < least
        {
            self.add(
                path,
                format!("expected at least {least} characters, got {count}"),
            );
        }
        if let Some(most) = schema.get("maxLength").and_then(Value::as_u64)
            && count > most
        {
            self.add(
                path,
                format!("expected at most {most} characters, got {count}"),
            );
        }
    }

    fn number(&mut self, value: &Value, schema: &Map<String, Value>, path: &Path<'_>) {
        let Some(number) = value.as_f64() else {
            return;
        };
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64).zip(schema.get(key));
        if let Some((least, shown)) = bound("minimum")
            && number < least
        {
            self.add(path, format!("expected at least {shown}, got {value}"));
        }
        if let Some((most, shown)) = bound("maximum")
            && number > most
        {
            self.add(path, format!("expected at most {shown}, got {value}"));
        }
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(is_whole),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0
}

fn is_required(schema: &Map<String, Value>, key: &str) -> bool {
    schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|required| required.iter().any(|name| name == key))
}

fn expected(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(allowed)) = schema.get("enum") {
        return format!("one of {}", list(allowed));
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "a string",
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("boolean") => "true or false",
        Some("array") => "an array",
        Some("object") => "an object",
        Some("null") => "null",
        _ => "a value",
    }
    .to_owned()
}

fn got(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::String(text) => {
            let mut shown: String = text.chars().take(40).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            format!("the string {}", Value::String(shown))
        }
        other => other.to_string(),
    }
}

fn list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(Value::to_string).collect();
    shown.join(", ")
}

fn unknown(key: &str, known: &Map<String, Value>) -> String {
    if let Some(near) = nearest(key, known.keys().map(String::as_str)) {
        return format!("unknown key, did you mean `{near}`?");
    }
    if known.is_empty() {
        return "unknown key, none is allowed here".to_owned();
    }
    let names: Vec<String> = known.keys().map(|name| format!("`{name}`")).collect();
    format!("unknown key, allowed are {}", names.join(", "))
}
