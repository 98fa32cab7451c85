//! What the model is told about arguments, as constants.

mod impls;
pub(crate) mod rope;

use rope::Piece;

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
    note = "for a type of another crate, take a type of your own and convert, or wrap it in a newtype"
)]
pub trait ToolSchema {
    /// The schema.
    const SCHEMA: Schema;
}

/// A JSON schema in the making: keywords, description, and whether the value may be left out.
///
/// Read it where it ends up, in [`ToolSpec::schema`](super::ToolSpec::schema).
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    pub(crate) keywords: &'static [Piece],
    pub(crate) doc: &'static str,
    pub(crate) notes: &'static str,
    /// For an optional value: the schema it has as the member of an object.
    pub(crate) inner: Option<&'static Schema>,
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

    /// A schema of keywords, for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(keywords: &'static [Piece]) -> Schema {
        Schema {
            keywords,
            doc: "",
            notes: "",
            inner: None,
        }
    }

    /// The same schema with a description.
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

    /// A description and notes that are JSON text already, for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_docs(mut self, doc: &'static str, notes: &'static str) -> Schema {
        self.doc = doc;
        self.notes = notes;
        self
    }

    /// This schema, which is nullable, for a value that may be left out of an object, where it has
    /// another schema.
    pub(crate) const fn optional(mut self, inner: &'static Schema) -> Schema {
        self.inner = Some(inner);
        self
    }

    /// Whether an object may leave the value out.
    #[must_use]
    pub const fn is_optional(&self) -> bool {
        self.inner.is_some()
    }

    pub(crate) const fn as_member(&self) -> &Schema {
        match self.inner {
            Some(inner) => inner,
            None => self,
        }
    }
}
