//! Forms of functions that other crates refuse and this one takes.

use std::borrow::Cow;

use repertoire::{ToolError, ToolOutput, tool};

use crate::call;

type Result<T> = std::result::Result<T, std::io::Error>;
type Maybe = Option<u8>;

/// A lifetime is no obstacle.
#[tool(allow(undocumented))]
fn borrowed<'a>(text: &'a str, more: Cow<'_, str>, rest: Option<&'a [u8]>) -> &'a str {
    let _ = (more, rest);
    text
}

/// An alias hides `Result`.
#[tool]
fn aliased() -> Result<u8> {
    Err(std::io::Error::other("no disk"))
}

/// An alias hides `Option`.
#[tool(allow(undocumented))]
fn optional(value: Maybe) -> String {
    format!("{value:?}")
}

#[derive(Debug, thiserror::Error)]
#[error("search failed")]
struct Failed(#[source] Cause);

#[derive(Debug, thiserror::Error)]
#[error("no route to host")]
struct Cause;

/// An error has a cause.
#[tool]
fn caused() -> std::result::Result<(), Failed> {
    Err(Failed(Cause))
}

struct Coded;

impl From<Coded> for ToolError {
    fn from(_: Coded) -> Self {
        ToolError::failed("search service timeout after 5s").with_code("E1001")
    }
}

/// An error has a code.
#[tool]
async fn coded() -> std::result::Result<(), Coded> {
    Err(Coded)
}

/// An error is a text.
#[tool]
fn worded() -> std::result::Result<(), String> {
    Err("no such\n place".into())
}

/// An output is made by hand.
#[tool]
fn by_hand() -> ToolOutput {
    ToolOutput::text("by hand")
}

/// A raw name.
#[tool]
fn r#match(
    /// A raw name.
    r#type: u8,
) -> impl std::fmt::Display + serde::Serialize {
    r#type
}

macro_rules! made_by_a_macro {
    ($name:ident, $type:ty) => {
        /// Made by a macro.
        #[tool(allow(undocumented))]
        fn $name(value: $type, list: &[$type]) -> $type {
            list.first().copied().unwrap_or(value)
        }
    };
}

made_by_a_macro!(made_small, u8);
made_by_a_macro!(made_large, f64);

#[tokio::test]
async fn each_form_is_called() {
    let text = call::<borrowed>(r#"{"text":"a\"b","more":"m"}"#).await;
    assert_eq!(text, "a\"b");
    assert_eq!(call::<aliased>("").await, "! no disk");
    assert_eq!(call::<optional>("{}").await, "None");
    assert_eq!(call::<optional>(r#"{"value":null}"#).await, "None");
    assert_eq!(call::<optional>(r#"{"value":7}"#).await, "Some(7)");
    assert_eq!(
        call::<caused>("").await,
        "! search failed: no route to host"
    );
    assert_eq!(
        call::<coded>("").await,
        "! E1001: search service timeout after 5s"
    );
    assert_eq!(call::<worded>("").await, "! no such place");
    assert_eq!(call::<by_hand>("").await, "by hand");
    assert_eq!(call::<r#match>(r#"{"type":3}"#).await, "3");
    assert_eq!(call::<made_small>(r#"{"value":1,"list":[2]}"#).await, "2");
    assert_eq!(
        call::<made_large>(r#"{"value":1.5,"list":[]}"#).await,
        "1.5"
    );
}

#[test]
fn names_and_required_follow_the_types() {
    assert_eq!(r#match::SPEC.name, "match");
    assert!(
        optional::SPEC
            .schema
            .starts_with(r#"{"type":"object","properties":{"value":{"#)
    );
    assert!(!optional::SPEC.schema.contains("required"));
}

#[tokio::test]
async fn what_is_no_object_is_refused_in_words() {
    for (arguments, answer) in [
        (
            "nonsense",
            "! R0001: the arguments are not JSON: expected ident at line 1 column 2; send one JSON object, got `nonsense`",
        ),
        (
            r#"{"value":1"#,
            "! R0001: the arguments are cut off: the JSON ends too early; send one JSON object, got `{\"value\":1`",
        ),
        (
            "[1]",
            "! R0001: the arguments do not fit: expected an object, got an array",
        ),
        (
            "null",
            "! R0001: the arguments do not fit: expected an object, got null",
        ),
        (
            r#"{"value":1,"value":2}"#,
            "! R0001: the arguments do not fit: `/value`: given twice",
        ),
        (
            r#"{"value":1} x"#,
            "! R0001: the arguments are not JSON: trailing characters at line 1 column 13; send one JSON object, got `{\"value\":1} x`",
        ),
        (
            r#"{"valeu":1}"#,
            "! R0001: the arguments do not fit: `/valeu`: unknown key, did you mean `value`?",
        ),
        (
            r#"{"value":1.5}"#,
            "! R0001: the arguments do not fit: `/value`: expected a whole number, got 1.5",
        ),
        (
            r#"{"value":"7 up"}"#,
            "! R0001: the arguments do not fit: `/value`: expected a whole number, got the string \"7 up\"",
        ),
    ] {
        assert_eq!(call::<optional>(arguments).await, answer);
    }
}
