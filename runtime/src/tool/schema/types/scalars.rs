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

macro_rules! fixed {
    ($($type:ty: $schema:expr;)*) => {$(
        impl ToolSchema for $type {
            const SCHEMA: Schema = $schema;
        }
    )*};
}

const fn string(format: &'static str) -> Schema {
    Schema::STRING.limit(Limits::NONE.rest(format))
}

const fn integer(minimum: &'static str, maximum: &'static str) -> Schema {
    Schema::INTEGER.limit(Limits::NONE.range(minimum, maximum))
}

/// Zero is refused by its own keyword where it lies within the range.
const fn non_zero(minimum: &'static str, maximum: &'static str) -> Schema {
    integer(minimum, maximum).limit(Limits::NONE.rest(r#","not":{"const":0}"#))
}

fixed! {
    bool: Schema::BOOLEAN;
    str: Schema::STRING;
    String: Schema::STRING;
    char: Schema::STRING.limit(Limits::NONE.length(Length::Characters, "1", "1"));
    f32: Schema::NUMBER;
    f64: Schema::NUMBER;
    i8: integer("-128", "127");
    i16: integer("-32768", "32767");
    i32: integer("-2147483648", "2147483647");
    i64: Schema::INTEGER;
    i128: Schema::INTEGER;
    isize: Schema::INTEGER;
    u8: integer("0", "255");
    u16: integer("0", "65535");
    u32: integer("0", "4294967295");
    u64: integer("0", "");
    u128: integer("0", "");
    usize: integer("0", "");
    NonZero<i8>: non_zero("-128", "127");
    NonZero<i16>: non_zero("-32768", "32767");
    NonZero<i32>: non_zero("-2147483648", "2147483647");
    NonZero<i64>: non_zero("", "");
    NonZero<i128>: non_zero("", "");
    NonZero<isize>: non_zero("", "");
    NonZero<u8>: integer("1", "255");
    NonZero<u16>: integer("1", "65535");
    NonZero<u32>: integer("1", "4294967295");
    NonZero<u64>: integer("1", "");
    NonZero<u128>: integer("1", "");
    NonZero<usize>: integer("1", "");
    (): Schema::of(&[Piece::Text(r#""type":"null""#)]);
    Path: Schema::STRING;
    PathBuf: Schema::STRING;
    IpAddr: string(r#","format":"ip""#);
    Ipv4Addr: string(r#","format":"ipv4""#);
    Ipv6Addr: string(r#","format":"ipv6""#);
    SocketAddr: Schema::STRING;
    SocketAddrV4: Schema::STRING;
    SocketAddrV6: Schema::STRING;
    Duration: Schema::of(&[Piece::Object(&[
        Member::new("secs", &u64::SCHEMA, ""),
        Member::new("nanos", &u32::SCHEMA, ""),
    ])]);
    SystemTime: Schema::of(&[Piece::Object(&[
        Member::new("secs_since_epoch", &u64::SCHEMA, ""),
        Member::new("nanos_since_epoch", &u32::SCHEMA, ""),
    ])]);
    Value: Schema::ANY;
    RawValue: Schema::ANY;
    Number: Schema::NUMBER;
}
