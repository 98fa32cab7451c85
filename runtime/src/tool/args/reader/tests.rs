//! serde_json says what is right: it and the reader agree on every text, and on every text with a byte
//! more, less or other than it.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::Reader;

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader).map_err(|error| error.to_string())?;
    match reader.end_text() {
        Ok(()) => Ok(value),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether the reader agrees with serde_json on a text; it may say other words.
fn agree<T: DeserializeOwned + Debug>(text: &str) -> bool {
    let ours = read::<T>(text);
    let theirs = serde_json::from_str::<T>(text);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => {
            let (ours, theirs) = (format!("{ours:?}"), format!("{theirs:?}"));
            assert!(
                is_same(&ours, &theirs),
                "{text}: {ours}, and serde_json {theirs}"
            );
        }
        (Err(_), Err(_)) => {}
        // To a schema it is a whole number; serde_json reads it as a float only.
        (Ok(_), Err(_)) if text.contains("-0") => {}
        _ => panic!("{text}: {ours:?}, and serde_json {theirs:?}"),
    }
    ours.is_ok()
}

/// Whether two values print equally. The last digit of a float may differ: without its feature
/// `float_roundtrip`, serde_json is not exact there.
fn is_same(ours: &str, theirs: &str) -> bool {
    let parts = |text: &'_ str| -> Vec<String> {
        let is_between = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '+'));
        text.split(is_between).map(str::to_owned).collect()
    };
    let (ours, theirs) = (parts(ours), parts(theirs));
    ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(ours, theirs)| {
            let close = |a: f64, b: f64| (a - b).abs() <= a.abs() * 1e-15;
            ours == theirs
                || matches!((ours.parse(), theirs.parse()), (Ok(a), Ok(b)) if close(a, b))
        })
}

/// Holds a text and its neighbours against serde_json.
fn near<T: DeserializeOwned + Debug>(text: &str) {
    agree::<T>(text);
    let bytes = text.as_bytes();
    let hold = |bytes: Vec<u8>| {
        // Arguments are text, and never anything else.
        if let Ok(text) = String::from_utf8(bytes) {
            agree::<T>(&text);
        }
    };
    for at in 0..bytes.len() {
        hold([&bytes[..at], &bytes[at + 1..]].concat());
        hold(bytes[..at].to_vec());
        for other in b"{}[],:\"\\ \t\n019.-+eEunltr\x01/a" {
            hold([&bytes[..at], &[*other], &bytes[at + 1..]].concat());
            hold([&bytes[..at], &[*other], &bytes[at..]].concat());
        }
    }
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Order {
    id: u32,
    name: String,
    ratio: Option<f64>,
    kind: Kind,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(alias = "old")]
    new: Option<Box<Order>>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
enum Kind {
    Unit,
    One(u8),
    Two(u8, String),
    Named { at: i64 },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "is")]
#[allow(dead_code)]
enum Tagged {
    Square { side: f32 },
    Nothing,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Either {
    Number(i64),
    Text(String),
    Pair(bool, ()),
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Wrapped(i16);

#[test]
fn every_kind_of_type_and_its_neighbours() {
    near::<Order>(
        r#"{"id":1,"name":"aé","ratio":1.5e1,"kind":"Unit","tags":["x"],"more":[{"a":null}]}"#,
    );
    near::<Order>(r#"{ "id" : 7, "name":"\u00e9\"", "kind":{"Two":[1,"b"]}, "old":null}"#);
    near::<Kind>(r#"{"One": 255}"#);
    near::<Kind>(r#"{"Named":{"at":-12,"x":0}}"#);
    near::<Kind>(r#"{"Unit":null}"#);
    near::<Tagged>(r#"{"side":1.25,"is":"Square"}"#);
    near::<Tagged>(r#"{"is":"Nothing"}"#);
    near::<Vec<Either>>(r#"[12, "a", [true,null]]"#);
    near::<Flat>(r#"{"id":3,"a":{"b":[1]},"c":2}"#);
    near::<Value>(r#"{"a":[1,-2,3.5,1e-3,true,false,null,"x\n\\"],"b":{}}"#);
    near::<(u8, char, Wrapped, [bool; 2])>(r#"[1,"z",-3,[true,false]]"#);
    near::<HashMap<u16, u8>>(r#"{"12":5}"#);
    near::<BTreeMap<Wrapped, u8>>(r#"{"-12":5}"#);
    near::<BTreeMap<bool, u8>>(r#"{"true":5,"false":6}"#);
    near::<BTreeMap<i128, u8>>(r#"{"170141183460469231731687303715884105727":5}"#);
    near::<Option<Option<i8>>>("-128");
    near::<f64>("-0.0");
    near::<f32>("1234567.25");
    near::<u64>("18446744073709551615");
    near::<i64>("-9223372036854775808");
    near::<u128>("340282366920938463463374607431768211455");
    near::<()>("null");
}

#[derive(Debug, Deserialize)]
#[serde(tag = "t", content = "c", rename_all = "kebab-case")]
#[allow(dead_code)]
enum Beside {
    OneThing(u8, i8),
    NamedThing {
        a: Option<u8>,
    },
    #[serde(other)]
    Else,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
#[allow(dead_code)]
struct Closed {
    at: Option<std::time::Duration>,
    #[serde(deserialize_with = "by_hand")]
    hand: Vec<u64>,
    raw: Option<Box<serde_json::value::RawValue>>,
    #[serde(skip)]
    skipped: u8,
}

fn by_hand<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let items = value.as_array().cloned().unwrap_or_default();
    Ok(items.iter().filter_map(Value::as_u64).collect())
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Key {
    Red,
    Blue,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Flattened {
    #[serde(flatten)]
    kind: Tagged,
    #[serde(flatten)]
    rest: std::collections::HashMap<String, u8>,
}

#[test]
fn forms_of_others_and_their_neighbours() {
    use std::{net::IpAddr, num::NonZeroU8, ops::Range, path::PathBuf};

    near::<Beside>(r#"{"t":"one-thing","c":[1,-2]}"#);
    near::<Beside>(r#"{"c":{"a":null},"t":"named-thing"}"#);
    near::<Beside>(r#"{"t":"what"}"#);
    near::<Closed>(r#"{"at":{"secs":1,"nanos":5},"hand":[1,2.5,3],"raw":{"x":[ 1 ]}}"#);
    near::<Box<serde_json::value::RawValue>>(r#" {"a" : [1.0, "b\n"]} "#);
    near::<Vec<Box<serde_json::value::RawValue>>>("[1e5 ,null]");
    near::<BTreeMap<Key, Option<()>>>(r#"{"red":null,"blue":null}"#);
    near::<Flattened>(r#"{"is":"Square","side":1,"a":2}"#);
    near::<(NonZeroU8, IpAddr)>(r#"[5,"::1"]"#);
    near::<Range<u8>>(r#"{"start":1,"end":2}"#);
    near::<Result<u8, PathBuf>>(r#"{"Err":"a/b"}"#);
    near::<serde_json::Number>("-12.5");
    near::<serde_json::Map<String, Value>>(r#"{"a":{"b":null}}"#);
    near::<std::borrow::Cow<'static, str>>(r#""\ud83d\ude00""#);
    near::<(String, serde::de::IgnoredAny)>(r#"["a",{"b":[1,{"c":2}]}]"#);
    near::<BTreeMap<char, BTreeMap<u8, f32>>>(r#"{"x":{"1":0.5}}"#);
    near::<[Option<bool>; 3]>("[true,null,false]");
}

#[test]
fn numbers_at_their_borders() {
    for text in [
        "1e308",
        "3.5e38",
        "340282366920938463463374607431768211455",
        "1e400",
        "-1e400",
        "1e-400",
        "0.1",
        "00",
        "-",
        "-01",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "1E5",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890",
        "0.30000000000000004",
        "1e23",
        "9007199254740993",
        "5e-324",
        "NaN",
        "Infinity",
    ] {
        agree::<f64>(text);
        agree::<f32>(text);
        agree::<Option<Vec<f32>>>(&format!("[{text}]"));
        agree::<i64>(text);
        agree::<u64>(text);
        agree::<u8>(text);
        agree::<i128>(text);
        agree::<Value>(text);
        agree::<BTreeMap<u32, u8>>(&format!("{{\"{text}\":1}}"));
    }
    assert_eq!(read::<i8>("-0"), Ok(0));
    assert!(read::<f64>("-0").is_ok_and(f64::is_sign_negative));
    // Floats are exact to the last digit.
    assert_eq!(read::<f64>("1e-30"), Ok(1e-30));
}

#[test]
fn a_struct_is_an_object() {
    assert!(serde_json::from_str::<Order>(r#"[1,"a",null,"Unit",[],null]"#).is_ok());
    assert!(read::<Order>(r#"[1,"a",null,"Unit",[],null]"#).is_err());
    assert!(read::<Kind>(r#"{"Named":[5]}"#).is_err());
}

#[test]
fn depth_ends_where_it_ends_for_serde_json() {
    for depth in [126, 127, 128, 100_000] {
        let text = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(agree::<Value>(&text), depth <= 127);
    }
}

#[test]
fn what_is_dropped_is_noted() {
    let noted = |text: &str| {
        let mut reader = Reader::new(text);
        Order::deserialize(&mut reader).unwrap();
        reader.has_dropped()
    };
    assert!(!noted(r#"{"id":1,"name":"","kind":"Unit","old":null}"#));
    assert!(noted(r#"{"id":1,"name":"","kind":"Unit","x":null}"#));
    assert!(noted(
        r#"{"id":1,"name":"","kind":{"Named":{"at":1,"x":2}}}"#
    ));
    let mut reader = Reader::new(r#"{"id":3,"a":1}"#);
    Flat::deserialize(&mut reader).unwrap();
    assert!(reader.is_unsure() && !reader.has_dropped());
}

#[test]
fn an_absent_value_is_one_that_may_be() {
    assert_eq!(
        Option::<u8>::deserialize(&mut Reader::absent()).unwrap(),
        None
    );
    assert!(u8::deserialize(&mut Reader::absent()).is_err());
    assert!(<()>::deserialize(&mut Reader::absent()).is_err());
    assert!(Value::deserialize(&mut Reader::absent()).is_err());
    assert!(Wrapped::deserialize(&mut Reader::absent()).is_err());
    assert!(Order::deserialize(&mut Reader::absent()).is_err());
    assert!(u128::deserialize(&mut Reader::absent()).is_err());
    assert!(Vec::<u8>::deserialize(&mut Reader::absent()).is_err());
}

#[test]
fn an_error_says_what_came() {
    for (text, expected) in [
        ("true", "invalid type: boolean `true`, expected u8"),
        ("null", "invalid type: null, expected u8"),
        ("\"x\"", "invalid type: string \"x\", expected u8"),
        ("{}", "invalid type: map, expected u8"),
        ("1.5", "invalid type: floating point `1.5`, expected u8"),
        ("300", "invalid value: integer `300`, expected u8"),
        ("", "the text ends too early"),
    ] {
        assert_eq!(read::<u8>(text), Err(expected.to_owned()), "{text}");
    }
}
