//! Whether a schema takes a literal that an attribute names: the macro knows the literal, and the
//! compiler alone the type.

use super::scanner::{Scanner, same};

/// A literal of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    /// A text as it stands in JSON, and how many characters it has.
    Text(&'static str, usize),
    /// A whole number.
    Whole(i128),
    /// Any other number.
    Float(f64),
    /// `true` or `false`.
    Boolean,
}

/// Whether the one member of an object, given its schema, can be the literal. What is not plain is
/// taken.
#[must_use]
pub const fn takes(object: &str, given: &Given) -> bool {
    match member(object) {
        Some((scanner, at)) => fits(&scanner, at, given),
        None => true,
    }
}

/// Whether the literal, a bound, lies within what the one member of an object can be. A bound of what
/// is no number is for others to refuse.
#[must_use]
pub const fn bounds(object: &str, given: &Given) -> bool {
    let Some((scanner, at)) = member(object) else {
        return true;
    };
    let found = keywords(&scanner, at);
    !scanner.has_type(found.kind, "\"integer\"") || fits(&scanner, at, given)
}

/// Where the schema of the first member is.
const fn member(object: &str) -> Option<(Scanner<'_>, usize)> {
    let scanner = Scanner::new(object);
    let mut at = scanner.spaces(1);
    while scanner.byte(at) == b'"' {
        let value = scanner.value_of(at);
        if same(scanner.string(at).as_bytes(), b"properties") {
            let name = scanner.spaces(value + 1);
            if scanner.byte(name) != b'"' {
                return None;
            }
            let schema = scanner.value_of(name);
            return Some((scanner, schema));
        }
        at = scanner.next(value);
    }
    None
}

/// Where the values of the keywords stand that matter, 0 for what is absent.
#[derive(Clone, Copy)]
struct Keywords {
    kind: usize,
    minimum: usize,
    maximum: usize,
    shortest: usize,
    longest: usize,
    values: usize,
    choices: usize,
    is_reference: bool,
}

const fn keywords(scanner: &Scanner<'_>, object: usize) -> Keywords {
    let mut found = Keywords {
        kind: 0,
        minimum: 0,
        maximum: 0,
        shortest: 0,
        longest: 0,
        values: 0,
        choices: 0,
        is_reference: false,
    };
    if scanner.byte(object) != b'{' {
        return found;
    }
    let mut at = scanner.spaces(object + 1);
    while scanner.byte(at) == b'"' {
        let value = scanner.value_of(at);
        match scanner.string(at).as_bytes() {
            b"type" => found.kind = value,
            b"minimum" => found.minimum = value,
            b"maximum" => found.maximum = value,
            b"minLength" => found.shortest = value,
            b"maxLength" => found.longest = value,
            b"enum" => found.values = value,
            b"anyOf" | b"oneOf" => found.choices = value,
            b"$ref" => found.is_reference = true,
            _ => {}
        }
        at = scanner.next(value);
    }
    found
}

const fn fits(scanner: &Scanner<'_>, at: usize, given: &Given) -> bool {
    let found = keywords(scanner, at);
    if found.choices > 0 {
        let mut at = scanner.spaces(found.choices + 1);
        while scanner.byte(at) == b'{' {
            if fits(scanner, at, given) {
                return true;
            }
            at = scanner.next(at);
        }
        return false;
    }
    if found.kind == 0 || found.is_reference {
        return true;
    }
    let is_number = scanner.has_type(found.kind, "\"number\"");
    let is_integer = scanner.has_type(found.kind, "\"integer\"");
    match given {
        Given::Text(json, characters) => {
            if !scanner.has_type(found.kind, "\"string\"") {
                return false;
            }
            let count = *characters as i128;
            let shortest = number(scanner, found.shortest);
            let longest = number(scanner, found.longest);
            let is_short = matches!(shortest, Some(least) if count < least);
            let is_long = matches!(longest, Some(most) if count > most);
            !is_short && !is_long && (found.values == 0 || holds(scanner, found.values, json))
        }
        Given::Whole(whole) => {
            let minimum = number(scanner, found.minimum);
            let maximum = number(scanner, found.maximum);
            let is_less = matches!(minimum, Some(least) if *whole < least);
            let is_more = matches!(maximum, Some(most) if *whole > most);
            (is_number || is_integer) && !is_less && !is_more
        }
        Given::Float(float) => is_number || (is_integer && is_whole(*float)),
        Given::Boolean => scanner.has_type(found.kind, "\"boolean\""),
    }
}

/// Whether a number that was written with a point is a whole one.
const fn is_whole(float: f64) -> bool {
    // Beyond 2^53 all are, and the conversion keeps to its bounds.
    (float as i128) as f64 == float
}

/// Whether a list of texts holds one.
const fn holds(scanner: &Scanner<'_>, list: usize, json: &str) -> bool {
    let (_, quoted) = json.split_at(1);
    let (text, _) = quoted.split_at(quoted.len() - 1);
    let mut at = scanner.spaces(list + 1);
    while scanner.byte(at) == b'"' {
        if same(scanner.string(at).as_bytes(), text.as_bytes()) {
            return true;
        }
        at = scanner.next(at);
    }
    false
}

/// The whole number at a place, if there is one and it is not too large.
const fn number(scanner: &Scanner<'_>, at: usize) -> Option<i128> {
    if at == 0 {
        return None;
    }
    let is_negative = scanner.byte(at) == b'-';
    let mut place = at + is_negative as usize;
    let mut number: i128 = 0;
    while scanner.byte(place).is_ascii_digit() {
        let digit = (scanner.byte(place) - b'0') as i128;
        number = match number.checked_mul(10) {
            Some(tenfold) => match tenfold.checked_add(digit) {
                Some(sum) => sum,
                None => return None,
            },
            None => return None,
        };
        place += 1;
    }
    if matches!(scanner.byte(place), b'.' | b'e' | b'E') {
        return None;
    }
    Some(if is_negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::{Given, bounds, takes};

    fn of(schema: &str) -> String {
        format!(r#"{{"type":"object","properties":{{"x":{schema}}},"required":["x"]}}"#)
    }

    #[test]
    fn a_literal_is_taken_where_the_schema_takes_it() {
        let byte = of(r#"{"type":"integer","minimum":0,"maximum":255}"#);
        let text = of(r#"{"type":["string","null"],"minLength":1,"maxLength":1}"#);
        let choice = of(r#"{"type":"string","enum":["a","b\"c"]}"#);
        let any = of(r#"{"anyOf":[{"type":"boolean"},{"type":"number"}]}"#);
        for (schema, given, wanted) in [
            (&byte, Given::Whole(255), true),
            (&byte, Given::Whole(256), false),
            (&byte, Given::Whole(-1), false),
            (&byte, Given::Float(2.0), true),
            (&byte, Given::Float(0.5), false),
            (&byte, Given::Text("\"z\"", 1), false),
            (&byte, Given::Boolean, false),
            (&text, Given::Text("\"z\"", 1), true),
            (&text, Given::Text("\"zz\"", 2), false),
            (&text, Given::Text("\"\"", 0), false),
            (&choice, Given::Text("\"b\\\"c\"", 3), true),
            (&choice, Given::Text("\"c\"", 1), false),
            (&any, Given::Boolean, true),
            (&any, Given::Float(0.5), true),
            (&any, Given::Text("\"c\"", 1), false),
            (&of("{}"), Given::Boolean, true),
            (&of(r##"{"$ref":"#/$defs/X"}"##), Given::Boolean, true),
        ] {
            assert_eq!(takes(schema, &given), wanted, "{schema} {given:?}");
        }
    }

    #[test]
    fn a_bound_is_judged_for_whole_numbers_alone() {
        let byte = of(r#"{"type":"integer","minimum":0,"maximum":255}"#);
        assert!(bounds(&byte, &Given::Whole(255)));
        assert!(!bounds(&byte, &Given::Whole(300)));
        assert!(!bounds(&byte, &Given::Float(0.5)));
        assert!(bounds(&of(r#"{"type":"number"}"#), &Given::Float(0.5)));
        assert!(bounds(&of(r#"{"type":"string"}"#), &Given::Whole(5)));
        assert!(bounds("{}", &Given::Whole(5)));
    }
}
