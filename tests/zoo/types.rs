//! The animals: types of every form that serde reads, with both schemas derived.
#![allow(dead_code)] // they are decoded and dropped

use std::collections::{BTreeMap, BTreeSet, HashMap};

use repertoire::ToolSchema;
use schemars::JsonSchema;
use serde::Deserialize;

macro_rules! animals {
    ($($item:item)*) => {$(
        #[derive(Debug, Deserialize, ToolSchema, JsonSchema)]
        $item
    )*};
}

animals! {
    pub struct Named {
        pub text: String,
        pub number: u8,
        pub maybe: Option<i32>,
        pub list: Vec<bool>,
    }

    pub struct Empty {}

    pub struct Unit;

    pub struct Newtype(String);

    pub struct NewtypeOption(Option<u8>);

    pub struct Pair(u8, String);

    pub struct Triple(Option<u8>, Newtype, [bool; 2]);

    #[serde(transparent)]
    pub struct Transparent {
        inner: Option<Named>,
    }

    #[serde(transparent)]
    pub struct TransparentTuple(Vec<u16>);

    #[serde(rename_all = "camelCase")]
    pub struct Camel {
        first_name: String,
        #[serde(rename = "LAST")]
        last_name: String,
    }

    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    pub struct Screaming {
        first_name: String,
    }

    pub struct WithDefaults {
        #[serde(default)]
        count: u32,
        #[serde(default = "forty_two")]
        answer: u64,
        needed: bool,
    }

    #[serde(default)]
    #[derive(Default)]
    pub struct AllDefault {
        count: u32,
        name: String,
    }

    pub struct WithSkipped {
        shown: u8,
        #[serde(skip)]
        hidden: u8,
        #[serde(skip_deserializing)]
        written: u8,
        #[serde(skip_serializing)]
        read: u8,
    }

    #[serde(deny_unknown_fields)]
    pub struct Strict {
        only: u8,
    }

    pub struct Inner {
        left: u8,
        right: Option<u8>,
    }

    pub struct Flat {
        own: String,
        #[serde(flatten)]
        inner: Inner,
    }

    pub struct FlatMap {
        own: String,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    pub struct FlatTwice {
        #[serde(flatten)]
        flat: Flat,
        last: bool,
    }

    pub struct Generic<T> {
        value: T,
        more: Vec<T>,
    }

    pub struct GenericTwo<A, B> {
        a: A,
        b: Option<B>,
    }

    pub struct Nested {
        named: Named,
        list: Vec<Inner>,
        map: HashMap<String, Option<Inner>>,
        tuple: (u8, Inner),
    }

    #[serde(from = "String")]
    pub struct FromText {
        length: usize,
    }

    #[serde(try_from = "u8")]
    pub struct TryFromNumber {
        small: u8,
    }

    pub enum Plain {
        One,
        Two,
        #[serde(rename = "three")]
        Three,
    }

    #[serde(rename_all = "snake_case")]
    pub enum Documented {
        /// The first.
        FirstOne,
        /// The second.
        SecondOne,
        #[serde(skip)]
        Hidden,
    }

    pub enum External {
        Nothing,
        /// More than that.
        Something,
        Number(u8),
        Pair(u8, String),
        /// A struct.
        Struct { a: u8, b: Option<String> },
        Holds(Inner),
        Perhaps(Option<u8>),
    }

    pub enum ExternalOnly {
        A(u8),
        B { x: bool },
    }

    pub enum Single {
        Only { x: u8 },
    }

    #[serde(tag = "kind")]
    pub enum Internal {
        Nothing,
        Struct { a: u8 },
        Holds(Inner),
    }

    #[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
    pub enum InternalRenamed {
        FirstCase { some_field: u8 },
        #[serde(rename = "2")]
        SecondCase { other_field: Option<u8> },
    }

    #[serde(tag = "t", content = "c")]
    pub enum Adjacent {
        Nothing,
        Number(u8),
        Pair(u8, bool),
        Struct { a: u8 },
    }

    #[serde(untagged)]
    pub enum Untagged {
        Number(u8),
        Text(String),
        Struct { a: u8 },
        List(Vec<u8>),
    }

    #[serde(untagged)]
    pub enum UntaggedUnit {
        Nothing,
        Flag(bool),
    }

    pub struct Holder {
        plain: Plain,
        maybe: Option<Documented>,
        list: Vec<External>,
        map: BTreeMap<String, Untagged>,
    }

    pub struct Tree {
        value: u8,
        children: Vec<Tree>,
    }

    pub struct Linked {
        value: u8,
        next: Option<Box<Linked>>,
    }

    pub struct GenericTree<T> {
        value: T,
        children: Vec<GenericTree<T>>,
    }

    pub enum Expression {
        Number(u8),
        Sum(Box<Expression>, Box<Self>),
        Named { name: String, inner: Option<Box<Expression>> },
    }

    pub struct Forest {
        trees: BTreeMap<String, Tree>,
        list: Linked,
    }

    pub struct Ping {
        pong: Vec<Pong>,
    }

    pub struct Pong {
        #[schema(recursive)]
        ping: Option<Box<Ping>>,
    }

    pub struct Aliased {
        #[serde(alias = "colour")]
        color: String,
    }

    pub struct Ids(BTreeSet<u16>);
}

fn forty_two() -> u64 {
    42
}

impl From<String> for FromText {
    fn from(text: String) -> Self {
        Self { length: text.len() }
    }
}

impl TryFrom<u8> for TryFromNumber {
    type Error = std::fmt::Error;

    fn try_from(small: u8) -> Result<Self, Self::Error> {
        Ok(Self { small })
    }
}
