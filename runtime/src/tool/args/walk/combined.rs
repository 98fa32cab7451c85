//! Keywords that the schemas of our own types do not have, and those of others do.
//!
//! [JSON Schema 2020-12](https://json-schema.org/draft/2020-12/json-schema-validation) says what they
//! mean. What is not known here is refused when the agent is built (see `schema_check`).

use serde_json::{Map, Value};

use super::{
    Path, Walk, order, texts, whole,
    words::{expected, got},
};

impl<'s> Walk<'s> {
    /// `allOf`, `oneOf`, `not`, `if`, and a reference that has words beside it.
    pub(super) fn combined(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) {
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for schema in all {
                self.hop(value, schema, path);
            }
        }
        if let Some(Value::Array(choices)) = schema.get("oneOf") {
            let fitting = choices
                .iter()
                .filter(|choice| self.fits(value, choice, path));
            match fitting.take(2).count() {
                0 => self.choice(value, choices, path),
                1 => {}
                _ => self.add(
                    path,
                    "fits several of the choices, of which only one may fit",
                ),
            }
        }
        if let Some(not) = schema.get("not")
            && self.fits(value, not, path)
        {
            match not.get("const") {
                Some(constant) => self.add(path, format!("may not be {constant}")),
                None => self.add(path, format!("may not be {}", expected(not))),
            }
        }
        if let Some(condition) = schema.get("if") {
            let then = if self.fits(value, condition, path) {
                schema.get("then")
            } else {
                schema.get("else")
            };
            if let Some(then) = then {
                self.hop(value, then, path);
            }
        }
    }

    /// `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf`.
    pub(super) fn number_of_others(&mut self, value: &Value, schema: &Value, path: &Path<'_>) {
        use std::cmp::Ordering::{Greater, Less};
        for (key, word, within) in [
            ("exclusiveMinimum", "more than", Greater),
            ("exclusiveMaximum", "less than", Less),
        ] {
            if let Some(bound) = schema.get(key)
                && order(value, bound).is_some_and(|order| order != within)
            {
                self.add(path, format!("expected {word} {bound}, got {value}"));
            }
        }
        if let Some(step) = schema.get("multipleOf")
            && !is_multiple(value, step)
        {
            self.add(path, format!("expected a multiple of {step}, got {value}"));
        }
    }

    /// `contains`.
    pub(super) fn array_of_others(&mut self, items: &[Value], schema: &'s Value, path: &Path<'_>) {
        let Some(wanted) = schema.get("contains") else {
            return;
        };
        let bound = |key| schema.get(key).and_then(whole);
        let (least, most) = (bound("minContains").unwrap_or(1), bound("maxContains"));
        let count = items
            .iter()
            .filter(|item| self.fits(item, wanted, path))
            .count() as i128;
        if count < least || most.is_some_and(|most| count > most) {
            let most = most.map_or_else(String::new, |most| format!(" and at most {most}"));
            let wanted = expected(wanted);
            self.add(
                path,
                format!("expected at least {least}{most} of the items to be {wanted}, got {count}"),
            );
        }
    }

    /// The values of keys that `patternProperties` names; says whether it names this one.
    pub(super) fn member_by_pattern(
        &mut self,
        key: &str,
        value: &Value,
        schema: &'s Value,
        path: &Path<'_>,
    ) -> bool {
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let mut is_named = false;
        for (pattern, schema) in patterns.into_iter().flatten() {
            if self.patterns.fits(pattern, key) {
                is_named = true;
                self.value(value, schema, path);
            }
        }
        is_named
    }

    /// `propertyNames`, `dependentRequired` and `dependentSchemas`.
    pub(super) fn object_of_others(
        &mut self,
        object: &Map<String, Value>,
        schema: &'s Value,
        path: &Path<'_>,
    ) {
        if let Some(names) = schema.get("propertyNames") {
            for key in object.keys() {
                if !self.fits(&Value::from(key.as_str()), names, path) {
                    let expected = expected(names);
                    let key = got(&Value::from(key.as_str()));
                    self.add(
                        path,
                        format!("expected each key to be {expected}, got {key}"),
                    );
                }
            }
        }
        let of = |key: &str| schema.get(key).and_then(Value::as_object);
        if let Some(needs) = schema.get("dependentRequired") {
            for key in object.keys() {
                for needed in texts(needs, key).filter(|needed| !object.contains_key(*needed)) {
                    let missing = Path::Key(path, needed);
                    self.add(&missing, format!("missing, needed where `{key}` is"));
                }
            }
        }
        for (key, schema) in of("dependentSchemas").into_iter().flatten() {
            if object.contains_key(key) {
                let value = Value::Object(object.clone());
                self.hop(&value, schema, path);
            }
        }
    }

    /// Whether a value fits a schema; what does not is not told.
    fn fits(&mut self, value: &Value, schema: &'s Value, path: &Path<'_>) -> bool {
        let before = self.found.len();
        self.hop(value, schema, path);
        let fits = self.found.len() == before;
        self.found.truncate(before);
        fits
    }
}

/// Whether a number is a multiple of another. Whole ones are not rounded; of others, the quotient is
/// held against the nearest whole number, as far as a float can tell.
fn is_multiple(value: &Value, step: &Value) -> bool {
    if let (Some(value), Some(step)) = (whole(value), whole(step)) {
        return step == 0 || value % step == 0;
    }
    let (Some(value), Some(step)) = (value.as_f64(), step.as_f64()) else {
        return true;
    };
    let quotient = value / step;
    step == 0.0 || (quotient - quotient.round()).abs() <= quotient.abs() * 4.0 * f64::EPSILON
}
