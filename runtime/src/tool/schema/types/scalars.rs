//! Types without parts.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    num::NonZero,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde_json::{Number, Value, value::RawValue};

use crate::tool::schema::{
    Schema, ToolSchema,
    piece::{Length, Limits, Member, Piece},
};

macro_rules! text {
    ($($keywords:expr),*) => {
        Schema::of(&[Piece::Text(concat!("\"type\":\"string\",", $($keywords),*))])
    };
}

macro_rules! v4 {
    () => {
        concat!("(", octet!(), "[.]){3}", octet!())
    };
}

macro_rules! octet {
    () => {
        "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    };
}

/// An address in brackets, without the form that ends as an IPv4 address.
macro_rules! v6 {
    () => {
        concat!(
            r"\\[(",
            r"([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|",
            r"([0-9A-Fa-f]{1,4}:){1,7}:|",
            r"([0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}|",
            r"([0-9A-Fa-f]{1,4}:){1,5}(:[0-9A-Fa-f]{1,4}){1,2}|",
            r"([0-9A-Fa-f]{1,4}:){1,4}(:[0-9A-Fa-f]{1,4}){1,3}|",
            r"([0-9A-Fa-f]{1,4}:){1,3}(:[0-9A-Fa-f]{1,4}){1,4}|",
            r"([0-9A-Fa-f]{1,4}:){1,2}(:[0-9A-Fa-f]{1,4}){1,5}|",
            r"[0-9A-Fa-f]{1,4}:(:[0-9A-Fa-f]{1,4}){1,6}|",
            r":((:[0-9A-Fa-f]{1,4}){1,7}|:)",
            r")(%[0-9]{1,9})?\\]"
        )
    };
}

macro_rules! port {
    () => {
        "0*(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[0-5]?[0-9]{1,4})$"
    };
}

macro_rules! fixed {
    ($($type:ty: $schema:expr;)*) => {$(
        impl ToolSchema for $type {
            const SCHEMA: Schema = $schema;
        }
    )*};
}

const fn integer(minimum: &'static str, maximum: &'static str) -> Schema {
    Schema::INTEGER.limit(Limits::NONE.range(minimum, maximum))
}

/// Zero is refused by its own keyword where it lies within the range. It is no limit, which another
/// limit might replace.
const fn non_zero(minimum: &'static str, maximum: &'static str) -> Schema {
    NOT_ZERO.limit(Limits::NONE.range(minimum, maximum))
}

const NOT_ZERO: Schema = Schema::of(&[Piece::Text(r#""type":"integer","not":{"const":0}"#)]);
const U64: &str = "18446744073709551615";
const U128: &str = "340282366920938463463374607431768211455";

#[cfg(target_pointer_width = "64")]
const USIZE: &str = U64;
#[cfg(target_pointer_width = "64")]
const SIZE_LIMITS: Limits = Limits::NONE.range("-9223372036854775808", "9223372036854775807");
#[cfg(not(target_pointer_width = "64"))]
const USIZE: &str = "4294967295";
#[cfg(not(target_pointer_width = "64"))]
const SIZE_LIMITS: Limits = Limits::NONE.range("-2147483648", "2147483647");

/// Larger numbers are infinite once they are read.
const F32: Limits = Limits::NONE.range("-3.4028234663852886e38", "3.4028234663852886e38");

/// What the clock of every system holds.
const SECONDS: Schema = integer("0", "910692730085");

/// More would carry over into the seconds, which may then be too many.
const NANOS: Schema = integer("0", "999999999");

fixed! {
    bool: Schema::BOOLEAN;
    str: Schema::STRING;
    String: Schema::STRING;
    char: Schema::STRING.limit(Limits::NONE.length(Length::Characters, "1", "1"));
    f32: Schema::NUMBER.limit(F32);
    f64: Schema::NUMBER;
    i8: integer("-128", "127");
    i16: integer("-32768", "32767");
    i32: integer("-2147483648", "2147483647");
    i64: integer("-9223372036854775808", "9223372036854775807");
    i128: integer("-170141183460469231731687303715884105728", "170141183460469231731687303715884105727");
    isize: Schema::INTEGER.limit(SIZE_LIMITS);
    u8: integer("0", "255");
    u16: integer("0", "65535");
    u32: integer("0", "4294967295");
    u64: integer("0", U64);
    u128: integer("0", U128);
    usize: integer("0", USIZE);
    NonZero<i8>: non_zero("-128", "127");
    NonZero<i16>: non_zero("-32768", "32767");
    NonZero<i32>: non_zero("-2147483648", "2147483647");
    NonZero<i64>: non_zero("-9223372036854775808", "9223372036854775807");
    NonZero<i128>: non_zero("-170141183460469231731687303715884105728", "170141183460469231731687303715884105727");
    NonZero<isize>: NOT_ZERO.limit(SIZE_LIMITS);
    NonZero<u8>: integer("1", "255");
    NonZero<u16>: integer("1", "65535");
    NonZero<u32>: integer("1", "4294967295");
    NonZero<u64>: integer("1", U64);
    NonZero<u128>: integer("1", U128);
    NonZero<usize>: integer("1", USIZE);
    (): Schema::of(&[Piece::Text(r#""type":"null""#)]);
    Path: Schema::STRING;
    PathBuf: Schema::STRING;
    IpAddr: Schema::of(&[
        Piece::Text("\"anyOf\":["),
        Piece::Schema(&Ipv4Addr::SCHEMA),
        Piece::Text(","),
        Piece::Schema(&Ipv6Addr::SCHEMA),
        Piece::Text("]"),
    ]);
    Ipv4Addr: text!(r#""format":"ipv4""#);
    Ipv6Addr: text!(r#""format":"ipv6""#);
    SocketAddr: text!("\"pattern\":\"", "^(", v4!(), "|", v6!(), "):", port!(), "\",\"examples\":[\"192.0.2.1:80\"]");
    SocketAddrV4: text!("\"pattern\":\"", "^", v4!(), ":", port!(), "\",\"examples\":[\"192.0.2.1:80\"]");
    SocketAddrV6: text!("\"pattern\":\"", "^", v6!(), ":", port!(), "\",\"examples\":[\"[2001:db8::1]:80\"]");
    Duration: Schema::of(&[Piece::Object(&[
        Member::new("secs", &u64::SCHEMA, ""),
        Member::new("nanos", &NANOS, ""),
    ])]);
    SystemTime: Schema::of(&[Piece::Object(&[
        Member::new("secs_since_epoch", &SECONDS, ""),
        Member::new("nanos_since_epoch", &NANOS, ""),
    ])]);
    Value: Schema::ANY;
    RawValue: Schema::ANY;
    Number: Schema::NUMBER;
}
