//! Whether OpenAI's strict mode can say a schema, judged by the compiler for `#[tool(strict)]` and when
//! an agent is built for tools made at run time. One walk over the text does both.

/// The most levels within each other.
const DEEPEST: usize = 10;
const MOST_PROPERTIES: usize = 5000;
const MOST_ENUM_VALUES: usize = 1000;
const MOST_CHARACTERS: usize = 120_000;
/// Beyond so many values, the texts of one enum are limited too.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARACTERS: usize = 15_000;
/// The longest path that is named in full: two steps a level.
const LONGEST_PATH: usize = 2 * DEEPEST + 4;
/// The most bytes of a message.
const LONGEST_MESSAGE: usize = 400;

/// Keywords that strict mode does not know and that must not be lost, with what they make of a value.
const UNSAYABLE: &[(&str, &str)] = &[
    ("prefixItems", "is a tuple, whose items differ in type"),
    ("allOf", "has to fit several schemas at once (`allOf`)"),
    ("not", "excludes something (`not`)"),
    ("if", "depends on a condition (`if`)"),
    ("then", "depends on a condition (`then`)"),
    ("else", "depends on a condition (`else`)"),
    ("dependentRequired", "depends on other members"),
    ("dependentSchemas", "depends on other members"),
    ("patternProperties", "takes members of any name"),
    ("propertyNames", "takes members of any name"),
    ("contains", "says what a list contains (`contains`)"),
    ("unevaluatedProperties", "takes members of any name"),
];

/// What keeps a schema out of strict mode, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit<'a> {
    /// The members on the way, as they stand in the text; `[]` for the items of a list.
    path: [&'a str; LONGEST_PATH],
    depth: usize,
    reason: &'static str,
}

/// What keeps the text of a schema out of strict mode.
#[must_use]
pub(crate) const fn misfit(schema: &str) -> Option<Misfit<'_>> {
    let mut judge = Judge::new(schema);
    judge.schema(judge.spaces(0), 0);
    if judge.reason.is_none() {
        judge.depth = 0;
        if judge.properties > MOST_PROPERTIES {
            judge.reason = Some("has more than 5,000 members, all levels together");
        } else if judge.enum_values > MOST_ENUM_VALUES {
            judge.reason = Some("has more than 1,000 enum values, all levels together");
        } else if judge.characters > MOST_CHARACTERS {
            judge.reason = Some("has names and enum values of more than 120,000 characters");
        }
    }
    match judge.reason {
        Some(reason) => Some(Misfit {
            path: judge.path,
            depth: judge.depth,
            reason,
        }),
        None => None,
    }
}

/// Makes sure that strict mode can say a schema.
///
/// # Panics
///
/// When the compiler evaluates it, if it cannot; the message names the parameter or field.
#[track_caller]
pub const fn assert_strict(schema: &str) {
    if let Some(misfit) = misfit(schema) {
        let mut message = Message {
            bytes: [b' '; LONGEST_MESSAGE],
            length: 0,
        };
        misfit.write(&mut message);
        let (text, _) = message.bytes.split_at(message.length);
        match core::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("`strict` asks for more than OpenAI's strict mode can say"),
        }
    }
}

/// A text that is put together by the compiler.
struct Message {
    bytes: [u8; LONGEST_MESSAGE],
    length: usize,
}

impl Message {
    /// Adds a text, if there is room for all of it: half a character would be none.
    const fn push(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        if self.length + rest.len() > LONGEST_MESSAGE {
            return;
        }
        while let [byte, tail @ ..] = rest {
            self.bytes[self.length] = *byte;
            self.length += 1;
            rest = tail;
        }
    }
}

impl Misfit<'_> {
    const fn write(&self, message: &mut Message) {
        message.push("`strict` asks for more than OpenAI's strict mode can say: ");
        if self.depth == 0 {
            message.push("the schema ");
        } else {
            message.push("`");
            let mut step = 0;
            while step < self.depth {
                if step > 0 && !matches!(self.path[step].as_bytes(), b"[]") {
                    message.push(".");
                }
                message.push(self.path[step]);
                step += 1;
            }
            message.push("` ");
        }
        message.push(self.reason);
    }
}

impl core::fmt::Display for Misfit<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut message = Message {
            bytes: [b' '; LONGEST_MESSAGE],
            length: 0,
        };
        self.write(&mut message);
        let text = message.bytes.get(..message.length).unwrap_or_default();
        f.write_str(&String::from_utf8_lossy(text))
    }
}

/// What is looked for in one schema: where the values stand, 0 for what is absent.
#[derive(Clone, Copy)]
struct Keywords {
    kind: usize,
    properties: usize,
    additional: usize,
    items: usize,
    any_of: usize,
    one_of: usize,
    values: usize,
    constant: usize,
    reference: usize,
    definitions: usize,
}

pub(super) struct Judge<'a> {
    text: &'a str,
    bytes: &'a [u8],
    path: [&'a str; LONGEST_PATH],
    depth: usize,
    properties: usize,
    enum_values: usize,
    characters: usize,
    reason: Option<&'static str>,
}

impl<'a> Judge<'a> {
    pub(super) const fn new(text: &'a str) -> Judge<'a> {
        Judge {
            text,
            bytes: text.as_bytes(),
            path: [""; LONGEST_PATH],
            depth: 0,
            properties: 0,
            enum_values: 0,
            characters: 0,
            reason: None,
        }
    }

    const fn fail(&mut self, reason: &'static str) {
        if self.reason.is_none() {
            self.reason = Some(reason);
        }
    }

    const fn enter(&mut self, name: &'a str) {
        if self.depth < LONGEST_PATH {
            self.path[self.depth] = name;
        }
        self.depth += 1;
    }

    /// Goes back, unless this is the place of a misfit.
    const fn leave(&mut self) {
        if self.reason.is_none() {
            self.depth -= 1;
        } else if self.depth > LONGEST_PATH {
            self.depth = LONGEST_PATH;
        }
    }

    /// Judges the schema at a place.
    const fn schema(&mut self, at: usize, level: usize) {
        if self.byte(at) != b'{' {
            return self.fail("takes any value");
        }
        if level > DEEPEST {
            return self.fail("lies more than 10 levels deep");
        }
        let found = self.keywords(at);
        if self.reason.is_some() || found.reference > 0 {
            return;
        }
        let combined = found.any_of > 0 || found.one_of > 0;
        if found.kind == 0 && !combined && found.values == 0 && found.constant == 0 {
            return self.fail("takes any value");
        }
        if self.has_type(found.kind, "\"object\"") && !combined {
            if found.properties == 0 {
                return self.fail("takes members of any name");
            }
            if found.additional > 0 && self.byte(found.additional) != b'f' {
                return self.fail("takes members of any name, as a map does");
            }
        }
        if self.has_type(found.kind, "\"array\"") && found.items == 0 {
            return self.fail("is a list of anything");
        }
        if found.values > 0 {
            self.values(found.values);
        }
        if found.constant > 0 {
            self.characters += self.end(found.constant) - found.constant;
        }
        if found.properties > 0 {
            self.named(found.properties, level + 1, true);
        }
        if found.items > 0 {
            self.enter("[]");
            self.schema(found.items, level + 1);
            self.leave();
        }
        if found.any_of > 0 {
            self.choices(found.any_of, level);
        }
        if found.one_of > 0 {
            self.choices(found.one_of, level);
        }
        if found.definitions > 0 {
            self.named(found.definitions, 1, false);
        }
    }

    const fn keywords(&mut self, object: usize) -> Keywords {
        let mut found = Keywords {
            kind: 0,
            properties: 0,
            additional: 0,
            items: 0,
            any_of: 0,
            one_of: 0,
            values: 0,
            constant: 0,
            reference: 0,
            definitions: 0,
        };
        let mut at = self.spaces(object + 1);
        while self.byte(at) == b'"' {
            let key = self.string(at);
            let value = self.value_of(at);
            match key.as_bytes() {
                b"type" => found.kind = value,
                b"properties" => found.properties = value,
                b"additionalProperties" => found.additional = value,
                b"items" => found.items = value,
                b"anyOf" => found.any_of = value,
                b"oneOf" => found.one_of = value,
                b"enum" => found.values = value,
                b"const" => found.constant = value,
                b"$ref" => found.reference = value,
                b"$defs" | b"definitions" => found.definitions = value,
                key => {
                    let mut rest = UNSAYABLE;
                    while let [(unsayable, reason), tail @ ..] = rest {
                        if same(key, unsayable.as_bytes()) {
                            self.fail(reason);
                        }
                        rest = tail;
                    }
                }
            }
            at = self.next(value);
        }
        found
    }

    /// Schemas by name.
    const fn named(&mut self, object: usize, level: usize, are_members: bool) {
        let mut at = self.spaces(object + 1);
        while self.byte(at) == b'"' && self.reason.is_none() {
            let name = self.string(at);
            let value = self.value_of(at);
            self.characters += name.len();
            self.properties += are_members as usize;
            self.enter(name);
            self.schema(value, level);
            self.leave();
            at = self.next(value);
        }
    }

    const fn choices(&mut self, array: usize, level: usize) {
        let mut at = self.spaces(array + 1);
        while at < self.bytes.len() && self.byte(at) != b']' && self.reason.is_none() {
            self.schema(at, level);
            at = self.next(at);
        }
    }

    const fn values(&mut self, array: usize) {
        let (mut count, mut characters) = (0, 0);
        let mut at = self.spaces(array + 1);
        while at < self.bytes.len() && self.byte(at) != b']' {
            if self.byte(at) == b'"' {
                characters += self.string(at).len();
            }
            count += 1;
            at = self.next(at);
        }
        if count > LARGE_ENUM && characters > LARGE_ENUM_CHARACTERS {
            self.fail("is an enum with more than 250 values of more than 15,000 characters");
        }
        self.enum_values += count;
        self.characters += characters;
    }

    /// Whether `type`, a text or a list of texts, names a type.
    pub(super) const fn has_type(&self, at: usize, quoted: &str) -> bool {
        if at == 0 {
            return false;
        }
        let end = self.end(at);
        let mut start = at;
        while start + quoted.len() <= end {
            let (_, rest) = self.bytes.split_at(start);
            let (word, _) = rest.split_at(quoted.len());
            if same(word, quoted.as_bytes()) {
                return true;
            }
            start += 1;
        }
        false
    }

    /// The byte at a place, 0 behind the end.
    pub(super) const fn byte(&self, at: usize) -> u8 {
        if at < self.bytes.len() {
            self.bytes[at]
        } else {
            0
        }
    }

    pub(super) const fn spaces(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\n' | b'\r' | b'\t') {
            at += 1;
        }
        at
    }

    /// The text that starts at a place, without its quotes and as it is written.
    pub(super) const fn string(&self, at: usize) -> &'a str {
        let end = self.end(at);
        // What is cut off has no closing quote.
        if end < at + 2 || self.byte(end - 1) != b'"' {
            return "";
        }
        let (before, _) = self.text.split_at(end - 1);
        let (_, inside) = before.split_at(at + 1);
        inside
    }

    /// Where the value of the key at a place starts.
    pub(super) const fn value_of(&self, key: usize) -> usize {
        self.spaces(self.spaces(self.end(key)) + 1)
    }

    /// What comes after a value and its comma.
    pub(super) const fn next(&self, value: usize) -> usize {
        let at = self.spaces(self.end(value));
        if self.byte(at) == b',' {
            self.spaces(at + 1)
        } else {
            at
        }
    }

    /// The end of the value at a place.
    pub(super) const fn end(&self, mut at: usize) -> usize {
        let mut open = 0;
        loop {
            match self.byte(at) {
                0 => return self.bytes.len(),
                b'"' => {
                    at += 1;
                    while !matches!(self.byte(at), b'"' | 0) {
                        at += if self.byte(at) == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' if open > 1 => open -= 1,
                b'}' | b']' if open == 1 => return at + 1,
                b'}' | b']' | b',' if open == 0 => return at,
                _ => {}
            }
            at += 1;
            if open == 0 && matches!(self.byte(at - 1), b'"') {
                return at;
            }
        }
    }
}

pub(super) const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    while let ([x, a_tail @ ..], [y, b_tail @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        a = a_tail;
        b = b_tail;
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::misfit;

    fn says(property: serde_json::Value) -> String {
        let schema = json!({"type": "object", "properties": {"x": property}, "required": ["x"]});
        misfit(&schema.to_string()).map_or(String::new(), |misfit| misfit.to_string())
    }

    #[test]
    fn what_strict_mode_cannot_say_is_named() {
        for (property, wanted) in [
            (json!({"type": "string"}), ""),
            (
                json!({"type": ["array", "null"], "items": {"type": "string"}}),
                "",
            ),
            (json!({"$ref": "#/$defs/X"}), ""),
            (
                json!({"type": "object", "properties": {"]}\"{": {"enum": ["a", 1]}}}),
                "",
            ),
            (json!({}), "`x` takes any value"),
            (json!(true), "`x` takes any value"),
            (json!({"type": "array"}), "`x` is a list of anything"),
            (json!({"type": "object"}), "`x` takes members of any name"),
            (
                json!({"type": "array", "items": {"type": "object", "properties": {"y": {
                    "type": "object", "properties": {}, "additionalProperties": {"type": "string"}
                }}}}),
                "`x[].y` takes members of any name, as a map does",
            ),
            (
                json!({"anyOf": [{"type": "null"}, {"type": "array", "prefixItems": []}]}),
                "`x` is a tuple, whose items differ in type",
            ),
            (
                json!({"type": "integer", "not": {"const": 0}}),
                "`x` excludes something (`not`)",
            ),
        ] {
            let said = says(property.clone());
            assert!(said.ends_with(wanted), "{property}: {said}");
            assert_eq!(said.is_empty(), wanted.is_empty(), "{property}: {said}");
        }
    }

    #[test]
    fn what_is_too_large_is_named() {
        let mut deep = json!({"type": "string"});
        for _ in 0..12 {
            deep = json!({"type": "array", "items": deep});
        }
        assert!(says(deep).ends_with("lies more than 10 levels deep"));
        let values: Vec<String> = (0..1001).map(|number| number.to_string()).collect();
        assert!(says(json!({"enum": values})).contains("more than 1,000 enum values"));
        let values: Vec<String> = (0..251).map(|number| format!("{number:060}")).collect();
        assert!(says(json!({"enum": values})).contains("250 values"));
    }

    #[test]
    fn what_is_cut_off_is_read_to_its_end() {
        let schema =
            json!({"type": "object", "properties": {"x": {"anyOf": [{"enum": ["\\\"a"]}]}}});
        let text = schema.to_string();
        for end in 0..text.len() {
            let _ = misfit(&text[..end]);
        }
    }
}
