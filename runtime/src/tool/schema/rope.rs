//! Strings put together by the compiler.
//!
//! An associated constant of a generic type cannot be concatenated with text on stable Rust, since
//! the length of an array may not depend on a type parameter. A rope needs no length: it is a tree
//! of pieces, and only the tool at the end, which is concrete, measures and flattens it.

use super::Schema;

/// A part of a schema's text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Piece {
    /// Text, as it is.
    Text(&'static str),
    /// A number, in decimal digits.
    Number(u64),
    /// A whole schema with its own description.
    Schema(&'static Schema),
    /// A whole schema as a member of an object: a description (JSON text without quotes, may be
    /// empty) replaces the type's own, and an optional value is not said to be nullable.
    Member(&'static Schema, &'static str),
    /// The keywords of a schema without braces and without description.
    Keywords(&'static Schema),
    /// The `required` keyword with its leading comma, or nothing if no member is required.
    Required(&'static [Required]),
}

/// The name of a member (JSON text without quotes), and the schema that decides whether it may be
/// left out.
#[derive(Clone, Copy, Debug)]
pub struct Required {
    name: &'static str,
    optional: bool,
}

impl Required {
    /// A member that is required unless its schema is optional.
    #[must_use]
    pub const fn new(name: &'static str, schema: &Schema) -> Self {
        Self {
            name,
            optional: schema.is_optional(),
        }
    }

    /// A member that may be left out whatever its schema says.
    #[must_use]
    pub const fn never(name: &'static str) -> Self {
        Self {
            name,
            optional: true,
        }
    }
}

/// Measures, or writes: the same walk does both, so the two cannot disagree.
struct Sink<'a> {
    out: Option<&'a mut [u8]>,
    at: usize,
}

impl Sink<'_> {
    const fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if let Some(out) = &mut self.out {
            let (_, rest) = out.split_at_mut(self.at);
            let (place, _) = rest.split_at_mut(bytes.len());
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    const fn number(&mut self, number: u64) {
        if number >= 10 {
            self.number(number / 10);
        }
        const DIGITS: &str = "0123456789";
        let digit = (number % 10) as usize;
        let (_, from) = DIGITS.split_at(digit);
        let (digit, _) = from.split_at(1);
        self.text(digit);
    }

    const fn pieces(&mut self, pieces: &[Piece]) {
        let mut rest = pieces;
        while let [piece, tail @ ..] = rest {
            self.piece(piece);
            rest = tail;
        }
    }

    const fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Number(number) => self.number(*number),
            Piece::Schema(schema) => self.schema(schema, ""),
            Piece::Member(schema, doc) => self.schema(schema.as_member(), doc),
            Piece::Keywords(schema) => self.pieces(schema.keywords),
            Piece::Required(members) => self.required(members),
        }
    }

    const fn schema(&mut self, schema: &Schema, doc: &str) {
        let doc = if doc.is_empty() { schema.doc } else { doc };
        self.text("{");
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
        self.text("}");
    }

    const fn required(&mut self, members: &[Required]) {
        let mut lead = ",\"required\":[\"";
        let mut rest = members;
        while let [member, tail @ ..] = rest {
            if !member.optional {
                self.text(lead);
                self.text(member.name);
                lead = "\",\"";
            }
            rest = tail;
        }
        if lead.len() == 3 {
            self.text("\"]");
        }
    }
}

/// The length of a schema's text in bytes.
#[must_use]
pub const fn measure(schema: &Schema) -> usize {
    let mut sink = Sink { out: None, at: 0 };
    sink.schema(schema, "");
    sink.at
}

/// The text of a schema as bytes. `N` must be what [`measure`] says.
#[must_use]
pub const fn flatten<const N: usize>(schema: &Schema) -> [u8; N] {
    let mut bytes = [b' '; N];
    let mut sink = Sink {
        out: Some(&mut bytes),
        at: 0,
    };
    sink.schema(schema, "");
    bytes
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
