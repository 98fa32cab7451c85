//! What the model is told about arguments, as constants.

mod accepts;
mod decimal;
pub(crate) mod given;
mod hash;
pub(crate) mod identity;
pub(crate) mod piece;
mod refs;
pub(crate) mod rope;
mod scanner;
pub(crate) mod strict;
mod types;
pub(crate) mod whole;

use identity::Identity;
use piece::{Defs, Limits, Piece};

/// A type whose JSON schema is known when the program is compiled.
///
/// Derive it, next to `serde::Deserialize`, for the types of tool parameters:
///
/// ```
/// use repertoire::ToolSchema;
///
/// /// A way to send a parcel.
/// #[derive(serde::Deserialize, ToolSchema)]
/// #[serde(rename_all = "snake_case")]
/// enum Shipping {
///     /// Three to five days.
///     Standard,
///     /// The next day.
///     Express,
/// }
/// ```
///
/// By hand, for a type that decodes from something simple:
///
/// ```
/// use repertoire::{ToolSchema, tool::Schema};
///
/// #[derive(serde::Deserialize)]
/// struct Sku(String);
///
/// impl ToolSchema for Sku {
///     const SCHEMA: Schema = Schema::STRING.describe("a stock keeping unit such as A-1042");
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tool schema",
    label = "the model cannot be told what to send here",
    note = "derive it: `#[derive(serde::Deserialize, repertoire::ToolSchema)]`",
    note = "a value that comes from the program and not from the model is marked `#[state]`",
    note = "for a type of another crate, take a type of your own and convert, or wrap it in a newtype"
)]
pub trait ToolSchema {
    /// The schema.
    const SCHEMA: Schema;

    /// The schema, as others that hold it take it. Where types hold each other, the compiler finds a
    /// circle of constants and names this one first: its name says what to do.
    #[doc(hidden)]
    const TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD: Schema = Self::SCHEMA;

    /// Which type this is, for types that hold themselves.
    #[doc(hidden)]
    const ID: Identity = Identity::ANONYMOUS;

    /// Types that the schema refers to and may not hold.
    #[doc(hidden)]
    const DEFS: Defs = Defs::None;

    /// Whether [`check`](Self::check) may say no.
    #[doc(hidden)]
    const CHECKED: bool = false;

    /// Whether a decoded value keeps to the limits that the schema names and decoding does not know.
    #[doc(hidden)]
    fn check(&self) -> bool {
        true
    }

    /// A decoded value, unless it exceeds the limits.
    #[doc(hidden)]
    fn checked(value: Option<Self>) -> Option<Self>
    where
        Self: Sized,
    {
        match value {
            Some(value) if Self::CHECKED && !value.check() => None,
            value => value,
        }
    }
}

/// A JSON schema in the making: keywords, limits, description, and whether the value may be left out.
///
/// Read it where it ends up, in [`ToolSpec::schema`](super::ToolSpec::schema).
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    keywords: &'static [Piece],
    limits: Limits,
    doc: &'static str,
    notes: &'static str,
    /// For an optional value: the schema it has as the member of an object.
    inner: Option<&'static Schema>,
    identity: Option<&'static Identity>,
    /// Whether a reference is in here.
    recursive: bool,
}

impl Schema {
    /// Any text.
    pub const STRING: Schema = Schema::of(&[Piece::Text("\"type\":\"string\"")]);
    /// `true` or `false`.
    pub const BOOLEAN: Schema = Schema::of(&[Piece::Text("\"type\":\"boolean\"")]);
    /// Any number.
    pub const NUMBER: Schema = Schema::of(&[Piece::Text("\"type\":\"number\"")]);
    /// A whole number.
    pub const INTEGER: Schema = Schema::of(&[Piece::Text("\"type\":\"integer\"")]);
    /// Any JSON value.
    pub const ANY: Schema = Schema::of(&[]);

    /// The same schema with a description.
    ///
    /// ```
    /// use repertoire::tool::Schema;
    ///
    /// const SKU: Schema = Schema::STRING.describe("a stock keeping unit such as A-1042");
    /// assert!(!SKU.is_optional());
    /// ```
    ///
    /// # Panics
    ///
    /// When the compiler evaluates it, if the text has a quote, a backslash or a control character:
    /// it is spliced into JSON as it is.
    #[must_use]
    pub const fn describe(mut self, text: &'static str) -> Schema {
        let mut rest = text.as_bytes();
        while let [byte, tail @ ..] = rest {
            assert!(
                *byte >= b' ' && *byte != b'"' && *byte != b'\\',
                "a description may hold no quote, backslash or control character"
            );
            rest = tail;
        }
        self.doc = text;
        self
    }

    /// Whether an object may leave the value out.
    #[must_use]
    pub const fn is_optional(&self) -> bool {
        self.inner.is_some()
    }

    /// Whether nothing is said, so that every value fits.
    const fn is_any(&self) -> bool {
        self.keywords.is_empty() && self.doc.is_empty() && self.notes.is_empty()
    }

    pub(super) const fn keywords(&self) -> &'static [Piece] {
        self.keywords
    }

    /// A schema of keywords, for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(keywords: &'static [Piece]) -> Schema {
        let mut recursive = false;
        let mut rest = keywords;
        while let [piece, tail @ ..] = rest {
            recursive |= piece.is_recursive();
            rest = tail;
        }
        Schema {
            keywords,
            limits: Limits::NONE,
            doc: "",
            notes: "",
            inner: None,
            identity: None,
            recursive,
        }
    }

    /// A description and notes that are JSON text already, for generated code. The notes stay where
    /// a parameter or field has a description of its own.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_docs(mut self, doc: &'static str, notes: &'static str) -> Schema {
        if !doc.is_empty() {
            self.doc = doc;
        }
        if !notes.is_empty() {
            self.notes = notes;
        }
        self
    }

    /// The same schema as that of a named type, unless it has a name already, for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn named(mut self, identity: &'static Identity) -> Schema {
        if self.identity.is_none() {
            self.identity = Some(identity);
        }
        self
    }

    /// The same schema with narrower limits, for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn limit(mut self, limits: Limits) -> Schema {
        self.limits = limits.or(self.limits);
        self
    }

    /// The same schema for a type that is read through another: it may not be left out.
    #[doc(hidden)]
    #[must_use]
    pub const fn wrapped(mut self) -> Schema {
        self.inner = None;
        self
    }

    /// Whether every value of another schema of arguments fits this one, as far as that is plain: each
    /// of its members is one of this one's and says the same, and what is required here is there.
    #[doc(hidden)]
    #[must_use]
    pub const fn accepts(&self, other: &Schema) -> bool {
        accepts::accepts(self, other)
    }

    /// Makes sure that the members of this schema can stand among those of another.
    ///
    /// # Panics
    ///
    /// When the compiler evaluates it, if the schema is neither of a struct nor of a map.
    #[doc(hidden)]
    #[track_caller]
    pub const fn assert_flat(&self) {
        assert!(
            !self.is_optional(),
            "a flattened `Option` drops what does not fit without a word; flatten the struct itself"
        );
        assert!(
            !matches!(rope::Flat::of(self), rope::Flat::Neither),
            "`#[serde(flatten)]` works for structs with named fields and for maps"
        );
    }

    /// Makes sure that the members of this schema can stand beside the tag of a variant.
    ///
    /// # Panics
    ///
    /// When the compiler evaluates it, if the schema is neither of a struct nor of a map.
    #[doc(hidden)]
    #[track_caller]
    pub const fn assert_beside_tag(&self) {
        assert!(
            !self.is_optional() && !matches!(rope::Flat::of(self), rope::Flat::Neither),
            "beside the tag of `#[serde(tag = \"…\")]` a variant has named fields, or holds one struct \
             that has them or one map; give this one named fields, or move it out of the way with \
             `content = \"…\"`"
        );
    }

    /// This schema, which is nullable, for a value that may be left out of an object, where it has
    /// another schema.
    const fn optional(mut self, inner: &'static Schema) -> Schema {
        self.inner = Some(inner);
        self
    }

    const fn as_member(&self) -> &Schema {
        match self.inner {
            Some(inner) => inner,
            None => self,
        }
    }
}
