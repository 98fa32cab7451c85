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

/// What came of it.
#[derive(
    ::std::fmt::Debug, ::std::default::Default, ::serde::Serialize, ::repertoire::ToolSchema,
)]
pub struct Outcome {
    /// How many there are.
    #[schema(min = 1, example = 3)]
    pub count: ::std::option::Option<u8>,
    /// How they are called.
    #[serde(default)]
    pub names: ::std::vec::Vec<::std::string::String>,
}

/// A shelf of tools.
#[derive(::std::fmt::Debug)]
pub struct Shelf;

#[::repertoire::toolbox(prefix = "bare_")]
impl Shelf {
    /// Look for something, and fail.
    #[tool(timeout = "5s", retries = 2, once(key = text), fallback = look_elsewhere)]
    async fn look(
        &self,
        /// What.
        #[arg(pattern = "^a", max_len = 9, default = "a", secret)]
        text: &str,
        /// How often.
        #[arg(default, max = 5)]
        times: u8,
        #[context] call: &::repertoire::Context,
        #[state] more: &u16,
    ) -> ::std::result::Result<Outcome, ::std::fmt::Error> {
        let _ = (text, times, call, more);
        ::std::result::Result::Err(::std::fmt::Error)
    }
}

/// Look for it somewhere else.
#[::repertoire::tool(name = "bare_look_elsewhere")]
fn look_elsewhere(
    /// What.
    #[arg(pattern = "^a", max_len = 9, default = "a")]
    text: &str,
    /// How often.
    #[arg(default, max = 5)]
    times: u8,
) -> ::std::result::Result<Outcome, ::std::fmt::Error> {
    let _ = (text, times);
    ::std::result::Result::Ok(<Outcome as ::std::default::Default>::default())
}
