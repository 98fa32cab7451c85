//! Types of other crates, each behind a feature of its crate's name, as serde reads them.
//!
//! | type | schema |
//! |---|---|
//! | `uuid::Uuid` | format `uuid` |
//! | `url::Url` | format `uri` |
//! | `chrono::DateTime<Tz>` | format `date-time` |
//! | `chrono::NaiveDate`, `NaiveTime`, `NaiveDateTime` | formats `date`, `partial-time`, `partial-date-time` |
//! | `time::Date` | format `date` |
//! | `time::Time`, `PrimitiveDateTime`, `OffsetDateTime` | the pattern of `serde-human-readable`, with an example |
//! | `rust_decimal::Decimal` | a number, or text with up to 28 digits on either side of the point |

#![allow(unused_macros, unused_imports)] // without features

use crate::tool::schema::{Schema, ToolSchema, piece::Piece};

macro_rules! text {
    ($feature:literal: $($type:ty: $($keywords:expr),*;)*) => {$(
        #[cfg(feature = $feature)]
        impl ToolSchema for $type {
            const SCHEMA: Schema =
                Schema::of(&[Piece::Text(concat!("\"type\":\"string\",", $($keywords),*))]);
        }
    )*};
}

text! { "uuid": uuid::Uuid: r#""format":"uuid""#; }
text! { "url": url::Url: r#""format":"uri""#; }
text! { "chrono":
    chrono::NaiveDate: r#""format":"date""#;
    chrono::NaiveTime: r#""format":"partial-time""#;
    chrono::NaiveDateTime: r#""format":"partial-date-time""#;
}

#[cfg(feature = "chrono")]
impl<Tz: chrono::TimeZone> ToolSchema for chrono::DateTime<Tz> {
    const SCHEMA: Schema = Schema::of(&[Piece::Text(r#""type":"string","format":"date-time""#)]);
}

macro_rules! day {
    () => {
        "[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)"
    };
}

macro_rules! clock {
    () => {
        "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{1,9}"
    };
}

text! { "time":
    time::Date: r#""format":"date""#;
    time::Time: "\"pattern\":\"^", clock!(), "$\",\"examples\":[\"09:30:00.0\"]";
    time::PrimitiveDateTime: "\"pattern\":\"^", day!(), " ", clock!(),
        "$\",\"examples\":[\"2026-01-31 09:30:00.0\"]";
    time::OffsetDateTime: "\"pattern\":\"^", day!(), " ", clock!(),
        " [+-]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$\",\"examples\":[\"2026-01-31 09:30:00.0 +01:00:00\"]";
}

#[cfg(feature = "rust_decimal")]
impl ToolSchema for rust_decimal::Decimal {
    const SCHEMA: Schema = Schema::of(&[Piece::Text(concat!(
        r#""anyOf":[{"type":"string","pattern":"^-?[0-9]{1,28}([.][0-9]{1,28})?$"},"#,
        r#"{"type":"number","minimum":-7.9e28,"maximum":7.9e28}]"#
    ))]);
}
