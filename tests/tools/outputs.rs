//! What a tool returns has a schema where its type has one.

use std::{borrow::Cow, collections::BTreeMap};

use repertoire::{Tool, ToolError, ToolOutput, ToolSchema, tool};
use serde::{Deserialize, Serialize};

/// What is in stock.
#[derive(Deserialize, Serialize, ToolSchema)]
struct Stock {
    /// How many pieces.
    pieces: u32,
}

/// Two levels.
#[derive(Deserialize, Serialize, ToolSchema)]
#[serde(rename_all = "snake_case")]
enum Level {
    Low,
    High,
}

#[derive(Serialize)]
struct Unknown {
    pieces: u32,
}

type Shortened<T> = Result<T, ToolError>;

/// Stock.
#[tool(unlinked)]
fn plain() -> Stock {
    Stock { pieces: 1 }
}

/// Stock.
#[tool(unlinked)]
async fn fallible() -> Result<Stock, ToolError> {
    Ok(plain())
}

/// Stock.
#[tool(unlinked)]
fn by_alias() -> Shortened<Vec<Stock>> {
    Ok(vec![plain()])
}

/// A level.
#[tool(unlinked)]
fn level(
    /// Which.
    high: bool,
) -> Option<Level> {
    Some(if high { Level::High } else { Level::Low })
}

/// Counts.
#[tool(unlinked, allow(repeated_name))]
fn counts() -> BTreeMap<String, u8> {
    BTreeMap::new()
}

/// No schema.
#[tool(unlinked)]
fn unknown() -> Unknown {
    Unknown { pieces: 1 }
}

/// Text.
#[tool(unlinked, allow(repeated_name))]
fn text() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Text.
#[tool(unlinked)]
fn borrowed() -> Cow<'static, str> {
    "".into()
}

/// An output.
#[tool(unlinked)]
fn output() -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::text(""))
}

/// Nothing.
#[tool(unlinked, allow(repeated_name))]
fn nothing() {}

fn of<T: Tool>() -> Option<&'static str> {
    T::SPEC.output_schema
}

#[test]
fn the_schema_of_the_result_is_a_constant() {
    const STOCK: Option<&str> = plain::SPEC.output_schema;
    let stock = r#"{"type":"object","properties":{"pieces":{"description":"How many pieces.","type":"integer","minimum":0,"maximum":4294967295}},"required":["pieces"],"additionalProperties":false}"#;
    assert_eq!(STOCK, Some(stock));
    assert_eq!(of::<fallible>(), Some(stock));
    let item = format!(r#"{{"description":"What is in stock.",{}"#, &stock[1..]);
    let list = format!(r#"{{"type":"array","items":{item}}}"#);
    assert_eq!(of::<by_alias>(), Some(list.as_str()));
    let level = of::<level>().unwrap();
    assert!(
        level.contains(r#""low""#) && level.contains(r#""high""#),
        "{level}"
    );
    assert!(
        of::<counts>()
            .unwrap()
            .contains(r#""additionalProperties":{"type":"integer""#)
    );
}

#[test]
fn text_and_what_is_not_known_have_none() {
    for schema in [
        of::<unknown>(),
        of::<text>(),
        of::<borrowed>(),
        of::<output>(),
        of::<nothing>(),
    ] {
        assert_eq!(schema, None);
    }
    assert_eq!(unknown().pieces, 1);
}
