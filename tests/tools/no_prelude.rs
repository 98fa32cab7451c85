//! Generated code needs no prelude.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, nonstandard_style, unreachable_pub)]

extern crate repertoire as another_name;
extern crate std;

/// Add numbers.
#[another_name::tool(crate = ::another_name)]
#[must_use]
pub fn add(
    /// One.
    a: u8,
    /// Another.
    b: ::std::option::Option<u8>,
    /// A text.
    text: &str,
) -> ::std::string::String {
    let _ = (a, b);
    ::std::string::ToString::to_string(text)
}

/// A type.
#[derive(::serde::Deserialize, ::repertoire::ToolSchema)]
#[allow(dead_code)]
struct Line {
    /// What.
    sku: ::std::string::String,
}

/// Take a line.
#[::repertoire::tool]
fn take(
    /// The line.
    line: Line,
) {
    let _ = line;
}
