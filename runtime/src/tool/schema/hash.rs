//! A number that stands for a schema, worked out by the compiler.

use super::{
    Schema,
    piece::{Limits, Piece},
};
use crate::fnv::Fnv;

/// The hash of what was fed in so far.
#[derive(Clone, Copy)]
pub(super) struct Hash {
    fnv: Fnv,
    /// Whether descriptions count.
    docs: bool,
}

impl Hash {
    /// Of all that a schema says.
    pub(super) const fn new() -> Self {
        Hash {
            fnv: Fnv::new(),
            docs: true,
        }
    }

    /// Of what a schema says about values.
    pub(super) const fn of_values() -> Self {
        Hash {
            docs: false,
            ..Hash::new()
        }
    }

    pub(super) const fn is(self, other: Hash) -> bool {
        self.fnv.get() == other.fnv.get()
    }

    /// Feeds a text and its end.
    pub(super) const fn text(self, text: &str) -> Self {
        let fnv = self.fnv.text(text);
        Hash { fnv, ..self }.byte(0)
    }

    const fn byte(self, byte: u8) -> Self {
        let fnv = self.fnv.byte(byte);
        Hash { fnv, ..self }
    }

    /// Feeds all that a schema says.
    pub(super) const fn schema(self, schema: &Schema) -> Self {
        let mut hash = self
            .doc(schema.doc)
            .doc(schema.notes)
            .limits(&schema.limits);
        let mut rest = schema.keywords;
        while let [piece, tail @ ..] = rest {
            hash = hash.piece(piece);
            rest = tail;
        }
        hash.byte(1)
    }

    const fn doc(self, doc: &str) -> Self {
        if self.docs { self.text(doc) } else { self }
    }

    /// Feeds limits.
    pub(super) const fn limits(self, limits: &Limits) -> Self {
        self.text(limits.minimum)
            .text(limits.maximum)
            .byte(limits.length as u8)
            .text(limits.shortest)
            .text(limits.longest)
            .text(limits.pattern)
            .text(limits.rest)
    }

    const fn piece(self, piece: &Piece) -> Self {
        match piece {
            Piece::Text(text) => self.byte(2).text(text),
            Piece::Number(number) => {
                let mut hash = self.byte(3);
                let mut rest = *number;
                while rest > 0 {
                    hash = hash.byte((rest & 0xff) as u8);
                    rest >>= 8;
                }
                hash.byte(0)
            }
            Piece::Schema(schema) => self.byte(4).schema(schema),
            Piece::Map(schema) => self.byte(5).schema(schema),
            Piece::Ref(identity) => self.byte(6).text(identity.path),
            Piece::Object(members) => {
                let mut hash = self.byte(7);
                let mut rest = *members;
                while let [member, tail @ ..] = rest {
                    hash = hash
                        .text(member.name)
                        .doc(member.doc)
                        .limits(&member.limits)
                        .byte(member.may_omit as u8)
                        .schema(member.schema);
                    rest = tail;
                }
                hash.byte(1)
            }
        }
    }
}
