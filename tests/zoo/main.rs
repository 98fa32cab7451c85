//! A zoo of types: their schemas against those of schemars, and the values that fit against the
//! values that decode.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

mod animal;
mod normal;
mod types;
mod values;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    num::{NonZero, NonZeroI8, NonZeroU8},
    ops::Range,
    path::PathBuf,
    rc::Rc,
    sync::Arc,
    time::{Duration, SystemTime},
};

use animal::Animal;
use types::{
    Adjacent, Aliased, AllDefault, Camel, Documented, Empty, Expression, External, ExternalOnly,
    Flat, FlatMap, FlatTwice, Forest, FromText, Generic, GenericTree, GenericTwo, Holder, Ids,
    Inner, Internal, InternalRenamed, Linked, Named, Nested, Newtype, NewtypeOption, Pair, Ping,
    Plain, Pong, Screaming, Single, Strict, Transparent, TransparentTuple, Tree, Triple,
    TryFromNumber, Unit, Untagged, UntaggedUnit, WithDefaults, WithSkipped,
};

zoo! {
    boolean: bool;
    text: String;
    letter: char;
    float: f64;
    float_small: f32;
    whole8: i8;
    whole16: i16;
    whole32: i32;
    whole64: i64;
    whole128: i128;
    natural128: u128;
    whole_size: isize;
    natural8: u8;
    natural16: u16;
    natural32: u32;
    natural64: u64;
    natural_size: usize;
    non_zero: NonZeroU8;
    non_zero_signed: NonZeroI8;
    non_zero_wide: NonZero<u64>;
    non_zero_signed_wide: NonZero<i64>;
    nothing: ();
    option: Option<u8>;
    option_text: Option<String>;
    option_struct: Option<Named>;
    option_option: Vec<Option<Option<u8>>>;
    list: Vec<u8>;
    deque: VecDeque<String>;
    linked_list: LinkedList<bool>;
    heap: BinaryHeap<u8>;
    set: BTreeSet<u8>;
    hash_set: HashSet<String>;
    array: [u8; 3];
    array_empty: [u8; 0];
    tuple_one: (u8,);
    tuple_two: (u8, String);
    tuple_many: (u8, u16, u32, bool, String, Option<u8>);
    map: BTreeMap<String, u8>;
    hash_map: HashMap<String, Vec<u8>>;
    map_of_maps: BTreeMap<String, BTreeMap<String, bool>>;
    boxed: Box<u8>;
    boxed_text: Box<str>;
    boxed_list: Box<[u8]>;
    shared: Arc<String>;
    counted: Rc<Named>;
    cow: Cow<'static, str>;
    path: PathBuf;
    ip: IpAddr;
    ipv4: Ipv4Addr;
    ipv6: Ipv6Addr;
    unique_id: uuid::Uuid;
    web_address: url::Url;
    moment: chrono::DateTime<chrono::Utc>;
    date: chrono::NaiveDate;
    time_of_day: chrono::NaiveTime;
    date_and_time: chrono::NaiveDateTime;
    decimal: rust_decimal::Decimal;
    duration: Duration;
    time: SystemTime;
    range: Range<u8>;
    any: serde_json::Value;
    any_object: serde_json::Map<String, serde_json::Value>;
    any_list: Vec<serde_json::Value>;
    named: Named;
    empty: Empty;
    unit: Unit;
    newtype: Newtype;
    newtype_option: NewtypeOption;
    pair: Pair;
    triple: Triple;
    transparent: Transparent;
    transparent_tuple: TransparentTuple;
    camel: Camel;
    screaming: Screaming;
    with_defaults: WithDefaults;
    all_default: AllDefault;
    with_skipped: WithSkipped;
    strict: Strict;
    inner: Inner;
    flat: Flat;
    flat_map: FlatMap;
    flat_twice: FlatTwice;
    generic: Generic<u8>;
    generic_nested: Generic<Generic<Option<Named>>>;
    generic_two: GenericTwo<Vec<u8>, Inner>;
    nested: Nested;
    from_text: FromText;
    try_from_number: TryFromNumber;
    plain: Plain;
    documented: Documented;
    external: External;
    external_only: ExternalOnly;
    single: Single;
    internal: Internal;
    internal_renamed: InternalRenamed;
    adjacent: Adjacent;
    untagged: Untagged;
    untagged_unit: UntaggedUnit;
    holder: Holder;
    tree: Tree;
    linked: Linked;
    generic_tree: GenericTree<u8>;
    generic_tree_nested: GenericTree<GenericTree<bool>>;
    expression: Expression;
    forest: Forest;
    ping: Ping;
    pong: Pong;
    aliased: Aliased;
    ids: Ids;
}

#[test]
fn the_zoo_is_large() {
    assert!(ZOO.len() >= 60, "{}", ZOO.len());
}

#[test]
fn schemas_are_those_of_schemars() {
    let mut different = Vec::new();
    for Animal {
        name, ours, theirs, ..
    } in ZOO
    {
        let (ours, theirs) = (normal::normal(&ours()), normal::normal(&theirs()));
        if ours != theirs {
            different.push(format!("{name}:\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The comparison sees a difference in any keyword, wherever it is.
#[test]
fn one_changed_keyword_is_seen() {
    let mut changes = 0;
    for Animal { name, ours, .. } in ZOO {
        let schema = ours();
        let normal_schema = normal::normal(&schema);
        for changed in normal::one_change_each(&schema) {
            assert_ne!(normal::normal(&changed), normal_schema, "{name}: {changed}");
            changes += 1;
        }
    }
    assert!(changes > 500, "{changes}");
}

#[test]
fn what_fits_decodes_and_what_decodes_fits() {
    for animal in ZOO {
        values::hold(animal);
    }
}
