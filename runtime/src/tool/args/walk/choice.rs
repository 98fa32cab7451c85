//! `anyOf`: an enum with data, or a value that may be null.

use serde_json::Value;

use super::{
    Path, Problem, Walk, is_of_type, is_same, resolve, texts,
    words::{expected, got, list, near},
};

impl<'s> Walk<'s> {
    /// Compares with the choice that was meant, as far as the outside of the value tells.
    pub(super) fn choice(&mut self, value: &Value, choices: &'s [Value], path: &Path<'_>) {
        let choices: Vec<&Value> = choices
            .iter()
            .map(|choice| resolve(self.root, choice))
            .collect();
        let mut likely = choices
            .iter()
            .filter(|choice| looks_like(value, choice))
            .peekable();
        if likely.peek().is_none() {
            self.none(value, &choices, path);
            return;
        }
        let mut fewest: Option<Vec<Problem>> = None;
        for choice in likely {
            let before = self.found.len();
            self.hop(value, choice, path);
            let problems = self.found.split_off(before);
            if problems.is_empty() {
                return;
            }
            if fewest
                .as_ref()
                .is_none_or(|fewest| problems.len() < fewest.len())
            {
                fewest = Some(problems);
            }
        }
        self.found.extend(fewest.unwrap_or_default());
    }

    /// Says what would have fitted.
    fn none(&mut self, value: &Value, choices: &[&'s Value], path: &Path<'_>) {
        // An enum tells its variants apart by a member: say which values it has.
        if let Some((tag, names)) = tag(choices)
            && let Value::Object(object) = value
        {
            let names: Vec<Value> = names.into_iter().cloned().collect();
            let path = Path::Key(path, tag);
            match object.get(tag) {
                Some(sent) => {
                    let hint = near(sent, &names);
                    let (names, sent) = (list(&names), got(sent));
                    self.add(&path, format!("expected one of {names}, got {sent}{hint}"));
                }
                None => self.add(&path, format!("missing, expected one of {}", list(&names))),
            }
            return;
        }
        let mut kinds: Vec<String> = choices.iter().map(|choice| expected(choice)).collect();
        kinds.dedup();
        self.add(
            path,
            format!("expected {}, got {}", kinds.join(" or "), got(value)),
        );
    }
}

/// Whether a choice may be the one, without a look inside the value's members: the type is right, the
/// variant's name is the one sent, and where a key is the variant's name, it is there.
pub(in crate::tool::args) fn looks_like(value: &Value, choice: &Value) -> bool {
    if !is_of_type(value, choice) {
        return false;
    }
    if let Some(Value::Array(allowed)) = choice.get("enum") {
        return allowed.iter().any(|allowed| is_same(allowed, value));
    }
    let Value::Object(object) = value else {
        return true;
    };
    let properties = choice.get("properties").and_then(Value::as_object);
    let names_fit = properties.into_iter().flatten().all(|(key, property)| {
        match (object.get(key), one_name(property)) {
            (Some(sent), Some(name)) => sent == name,
            (None, Some(_)) => !texts(choice, "required").any(|required| required == key),
            (_, None) => true,
        }
    });
    let single = properties.is_some_and(|properties| properties.len() == 1);
    let key_fits = !single || texts(choice, "required").all(|key| object.contains_key(key));
    names_fit && key_fits
}

/// The only value that a schema allows.
fn one_name(schema: &Value) -> Option<&Value> {
    match schema.get("enum")?.as_array()?.as_slice() {
        [name] => Some(name),
        _ => None,
    }
}

/// The member that tells all choices apart, and its values.
fn tag<'s>(choices: &[&'s Value]) -> Option<(&'s str, Vec<&'s Value>)> {
    let (first, _) = choices
        .first()?
        .get("properties")?
        .as_object()?
        .iter()
        .find(|(_, property)| one_name(property).is_some())?;
    let names: Option<Vec<&Value>> = choices
        .iter()
        .map(|choice| one_name(choice.get("properties")?.get(first)?))
        .collect();
    Some((first, names?))
}
