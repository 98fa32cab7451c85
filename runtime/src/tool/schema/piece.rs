//! What a schema is made of: pieces that hold no length, so that generic code can put them together.

use super::{Schema, decimal, identity::Identity};

/// A part of a schema's text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Piece {
    /// Text, as it is.
    Text(&'static str),
    /// A number, in decimal digits.
    Number(u64),
    /// A whole schema, with its own description.
    Schema(&'static Schema),
    /// The keywords of an object with these members.
    Object(&'static [Member]),
    /// The keywords of an object with any names and values of one schema.
    Map(&'static Schema),
    /// A reference to a type that stands around this one.
    Ref(&'static Identity),
}

impl Piece {
    /// Whether a [`Piece::Ref`] is in here.
    pub(super) const fn is_recursive(&self) -> bool {
        match self {
            Piece::Text(_) | Piece::Number(_) => false,
            Piece::Ref(_) => true,
            Piece::Schema(schema) | Piece::Map(schema) => schema.recursive,
            Piece::Object(members) => {
                let mut rest = *members;
                while let [member, tail @ ..] = rest {
                    if member.schema.recursive {
                        return true;
                    }
                    rest = tail;
                }
                false
            }
        }
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The name, as JSON text without quotes; empty for members that are another type's.
    pub(super) name: &'static str,
    pub(super) schema: &'static Schema,
    /// A description that replaces the type's own, as JSON text without quotes; may be empty.
    pub(super) doc: &'static str,
    pub(super) limits: Limits,
    /// Whether the member may be left out whatever its schema says.
    pub(super) may_omit: bool,
}

impl Member {
    /// A member with a name and a description, both JSON text without quotes.
    #[must_use]
    pub const fn new(name: &'static str, schema: &'static Schema, doc: &'static str) -> Self {
        Self {
            name,
            schema,
            doc,
            limits: Limits::NONE,
            may_omit: false,
        }
    }

    /// Any other members, of any value.
    pub const OTHERS: Member = Member::flat(&Schema::of(&[Piece::Map(&Schema::ANY)]));

    /// The members of another object, as members of this one.
    #[must_use]
    pub const fn flat(schema: &'static Schema) -> Self {
        Self::new("", schema, "")
    }

    /// The same member, which may be left out.
    #[must_use]
    pub const fn may_omit(mut self) -> Self {
        self.may_omit = true;
        self
    }

    /// The same member with limits of its own.
    #[must_use]
    pub const fn limit(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    pub(super) const fn is_required(&self) -> bool {
        !self.may_omit && !self.schema.is_optional()
    }
}

/// Keywords that narrow a type, each as JSON text; an empty text is an absent keyword.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub(super) minimum: &'static str,
    pub(super) maximum: &'static str,
    pub(super) length: Length,
    pub(super) shortest: &'static str,
    pub(super) longest: &'static str,
    /// `pattern`, with its leading comma.
    pub(super) pattern: &'static str,
    /// Other keywords, each with its leading comma.
    pub(super) rest: &'static str,
}

/// What the length of a type is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `minLength`, `maxLength`
    Characters,
    /// `minItems`, `maxItems`
    Items,
    /// `minProperties`, `maxProperties`
    Properties,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits {
        minimum: "",
        maximum: "",
        length: Length::Characters,
        shortest: "",
        longest: "",
        pattern: "",
        rest: "",
    };

    /// The least and the greatest number.
    #[must_use]
    pub const fn range(mut self, minimum: &'static str, maximum: &'static str) -> Self {
        self.minimum = minimum;
        self.maximum = maximum;
        self
    }

    /// The least and the greatest length.
    #[must_use]
    pub const fn length(
        mut self,
        length: Length,
        shortest: &'static str,
        longest: &'static str,
    ) -> Self {
        self.length = length;
        self.shortest = shortest;
        self.longest = longest;
        self
    }

    /// Other keywords, each with its leading comma; a `pattern` is the first.
    #[must_use]
    pub const fn rest(mut self, rest: &'static str) -> Self {
        (self.pattern, self.rest) = rest.split_at(pattern_length(rest.as_bytes()));
        self
    }

    /// These limits and `other`: of two bounds, the narrower one.
    pub(super) const fn or(mut self, other: Limits) -> Limits {
        self.minimum = narrower(self.minimum, other.minimum, true);
        self.maximum = narrower(self.maximum, other.maximum, false);
        if self.shortest.is_empty() && self.longest.is_empty() {
            self.length = other.length;
        }
        self.shortest = narrower(self.shortest, other.shortest, true);
        self.longest = narrower(self.longest, other.longest, false);
        // A pattern that another one replaces is the only limit that does not narrow.
        if self.pattern.is_empty() {
            self.pattern = other.pattern;
        }
        if self.rest.is_empty() {
            self.rest = other.rest;
        }
        self
    }
}

/// How long the keyword `pattern` is, if it is the first one.
const fn pattern_length(keywords: &[u8]) -> usize {
    let [
        b',',
        b'"',
        b'p',
        b'a',
        b't',
        b't',
        b'e',
        b'r',
        b'n',
        b'"',
        b':',
        b'"',
        rest @ ..,
    ] = keywords
    else {
        return 0;
    };
    let mut rest = rest;
    loop {
        rest = match rest {
            [b'"', tail @ ..] => return keywords.len() - tail.len(),
            [b'\\', _, tail @ ..] | [_, tail @ ..] => tail,
            [] => return keywords.len(),
        };
    }
}

/// Of two bounds as JSON text, the one that leaves fewer numbers; the first if they are alike.
const fn narrower(a: &'static str, b: &'static str, is_minimum: bool) -> &'static str {
    if a.is_empty() {
        return b;
    }
    if b.is_empty() {
        return a;
    }
    if decimal::less(a, b) == is_minimum && !decimal::same(a, b) {
        b
    } else {
        a
    }
}

/// Definitions that a schema needs and does not hold: types that are only referred to.
#[derive(Clone, Copy, Debug)]
pub enum Defs {
    /// None.
    None,
    /// One type.
    One(&'static Schema),
    /// Those of several types.
    All(&'static [Defs]),
}
