//! Maps and ranges: objects of the standard library.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    ops::{Range, RangeInclusive},
    path::PathBuf,
    rc::Rc,
    sync::Arc,
};

use crate::tool::schema::{
    Defs, Schema, ToolSchema,
    piece::{Member, Piece},
};

/// A type that serde reads from any key of a JSON object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map that a model sends",
    label = "the keys of a JSON object are text: take `String`, or a list of pairs"
)]
pub trait MapKey {}

macro_rules! keys {
    ($($key:ty),*) => {$(impl MapKey for $key {})*};
}

keys!(
    String,
    Box<str>,
    Rc<str>,
    Arc<str>,
    Cow<'_, str>,
    &str,
    PathBuf
);

macro_rules! maps {
    ($($map:ty $(, $extra:ident)?;)*) => {$(
        impl<K: MapKey, V: ToolSchema $(, $extra)?> ToolSchema for $map {
            const SCHEMA: Schema = Schema::of(&[Piece::Map(&V::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD)]);
            const DEFS: Defs = V::DEFS;
            const CHECKED: bool = V::CHECKED;

            fn check(&self) -> bool {
                !V::CHECKED || self.values().all(V::check)
            }
        }
    )*};
}

maps! {
    BTreeMap<K, V>;
    HashMap<K, V, S>, S;
}

impl ToolSchema for serde_json::Map<String, serde_json::Value> {
    const SCHEMA: Schema = Schema::of(&[Piece::Map(&Schema::ANY)]);
}

macro_rules! ranges {
    ($($range:ty: $start:expr, $end:expr;)*) => {$(
        impl<T: ToolSchema> ToolSchema for $range {
            const SCHEMA: Schema = Schema::of(&[Piece::Object(&[
                Member::new("start", &T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD, ""),
                Member::new("end", &T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD, ""),
            ])]);
            const DEFS: Defs = T::DEFS;
            const CHECKED: bool = T::CHECKED;

            fn check(&self) -> bool {
                let start: fn(&Self) -> &T = $start;
                let end: fn(&Self) -> &T = $end;
                start(self).check() && end(self).check()
            }
        }
    )*};
}

ranges! {
    Range<T>: |range| &range.start, |range| &range.end;
    RangeInclusive<T>: RangeInclusive::start, RangeInclusive::end;
}
