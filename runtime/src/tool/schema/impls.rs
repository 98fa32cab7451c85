//! The schemas of types of the standard library, as serde reads them.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    marker::PhantomData,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    num::NonZero,
    num::{Saturating, Wrapping},
    ops::{Range, RangeInclusive},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
    sync::{Mutex, RwLock},
    time::{Duration, SystemTime},
};

use super::{
    Schema, ToolSchema,
    rope::Piece::{self, Number, Text},
};

macro_rules! fixed {
    ($($type:ty: $keywords:literal,)*) => {$(
        impl ToolSchema for $type {
            const SCHEMA: Schema = Schema::of(&[Text($keywords)]);
        }
    )*};
}

fixed! {
    bool: r#""type":"boolean""#,
    str: r#""type":"string""#,
    String: r#""type":"string""#,
    char: r#""type":"string","minLength":1,"maxLength":1"#,
    f32: r#""type":"number""#,
    f64: r#""type":"number""#,
    i8: r#""type":"integer","minimum":-128,"maximum":127"#,
    i16: r#""type":"integer","minimum":-32768,"maximum":32767"#,
    i32: r#""type":"integer","minimum":-2147483648,"maximum":2147483647"#,
    i64: r#""type":"integer""#,
    i128: r#""type":"integer""#,
    isize: r#""type":"integer""#,
    u8: r#""type":"integer","minimum":0,"maximum":255"#,
    u16: r#""type":"integer","minimum":0,"maximum":65535"#,
    u32: r#""type":"integer","minimum":0,"maximum":4294967295"#,
    u64: r#""type":"integer","minimum":0"#,
    u128: r#""type":"integer","minimum":0"#,
    usize: r#""type":"integer","minimum":0"#,
    NonZero<i8>: r#""type":"integer","minimum":-128,"maximum":127,"not":{"const":0}"#,
    NonZero<i16>: r#""type":"integer","minimum":-32768,"maximum":32767,"not":{"const":0}"#,
    NonZero<i32>: r#""type":"integer","minimum":-2147483648,"maximum":2147483647,"not":{"const":0}"#,
    NonZero<i64>: r#""type":"integer","not":{"const":0}"#,
    NonZero<i128>: r#""type":"integer","not":{"const":0}"#,
    NonZero<isize>: r#""type":"integer","not":{"const":0}"#,
    NonZero<u8>: r#""type":"integer","minimum":1,"maximum":255"#,
    NonZero<u16>: r#""type":"integer","minimum":1,"maximum":65535"#,
    NonZero<u32>: r#""type":"integer","minimum":1,"maximum":4294967295"#,
    NonZero<u64>: r#""type":"integer","minimum":1"#,
    NonZero<u128>: r#""type":"integer","minimum":1"#,
    NonZero<usize>: r#""type":"integer","minimum":1"#,
    (): r#""type":"null""#,
    Path: r#""type":"string""#,
    PathBuf: r#""type":"string""#,
    IpAddr: r#""type":"string","format":"ip""#,
    Ipv4Addr: r#""type":"string","format":"ipv4""#,
    Ipv6Addr: r#""type":"string","format":"ipv6""#,
    SocketAddr: r#""type":"string""#,
    SocketAddrV4: r#""type":"string""#,
    SocketAddrV6: r#""type":"string""#,
    Duration: r#""type":"object","properties":{"secs":{"type":"integer","minimum":0},"nanos":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["secs","nanos"],"additionalProperties":false"#,
    SystemTime: r#""type":"object","properties":{"secs_since_epoch":{"type":"integer","minimum":0},"nanos_since_epoch":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["secs_since_epoch","nanos_since_epoch"],"additionalProperties":false"#,
}

impl ToolSchema for serde_json::Value {
    const SCHEMA: Schema = Schema::ANY;
}

impl ToolSchema for serde_json::value::RawValue {
    const SCHEMA: Schema = Schema::ANY;
}

impl ToolSchema for serde_json::Number {
    const SCHEMA: Schema = Schema::NUMBER;
}

impl ToolSchema for serde_json::Map<String, serde_json::Value> {
    const SCHEMA: Schema = Schema::of(&[Text(r#""type":"object""#)]);
}

impl<T: ToolSchema> ToolSchema for Option<T> {
    const SCHEMA: Schema = Schema::of(&[
        Text(r#""anyOf":["#),
        Piece::Schema(&T::SCHEMA),
        Text(r#",{"type":"null"}]"#),
    ])
    .optional(&T::SCHEMA);
}

macro_rules! same_as_inner {
    ($($wrapper:ty),* $(,)?) => {$(
        impl<T: ToolSchema + ?Sized> ToolSchema for $wrapper {
            const SCHEMA: Schema = T::SCHEMA;
        }
    )*};
    (sized: $($wrapper:ty),* $(,)?) => {$(
        impl<T: ToolSchema> ToolSchema for $wrapper {
            const SCHEMA: Schema = T::SCHEMA;
        }
    )*};
}

same_as_inner!(Box<T>, Rc<T>, Arc<T>, &T, Mutex<T>, RwLock<T>, RefCell<T>);
same_as_inner!(sized: Cell<T>, Reverse<T>, Wrapping<T>, Saturating<T>);

impl<T: ToolSchema + ToOwned + ?Sized> ToolSchema for Cow<'_, T> {
    const SCHEMA: Schema = T::SCHEMA;
}

impl<T: ?Sized> ToolSchema for PhantomData<T> {
    const SCHEMA: Schema = <()>::SCHEMA;
}

macro_rules! list {
    ($($list:ty),* $(,)?) => {$(
        impl<T: ToolSchema> ToolSchema for $list {
            const SCHEMA: Schema = Schema::of(&[
                Text(r#""type":"array","items":"#),
                Piece::Schema(&T::SCHEMA),
            ]);
        }
    )*};
}

list!(Vec<T>, VecDeque<T>, LinkedList<T>, BinaryHeap<T>, [T]);

impl<T: ToolSchema, S> ToolSchema for HashSet<T, S> {
    const SCHEMA: Schema = BTreeSet::<T>::SCHEMA;
}

impl<T: ToolSchema> ToolSchema for BTreeSet<T> {
    const SCHEMA: Schema = Schema::of(&[
        Text(r#""type":"array","items":"#),
        Piece::Schema(&T::SCHEMA),
        Text(r#","uniqueItems":true"#),
    ]);
}

impl<T: ToolSchema, const N: usize> ToolSchema for [T; N] {
    const SCHEMA: Schema = Schema::of(&[
        Text(r#""type":"array","items":"#),
        Piece::Schema(&T::SCHEMA),
        Text(r#","minItems":"#),
        Number(N as u64),
        Text(r#","maxItems":"#),
        Number(N as u64),
    ]);
}

/// A type that serde reads from the key of a JSON object.
#[diagnostic::on_unimplemented(
    message = "a map with keys of type `{Self}` has no tool schema",
    label = "the keys of a JSON object are text",
    note = "use `String` for the keys"
)]
pub trait MapKey {}

impl MapKey for String {}
impl MapKey for Box<str> {}
impl MapKey for Rc<str> {}
impl MapKey for Arc<str> {}
impl MapKey for Cow<'_, str> {}
impl MapKey for &str {}
impl MapKey for PathBuf {}

impl<K: MapKey, V: ToolSchema> ToolSchema for BTreeMap<K, V> {
    const SCHEMA: Schema = Schema::of(&[
        Text(r#""type":"object","additionalProperties":"#),
        Piece::Schema(&V::SCHEMA),
    ]);
}

impl<K: MapKey, V: ToolSchema, S> ToolSchema for HashMap<K, V, S> {
    const SCHEMA: Schema = BTreeMap::<K, V>::SCHEMA;
}

macro_rules! range {
    ($($range:ident),*) => {$(
        impl<T: ToolSchema> ToolSchema for $range<T> {
            const SCHEMA: Schema = Schema::of(&[
                Text(r#""type":"object","properties":{"start":"#),
                Piece::Schema(&T::SCHEMA),
                Text(r#","end":"#),
                Piece::Schema(&T::SCHEMA),
                Text(r#"},"required":["start","end"],"additionalProperties":false"#),
            ]);
        }
    )*};
}

range!(Range, RangeInclusive);

macro_rules! tuple {
    ($($length:literal: $first:ident $($rest:ident)*;)*) => {$(
        impl<$first: ToolSchema $(, $rest: ToolSchema)*> ToolSchema for ($first, $($rest,)*) {
            const SCHEMA: Schema = Schema::of(&[
                Text(r#""type":"array","prefixItems":["#),
                Piece::Schema(&$first::SCHEMA),
                $(Text(","), Piece::Schema(&$rest::SCHEMA),)*
                Text(concat!(r#"],"items":false,"minItems":"#, $length, r#","maxItems":"#, $length)),
            ]);
        }
    )*};
}

tuple! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}
