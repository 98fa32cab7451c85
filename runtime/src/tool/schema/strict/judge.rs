//! The walk over a schema that judges it.

use super::misfit::Misfit;
use crate::tool::schema::scanner::{Scanner, same};

/// The most levels within each other.
const DEEPEST: usize = 10;
const MOST_PROPERTIES: usize = 5000;
const MOST_ENUM_VALUES: usize = 1000;
const MOST_CHARACTERS: usize = 120_000;
/// Beyond so many values, the texts of one enum are limited too.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARACTERS: usize = 15_000;
/// The longest path that is named in full: two steps a level.
pub(super) const LONGEST_PATH: usize = 2 * DEEPEST + 4;

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

/// What keeps the text of a schema out of strict mode.
#[must_use]
pub(crate) const fn misfit(schema: &str) -> Option<Misfit<'_>> {
    let mut judge = Judge::new(schema);
    judge.schema(judge.text.spaces(0), 0);
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

struct Judge<'a> {
    text: Scanner<'a>,
    path: [&'a str; LONGEST_PATH],
    depth: usize,
    properties: usize,
    enum_values: usize,
    characters: usize,
    reason: Option<&'static str>,
}

impl<'a> Judge<'a> {
    const fn new(text: &'a str) -> Judge<'a> {
        Judge {
            text: Scanner::new(text),
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
        if self.text.byte(at) != b'{' {
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
        if self.text.has_type(found.kind, "\"object\"") && !combined {
            if found.properties == 0 {
                return self.fail("takes members of any name");
            }
            if found.additional > 0 && self.text.byte(found.additional) != b'f' {
                return self.fail("takes members of any name, as a map does");
            }
        }
        if self.text.has_type(found.kind, "\"array\"") && found.items == 0 {
            return self.fail("is a list of anything");
        }
        if found.values > 0 {
            self.values(found.values);
        }
        if found.constant > 0 {
            self.characters += self.text.end(found.constant) - found.constant;
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
        let mut at = self.text.spaces(object + 1);
        while self.text.byte(at) == b'"' {
            let key = self.text.string(at);
            let value = self.text.value_of(at);
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
            at = self.text.next(value);
        }
        found
    }

    /// Schemas by name.
    const fn named(&mut self, object: usize, level: usize, are_members: bool) {
        let mut at = self.text.spaces(object + 1);
        while self.text.byte(at) == b'"' && self.reason.is_none() {
            let name = self.text.string(at);
            let value = self.text.value_of(at);
            self.characters += name.len();
            self.properties += are_members as usize;
            self.enter(name);
            self.schema(value, level);
            self.leave();
            at = self.text.next(value);
        }
    }

    const fn choices(&mut self, array: usize, level: usize) {
        let mut at = self.text.spaces(array + 1);
        while !self.text.is_over(at) && self.text.byte(at) != b']' && self.reason.is_none() {
            self.schema(at, level);
            at = self.text.next(at);
        }
    }

    const fn values(&mut self, array: usize) {
        let (mut count, mut characters) = (0, 0);
        let mut at = self.text.spaces(array + 1);
        while !self.text.is_over(at) && self.text.byte(at) != b']' {
            if self.text.byte(at) == b'"' {
                characters += self.text.string(at).len();
            }
            count += 1;
            at = self.text.next(at);
        }
        if count > LARGE_ENUM && characters > LARGE_ENUM_CHARACTERS {
            self.fail("is an enum with more than 250 values of more than 15,000 characters");
        }
        self.enum_values += count;
        self.characters += characters;
    }
}
