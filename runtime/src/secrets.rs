//! Values that nothing may show: the arguments that `#[arg(secret)]` names.

use std::borrow::Cow;

use serde_json::{Number, Value};

/// What stands where a secret was.
pub(crate) const BLOT: &str = "[secret]";
/// A shorter value is blotted out only where it stands as a word, since it is in many words.
const SHORT: usize = 4;
/// Where there are more, a text is not looked through for each of them and not shown at all.
const MOST: usize = 1_024;

/// The arguments of a call to look at, with every secret blotted out, at whatever depth: a call
/// through another tool holds its arguments inside.
pub(crate) fn redact<'a>(arguments: &'a str, secrets: &[impl AsRef<str>]) -> Cow<'a, str> {
    if secrets.is_empty() {
        return Cow::Borrowed(arguments);
    }
    match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) if value.is_object() => {
            blot_members(&mut value, secrets);
            Cow::Owned(value.to_string())
        }
        // Where the value begins and ends cannot be told.
        _ => Cow::Owned(format!(
            "[{} bytes that are no JSON object, not shown]",
            arguments.len()
        )),
    }
}

/// The same text without any of the secrets in the arguments of a call.
pub(crate) fn blot_out(text: &str, arguments: &str, secrets: &[impl AsRef<str>]) -> String {
    blot(text, &values(arguments, secrets))
}

/// The secrets in the arguments of a call, in every form in which they may be repeated.
pub(crate) fn values(arguments: &str, secrets: &[impl AsRef<str>]) -> Vec<String> {
    let mut values = Vec::new();
    // A tool is given what stands behind a byte order mark.
    let arguments = arguments.strip_prefix('\u{feff}').unwrap_or(arguments);
    if let Ok(arguments) = serde_json::from_str::<Value>(arguments) {
        collect(&arguments, secrets, false, &mut values);
    }
    // The longest first, since one value may be a part of another.
    values.sort_by(|one, other| (other.len(), one).cmp(&(one.len(), other)));
    values.dedup();
    values.retain(|text| !text.is_empty());
    values
}

/// The same JSON without these values; it stays JSON if it is.
pub(crate) fn blot_json(json: &str, values: &[String]) -> String {
    fn each(value: &mut Value, values: &[String]) {
        match value {
            Value::String(text) => *text = blot(text, values),
            Value::Number(number) if values.contains(&number.to_string()) => {
                *value = Value::from(BLOT);
            }
            Value::Array(items) => items.iter_mut().for_each(|item| each(item, values)),
            Value::Object(members) => members.values_mut().for_each(|value| each(value, values)),
            _ => {}
        }
    }
    match serde_json::from_str::<Value>(json) {
        Ok(mut value) => {
            each(&mut value, values);
            value.to_string()
        }
        Err(_) => blot(json, values),
    }
}

/// The same text without these values, of which the longer ones come first.
pub(crate) fn blot(text: &str, values: &[String]) -> String {
    if values.len() > MOST {
        return BLOT.to_owned();
    }
    values.iter().fold(text.to_owned(), |text, value| {
        if value.chars().count() < SHORT {
            blot_words(&text, value)
        } else {
            text.replace(value.as_str(), BLOT)
        }
    })
}

fn is_secret(name: &str, secrets: &[impl AsRef<str>]) -> bool {
    secrets.iter().any(|secret| secret.as_ref() == name)
}

fn blot_members(value: &mut Value, secrets: &[impl AsRef<str>]) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if is_secret(name, secrets) {
                    *value = Value::from(BLOT);
                } else {
                    blot_members(value, secrets);
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| blot_members(item, secrets)),
        // Models put JSON into strings.
        Value::String(text)
            if text.trim_start().starts_with(['{', '['])
                && secrets.iter().any(|name| text.contains(name.as_ref())) =>
        {
            *value = Value::from(BLOT);
        }
        _ => {}
    }
}

/// The texts and numbers below the members of those names, as they may be written out.
fn collect(value: &Value, secrets: &[impl AsRef<str>], inside: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                // A short one is a word of every sentence.
                if inside && name.chars().count() >= SHORT {
                    found.push(name.clone());
                }
                collect(value, secrets, inside || is_secret(name, secrets), found);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, secrets, inside, found)),
        Value::String(text) if inside && !text.is_empty() => {
            found.push(text.clone());
            // As it stands in JSON or in a `Debug` form, and on one line as errors have it.
            let quoted = value.to_string();
            found.push(quoted.trim_matches('"').to_owned());
            found.push(text.escape_debug().to_string());
            found.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            // A tool that takes a number is given the number.
            if let Ok(number) = text.trim().parse::<Number>() {
                found.extend(forms(&number));
            }
        }
        Value::String(text) => {
            // Models put JSON into strings.
            if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                collect(&value, secrets, inside, found);
            }
        }
        Value::Number(number) if inside => found.extend(forms(number)),
        _ => {}
    }
}

/// A number as it was sent, and as a whole number where it is one: `7.0` and `7e0` are given to a tool
/// as `7`.
fn forms(number: &Number) -> impl Iterator<Item = String> {
    let whole = number.as_f64().filter(|number| {
        // Within the whole numbers that a float holds exactly.
        number.fract() == 0.0 && number.abs() < 9e15
    });
    let whole = whole.map(|whole| format!("{whole:.0}"));
    whole.into_iter().chain([number.to_string()])
}

fn blot_words(text: &str, word: &str) -> String {
    if word.is_empty() {
        return text.to_owned();
    }
    let mut blotted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(word) {
        let (before, from) = rest.split_at(start);
        let after = from.strip_prefix(word).unwrap_or_default();
        let joined = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        // What stands before is in `blotted` already where `rest` begins with the word.
        let left = before.chars().next_back().or(blotted.chars().next_back());
        blotted.push_str(before);
        let whole = !joined(left) && !joined(after.chars().next());
        blotted.push_str(if whole { BLOT } else { word });
        rest = after;
    }
    blotted.push_str(rest);
    blotted
}

#[cfg(test)]
mod tests {
    use super::{blot_json, blot_out, redact};

    const NAMES: [&str; 2] = ["password", "pin"];

    #[test]
    fn secrets_are_blotted_out_at_every_depth() {
        let shown = redact(
            r#"{"name":"login","arguments":{"password":{"a":["hunter2"]},"user":"ann"}}"#,
            &NAMES,
        );
        // Whether keys keep their order is up to whoever else uses serde_json.
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(
            value(&shown),
            value(r#"{"name":"login","arguments":{"password":"[secret]","user":"ann"}}"#)
        );
        let cut = redact(r#"{"password":"hunt"#, &NAMES);
        assert_eq!(cut, "[17 bytes that are no JSON object, not shown]");
        let inside = redact(
            r#"{"arguments":"{\"password\":\"x\"}","user":"ann"}"#,
            &NAMES,
        );
        assert_eq!(
            value(&inside),
            value(r#"{"arguments":"[secret]","user":"ann"}"#)
        );
        let none: [&str; 0] = [];
        assert_eq!(redact("{oops", &none), "{oops");
    }

    #[test]
    fn what_is_blotted_out_of_json_leaves_json() {
        let values = super::values(r#"{"password":"hunter2","pin":7}"#, &NAMES);
        let json = blot_json(r#"{"x":["say hunter2",7,17],"n":70}"#, &values);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let expected = serde_json::json!({"x": ["say [secret]", "[secret]", 17], "n": 70});
        assert_eq!(value, expected);
        assert_eq!(blot_json("{hunter2", &values), "{[secret]");
    }

    #[test]
    fn a_mark_before_the_arguments_shows_no_secret() {
        let marked = "\u{feff}{\"password\":\"hunter2\"}";
        assert_eq!(blot_out("no hunter2", marked, &NAMES), "no [secret]");
    }

    #[test]
    fn no_number_of_secrets_holds_a_thread_up() {
        let many: Vec<String> = (0..100_000).map(|n| format!("s{n}")).collect();
        let arguments = serde_json::json!({ "password": many }).to_string();
        let began = std::time::Instant::now();
        assert_eq!(blot_out("no s7 there", &arguments, &NAMES), "[secret]");
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }

    #[test]
    fn a_message_loses_every_form_of_a_secret() {
        let arguments = r#"{"password":"a\"b\nc d","pin":7,"user":"ann"}"#;
        let message = "ann: a\"b c d, \"a\\\"b\\nc d\", pin 7 of 177, item7";
        assert_eq!(
            blot_out(message, arguments, &NAMES),
            "ann: [secret], \"[secret]\", pin [secret] of 177, item7"
        );
        let inside = r#"{"arguments":"{\"password\":\"hunter2\"}"}"#;
        assert_eq!(blot_out("is hunter2", inside, &NAMES), "is [secret]");
        assert_eq!(blot_out("é7é 7", r#"{"pin":7}"#, &NAMES), "é7é [secret]");
        for spelt in ["778899", "778899.0", "7.78899e5", "\"7.78899e5\""] {
            let arguments = format!("{{\"pin\":{spelt}}}");
            for arguments in [
                arguments.clone(),
                serde_json::Value::from(arguments).to_string(),
            ] {
                let blotted = blot_out("wrong pin 778899", &arguments, &NAMES);
                assert_eq!(blotted, "wrong pin [secret]", "{arguments}");
            }
        }
        let object = r#"{"password":{"a":"b","city":"Rome"}}"#;
        assert_eq!(
            blot_out("expected a city", object, &NAMES),
            "expected a [secret]"
        );
    }
}
