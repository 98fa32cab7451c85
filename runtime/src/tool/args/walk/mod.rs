//! Compares a value with a schema in canonical form and names every difference.

mod choice;
mod combined;
mod formats;
mod patterns;
mod words;

use std::{cmp::Ordering, collections::HashSet, fmt};

use serde_json::Value;

pub(super) use choice::looks_like;
use patterns::Patterns;
use words::{expected, got, list, unknown};

/// The deepest nesting that is looked at; serde_json reads no deeper.
pub(super) const DEEPEST: usize = 128;

/// The most values that are compared. Where several choices of a type hold each other, the number of
/// ways to read a value grows with its depth, and a model could send one that takes for ever. Arguments
/// of the greatest length hold half as many values.
const MOST_STEPS: usize = 1_000_000;

/// The most schemas that one value is held against on the way into each other: a schema may refer to
/// itself without a member in between.
const MOST_HOPS: usize = 64;

/// A place where a value does not fit.
pub(super) struct Problem {
    /// What is wrong, as one clause.
    pub(super) text: String,
    /// The way to a key that is not known, if that is what is wrong.
    pub(super) unknown: Option<Vec<Step>>,
}

/// A step on the way from the root to a value.
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// Every place where `value` does not fit `schema`, as one clause each.
pub(super) fn problems(value: &Value, schema: &Value) -> Vec<Problem> {
    let mut walk = Walk::new(schema);
    walk.value(value, schema, &Path::Root);
    walk.end();
    walk.found
}

/// Whether `value` fits `schema`, which is part of the schema `root`.
pub(super) fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let mut walk = Walk::new(root);
    walk.value(value, schema, &Path::Root);
    walk.end();
    walk.found.is_empty()
}

/// The schema that a reference stands for, or the schema itself.
pub(super) fn resolve<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|target| root.pointer(target.strip_prefix('#')?))
        .unwrap_or(schema)
}

/// Whether an object of a schema must have a member.
pub(super) fn is_required(schema: &Value, key: &str) -> bool {
    texts(schema, "required").any(|name| name == key)
}

/// The texts of a list in a schema.
fn texts<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s str> {
    let list = schema.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// The way from the root to a value; it is written out only for a problem.
#[derive(Clone, Copy)]
pub(super) enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

impl Path<'_> {
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut here = self;
        loop {
            here = match here {
                Path::Root => break,
                Path::Key(parent, key) => {
                    steps.push(Step::Key((*key).to_owned()));
                    parent
                }
                Path::Index(parent, index) => {
                    steps.push(Step::Index(*index));
                    parent
                }
            };
        }
        steps.reverse();
        steps
    }
}

struct Walk<'s> {
    root: &'s Value,
    found: Vec<Problem>,
    steps: usize,
    /// How many schemas the value at hand is held against, one inside the other.
    hops: usize,
    patterns: Patterns<'s>,
}

impl<'s> Walk<'s> {
    fn new(root: &'s Value) -> Self {
        Walk {
            root,
            found: Vec::new(),
            steps: 0,
            hops: 0,
            patterns: Patterns::default(),
        }
    }

    /// What was not compared does not fit.
    fn end(&mut self) {
        if self.steps > MOST_STEPS {
            self.found.clear();
            self.add(
                &Path::Root,
                "there are too many values, or too many ways to read them; send fewer",
            );
        }
    }

    fn add(&mut self, path: &Path<'_>, problem: impl fmt::Display) {
        let text = match path {
            Path::Root => problem.to_string(),
            path => format!("`{path}`: {problem}"),
        };
        let unknown = None;
        self.found.push(Problem { text, unknown });
    }

    /// A value that is held against another schema beside the one at hand.
    fn hop(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) {
        if self.hops == MOST_HOPS {
            self.add(path, "the schema refers to itself");
            return;
        }
        let hops = self.hops + 1;
        self.compare(value, schema, path, hops);
        self.hops = hops - 1;
    }

    /// A member or an item, or the whole.
    fn value(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) {
        let hops = self.hops;
        self.compare(value, schema, path, 0);
        self.hops = hops;
    }

    fn compare(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>, hops: usize) {
        self.hops = hops;
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        let target = resolve(self.root, schema);
        if !std::ptr::eq(target, schema) {
            self.hop(value, target, path);
            // Beside a reference there is nothing else in our own schemas but a description.
        }
        if schema == &Value::Bool(false) {
            self.add(path, "not allowed here");
            return;
        }
        if let Some(Value::Array(choices)) = schema.get("anyOf") {
            self.choice(value, choices, path);
        }
        self.combined(value, schema, path);
        if !self.is_one_of_the_values(value, schema, path) {
            return;
        }
        match value {
            Value::Object(object) => self.object(object, schema, path),
            Value::Array(items) => self.array(items, schema, path),
            Value::String(text) => self.text(text, schema, path),
            Value::Number(_) => self.number(value, schema, path),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `type`, `enum` and `const`: what a value is, before what is in it.
    fn is_one_of_the_values(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) -> bool {
        let before = self.found.len();
        if let Some(Value::Array(allowed)) = schema.get("enum") {
            if !allowed.iter().any(|allowed| is_same(allowed, value)) {
                let hint = words::near(value, allowed);
                let (allowed, got) = (list(allowed), got(value));
                self.add(path, format!("expected one of {allowed}, got {got}{hint}"));
            }
        } else if let Some(constant) = schema.get("const")
            && !is_same(constant, value)
        {
            self.add(path, format!("expected {constant}, got {}", got(value)));
        } else if !is_of_type(value, schema) {
            let expected = expected(schema);
            self.add(path, format!("expected {expected}, got {}", got(value)));
        }
        self.found.len() == before
    }

    fn object(
        &mut self,
        object: &serde_json::Map<String, Value>,
        schema: &'s Value,
        path: &Path<'_>,
    ) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (key, value) in object {
            let path = Path::Key(path, key);
            if let Some(property) = properties.and_then(|properties| properties.get(key)) {
                // serde takes `null` for an `Option` that may be left out.
                if !value.is_null() || is_required(schema, key) {
                    self.value(value, property, &path);
                }
                self.member_by_pattern(key, value, schema, &path);
                continue;
            }
            if self.member_by_pattern(key, value, schema, &path) {
                continue;
            }
            match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    self.add(&path, unknown(key, properties));
                    if let Some(problem) = self.found.last_mut() {
                        problem.unknown = Some(path.steps());
                    }
                }
                Some(other) => self.value(value, other, &path),
                None => {}
            }
        }
        for key in texts(schema, "required") {
            if !object.contains_key(key) {
                let wanted = properties
                    .and_then(|properties| properties.get(key))
                    .map(|property| expected(resolve(self.root, property)));
                let wanted = wanted.unwrap_or_else(|| "a value".to_owned());
                self.add(&Path::Key(path, key), format!("missing, expected {wanted}"));
            }
        }
        self.object_of_others(object, schema, path);
        self.length(
            object.len(),
            schema,
            ["minProperties", "maxProperties"],
            "members",
            path,
        );
    }

    fn array(&mut self, items: &[Value], schema: &'s Value, path: &Path<'_>) {
        self.length(items.len(), schema, ["minItems", "maxItems"], "items", path);
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            let mut again = items.iter().filter(|item| !seen.insert(item.to_string()));
            if let Some(again) = again.next() {
                self.add(
                    path,
                    format!("expected items that differ, got {} twice", got(again)),
                );
            }
        }
        self.array_of_others(items, schema, path);
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let rest = schema.get("items");
        for (index, item) in items.iter().enumerate() {
            let schema = first.and_then(|first| first.get(index)).or(rest);
            if let Some(schema) = schema {
                self.value(item, schema, &Path::Index(path, index));
            }
        }
    }

    fn text(&mut self, text: &str, schema: &'s Value, path: &Path<'_>) {
        let count = text.chars().count();
        self.length(
            count,
            schema,
            ["minLength", "maxLength"],
            "characters",
            path,
        );
        self.format(text, schema, path);
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && !self.patterns.fits(pattern, text)
        {
            let got = got(&Value::from(text));
            let example = schema.get("examples").and_then(|all| all.get(0));
            let example = example.map_or_else(String::new, |one| format!(", such as {one}"));
            self.add(
                path,
                format!("expected a match of `{pattern}`{example}, got {got}"),
            );
        }
    }

    fn format(&mut self, text: &str, schema: &Value, path: &Path<'_>) {
        if let Some(format) = schema.get("format").and_then(Value::as_str)
            && let Some(what) = formats::misses(text, format)
        {
            let got = got(&Value::from(text));
            self.add(path, format!("expected {what}, got {got}"));
        }
    }

    fn length(
        &mut self,
        count: usize,
        schema: &Value,
        [least, most]: [&str; 2],
        unit: &str,
        path: &Path<'_>,
    ) {
        let bound = |key| schema.get(key).and_then(whole);
        let count = count as i128;
        if let Some(least) = bound(least).filter(|least| count < *least) {
            self.add(
                path,
                format!("expected at least {least} {unit}, got {count}"),
            );
        }
        if let Some(most) = bound(most).filter(|most| count > *most) {
            self.add(path, format!("expected at most {most} {unit}, got {count}"));
        }
    }

    fn number(&mut self, value: &Value, schema: &Value, path: &Path<'_>) {
        self.number_of_others(value, schema, path);
        for (key, word, beyond) in [
            ("minimum", "at least", Ordering::Less),
            ("maximum", "at most", Ordering::Greater),
        ] {
            if let Some(bound) = schema.get(key)
                && order(value, bound) == Some(beyond)
            {
                self.add(path, format!("expected {word} {bound}, got {value}"));
            }
        }
    }
}

/// The order of two numbers. Whole ones are not rounded.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// A whole number, if it is not too large.
fn whole(value: &Value) -> Option<i128> {
    const LIMIT: f64 = 1e38;
    let of_float = |float: f64| {
        let is_whole = float.fract() == 0.0 && float.abs() <= LIMIT;
        is_whole.then_some(float as i128)
    };
    let whole = value.as_i64().map(i128::from);
    whole
        .or_else(|| value.as_u64().map(i128::from))
        .or_else(|| value.as_f64().and_then(of_float))
}

/// Whether two values are the same; to JSON Schema `1.0` is `1`.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => order(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        _ => a == b,
    }
}

/// Whether a value is of the type, or one of the types, that a schema names.
fn is_of_type(value: &Value, schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => is_a(value, kind),
        Some(Value::Array(kinds)) => (kinds.iter())
            .filter_map(Value::as_str)
            .any(|kind| is_a(value, kind)),
        _ => true,
    }
}

/// Whether a value is of a type that a schema names.
fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => {
            let whole = |number: f64| number.fract() == 0.0;
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(whole)
        }
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
