//! Strings put together by the compiler.
//!
//! An associated constant of a generic type cannot be concatenated with text on stable Rust, since
//! the length of an array may not depend on a type parameter. A rope needs no length: it is a tree
//! of pieces, and only the tool at the end, which is concrete, measures and flattens it.

use super::{
    Defs, Schema,
    piece::{Length, Limits, Member, Piece},
    refs::Refs,
};

/// The length of a schema's text in bytes.
#[must_use]
pub const fn measure(schema: &'static Schema, defs: &Defs) -> usize {
    let mut sink = Sink {
        out: None,
        at: 0,
        refs: Refs::of(schema, defs),
    };
    sink.root(schema);
    sink.at
}

/// The text of a schema as bytes. `N` must be what [`measure`] says.
#[must_use]
pub const fn flatten<const N: usize>(schema: &'static Schema, defs: &Defs) -> [u8; N] {
    let mut bytes = [b' '; N];
    let mut sink = Sink {
        out: Some(&mut bytes),
        at: 0,
        refs: Refs::of(schema, defs),
    };
    sink.root(schema);
    bytes
}

/// The text of a schema, for one that is known only when the program runs. It takes at most `most`
/// bytes, as [`measure`] says.
pub(crate) fn render(schema: &'static Schema, defs: &Defs, most: usize) -> String {
    let mut bytes = vec![b' '; most];
    let mut sink = Sink {
        out: Some(&mut bytes),
        at: 0,
        refs: Refs::of(schema, defs),
    };
    sink.root(schema);
    let length = sink.at;
    bytes.truncate(length);
    // Every piece is text, so the whole is.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The flattened bytes as text.
///
/// # Panics
///
/// When the compiler evaluates it, if the bytes are not UTF-8: every piece is text, so they are.
#[must_use]
pub const fn to_text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a schema is made of text"),
    }
}

/// Measures, or writes: the same walk does both, so the two cannot disagree.
struct Sink<'a> {
    /// What is not written yet.
    out: Option<&'a mut [u8]>,
    /// How much is.
    at: usize,
    refs: Refs,
}

impl Sink<'_> {
    const fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        // The compiler interprets this: what is written is cut off, which takes one step where a
        // position in the whole would take two.
        if let Some(out) = self.out.take() {
            let (place, rest) = out.split_at_mut(bytes.len());
            place.copy_from_slice(bytes);
            self.out = Some(rest);
        }
        self.at += bytes.len();
    }

    const fn number(&mut self, number: u64) {
        if number >= 10 {
            self.number(number / 10);
        }
        let (_, from) = "0123456789".split_at((number % 10) as usize);
        let (digit, _) = from.split_at(1);
        self.text(digit);
    }

    /// The schema of all arguments, which holds the definitions.
    const fn root(&mut self, schema: &Schema) {
        self.text("{");
        self.pieces(schema.keywords);
        if self.refs.count() > 0 {
            self.text(",\"$defs\":{");
            let mut index = 0;
            while index < self.refs.count() {
                if index > 0 {
                    self.text(",");
                }
                self.text("\"");
                self.def_name(index);
                self.text("\":");
                self.body(self.refs.definition(index), "", Limits::NONE);
                index += 1;
            }
            self.text("}");
        }
        self.text("}");
    }

    const fn def_name(&mut self, index: usize) {
        let (name, number) = self.refs.name(index);
        self.text(name);
        if number > 1 {
            self.number(number);
        }
    }

    const fn pieces(&mut self, pieces: &[Piece]) {
        let mut rest = pieces;
        while let [piece, tail @ ..] = rest {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Number(number) => self.number(*number),
                Piece::Schema(schema) => self.schema(schema, "", Limits::NONE),
                Piece::Object(members) => self.object(members),
                Piece::Map(values) => {
                    self.text("\"type\":\"object\",\"additionalProperties\":");
                    self.schema(values, "", Limits::NONE);
                }
                Piece::Ref(identity) => {
                    if let Some(index) = self.refs.place(identity) {
                        self.reference(index);
                    }
                }
            }
            rest = tail;
        }
    }

    const fn reference(&mut self, index: usize) {
        self.text("\"$ref\":\"#/$defs/");
        self.def_name(index);
        self.text("\"");
    }

    /// A schema, or a reference to it where it is a definition.
    const fn schema(&mut self, schema: &Schema, doc: &str, limits: Limits) {
        if let Some(identity) = schema.identity
            && let Some(index) = self.refs.place(identity)
        {
            self.text("{");
            if !doc.is_empty() {
                self.text("\"description\":\"");
                self.text(doc);
                self.text("\",");
            }
            self.reference(index);
            self.text("}");
        } else {
            self.body(schema, doc, limits);
        }
    }

    const fn body(&mut self, schema: &Schema, doc: &str, limits: Limits) {
        let doc = if doc.is_empty() { schema.doc } else { doc };
        self.text("{");
        let start = self.at;
        if !doc.is_empty() || !schema.notes.is_empty() {
            self.text("\"description\":\"");
            self.text(doc);
            if !doc.is_empty() && !schema.notes.is_empty() {
                self.text("\\n");
            }
            self.text(schema.notes);
            self.text(if schema.keywords.is_empty() {
                "\""
            } else {
                "\","
            });
        }
        self.pieces(schema.keywords);
        self.limits(&limits.or(schema.limits), self.at > start);
        self.text("}");
    }

    const fn limits(&mut self, limits: &Limits, comma: bool) {
        let (least, most) = match limits.length {
            Length::Characters => ("\"minLength\":", "\"maxLength\":"),
            Length::Items => ("\"minItems\":", "\"maxItems\":"),
            Length::Properties => ("\"minProperties\":", "\"maxProperties\":"),
        };
        let mut comma = comma;
        comma = self.keyword("\"minimum\":", limits.minimum, comma);
        comma = self.keyword("\"maximum\":", limits.maximum, comma);
        comma = self.keyword(least, limits.shortest, comma);
        comma = self.keyword(most, limits.longest, comma);
        comma = self.ready(limits.pattern, comma);
        self.ready(limits.rest, comma);
    }

    /// Writes keywords that have their leading comma.
    const fn ready(&mut self, keywords: &str, comma: bool) -> bool {
        if keywords.is_empty() {
            return comma;
        }
        let (lead, rest) = keywords.split_at(1);
        if comma {
            self.text(lead);
        }
        self.text(rest);
        true
    }

    const fn keyword(&mut self, key: &str, value: &str, comma: bool) -> bool {
        if value.is_empty() {
            return comma;
        }
        if comma {
            self.text(",");
        }
        self.text(key);
        self.text(value);
        true
    }

    const fn object(&mut self, members: &[Member]) {
        self.text("\"type\":\"object\",\"properties\":{");
        self.properties(members, true);
        self.text("}");
        if self.required(members, true) > 0 {
            self.text("]");
        }
        self.text(",\"additionalProperties\":");
        if !self.other_members(members) {
            self.text("false");
        }
    }

    /// Writes the members; says whether the next one is still the first.
    const fn properties(&mut self, members: &[Member], first: bool) -> bool {
        let mut first = first;
        let mut rest = members;
        while let [member, tail @ ..] = rest {
            if member.name.is_empty() {
                if let Flat::Object(members) = Flat::of(member.schema) {
                    first = self.properties(members, first);
                }
            } else {
                self.text(if first { "\"" } else { ",\"" });
                self.text(member.name);
                self.text("\":");
                self.schema(member.schema.as_member(), member.doc, member.limits);
                first = false;
            }
            rest = tail;
        }
        first
    }

    /// Writes the names of the members that must be there, and says how many there are.
    const fn required(&mut self, members: &[Member], first: bool) -> usize {
        let mut count = 0;
        let mut rest = members;
        while let [member, tail @ ..] = rest {
            let first = first && count == 0;
            if member.name.is_empty() {
                if let Flat::Object(members) = Flat::of(member.schema) {
                    count += self.required(members, first);
                }
            } else if member.is_required() {
                self.text(if first { ",\"required\":[\"" } else { ",\"" });
                self.text(member.name);
                self.text("\"");
                count += 1;
            }
            rest = tail;
        }
        count
    }

    /// Writes the schema of members of any other name, if there may be such.
    const fn other_members(&mut self, members: &[Member]) -> bool {
        let mut rest = members;
        while let [member, tail @ ..] = rest {
            if member.name.is_empty() {
                match Flat::of(member.schema) {
                    Flat::Object(members) => {
                        if self.other_members(members) {
                            return true;
                        }
                    }
                    Flat::Map(values) => {
                        if values.is_any() {
                            self.text("true");
                        } else {
                            self.schema(values, "", Limits::NONE);
                        }
                        return true;
                    }
                    Flat::Neither => {}
                }
            }
            rest = tail;
        }
        false
    }
}

/// What a type brings when it is flattened.
pub(super) enum Flat {
    Object(&'static [Member]),
    Map(&'static Schema),
    Neither,
}

impl Flat {
    pub(super) const fn of(schema: &Schema) -> Flat {
        match schema.keywords {
            [Piece::Object(members)] => Flat::Object(members),
            [Piece::Map(values)] => Flat::Map(values),
            _ => Flat::Neither,
        }
    }
}
