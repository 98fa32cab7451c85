//! Whether the arguments of one tool can be given to another.

use super::{
    Schema,
    hash::Hash,
    piece::{Member, Piece},
};

/// Whether every value of `sent` fits `taken`, as far as that is plain.
pub(super) const fn accepts(taken: &Schema, sent: &Schema) -> bool {
    let ([Piece::Object(taken)], [Piece::Object(sent)]) = (taken.keywords, sent.keywords) else {
        return false;
    };
    let mut rest = *sent;
    while let [member, tail @ ..] = rest {
        match find(taken, member.name) {
            Some(other) if same_values(member, other) => {}
            _ => return false,
        }
        rest = tail;
    }
    let mut rest = *taken;
    while let [member, tail @ ..] = rest {
        if member.is_required() {
            match find(sent, member.name) {
                Some(other) if other.is_required() => {}
                _ => return false,
            }
        }
        rest = tail;
    }
    true
}

/// Whether two members have the same values, whatever is said of them.
const fn same_values(a: &Member, b: &Member) -> bool {
    let a = Hash::of_values().schema(a.schema).limits(&a.limits);
    let b = Hash::of_values().schema(b.schema).limits(&b.limits);
    a.is(b)
}

const fn find<'a>(members: &'a [Member], name: &str) -> Option<&'a Member> {
    let wanted = Hash::new().text(name);
    let mut rest = members;
    while let [member, tail @ ..] = rest {
        if Hash::new().text(member.name).is(wanted) {
            return Some(member);
        }
        rest = tail;
    }
    None
}
