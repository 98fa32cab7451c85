//! What a plain `#[tool]` gives: a spec in constants, and a call from JSON text to text.

use std::{collections::BTreeMap, path::Path};

use repertoire::{
    Tool, ToolError, ToolSchema, ToolSpec, tool,
    tool::{ErrorKind, Invocation, States},
};
use serde_json::json;

struct Inventory {
    stock: u32,
}

#[derive(Debug)]
struct StockError;

impl std::fmt::Display for StockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no stock")
    }
}

impl std::error::Error for StockError {}

/// How a parcel travels.
#[derive(Debug, serde::Deserialize, ToolSchema)]
#[serde(rename_all = "snake_case")]
enum Shipping {
    /// Three to five days.
    Standard,
    /// The next day.
    NextDay,
}

/// A line of an order.
#[allow(dead_code)]
#[derive(Debug, serde::Deserialize, ToolSchema)]
struct Line {
    /// What to send.
    sku: String,
    count: Option<u8>,
}

/// Look up available
/// warehouse "stock".
///
/// More for people.
///
/// # Guidelines
///
/// - Check before
///   promising.
/// - Never guess.
///
/// # Errors
///
/// Never reaches the model.
#[tool(deferred, snippet = "warehouse_stock(sku)")]
async fn warehouse_stock(
    /// Stock keeping unit, for example "A-1042".
    sku: &str,
    #[state] inventory: &Inventory,
) -> Result<String, StockError> {
    if sku == "none" {
        return Err(StockError);
    }
    Ok(format!("{sku}: {}", inventory.stock))
}

/// Takes all forms of parameters.
#[tool(allow(undocumented), toolset = "forms", name = "all-forms")]
#[allow(clippy::too_many_arguments)]
fn all_forms(
    text: &str,
    maybe: Option<&str>,
    list: &[Line],
    path: &Path,
    shipping: &Shipping,
    line: Option<&Line>,
    map: BTreeMap<String, u64>,
    pair: (i8, bool),
    #[arg(rename = "type")] mut kind: Option<Shipping>,
) -> Option<String> {
    let kind = kind.take();
    Some(format!(
        "{text:?} {maybe:?} {list:?} {path:?} {shipping:?} {line:?} {map:?} {pair:?} {kind:?}"
    ))
}

/// Does nothing.
#[tool(unlinked, type = Nothing)]
fn nothing() {}

const _: &str = warehouse_stock::SPEC.schema;
const SPEC: ToolSpec = warehouse_stock::SPEC;

async fn call<T: Tool>(arguments: &str) -> Result<String, ToolError> {
    let mut states = States::new();
    states.insert(Inventory { stock: 7 });
    let run = T::REGISTRATION.call();
    run(Invocation::new(arguments, &states))
        .await
        .map(|output| output.to_text())
}

#[test]
fn the_spec_is_read_from_the_function() {
    assert_eq!(SPEC.name, "warehouse_stock");
    assert_eq!(SPEC.description, "Look up available warehouse \"stock\".");
    assert_eq!(SPEC.snippet, Some("warehouse_stock(sku)"));
    assert_eq!(SPEC.guidelines, ["Check before promising.", "Never guess."]);
    let deferred = SPEC.deferred;
    assert!(deferred);
    assert_eq!(SPEC.toolset, None);
    assert_eq!(SPEC.package, "repertoire-tests");
    assert_eq!(SPEC.module, module_path!());
    assert!(SPEC.file.ends_with("basics.rs"));
    let line = include_str!("basics.rs")
        .lines()
        .nth(SPEC.line as usize - 1);
    assert_eq!(line, Some("async fn warehouse_stock("));
    assert_eq!(SPEC.states.len(), 1);
    assert_eq!(SPEC.states[0].name, "Inventory");
    assert_eq!(all_forms::SPEC.toolset, Some("forms"));
    assert_eq!(all_forms::SPEC.name, "all-forms");
}

#[test]
fn the_schema_is_canonical() {
    assert_eq!(
        SPEC.schema,
        r#"{"type":"object","properties":{"sku":{"description":"Stock keeping unit, for example \"A-1042\".","type":"string"}},"required":["sku"],"additionalProperties":false}"#
    );
    assert_eq!(
        Nothing::SPEC.schema,
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    let schema: serde_json::Value = serde_json::from_str(all_forms::SPEC.schema).unwrap();
    let shipping = json!({
        "description": "How a parcel travels.\n- `standard`: Three to five days.\n- `next_day`: The next day.",
        "type": "string",
        "enum": ["standard", "next_day"],
    });
    let line = json!({
        "description": "A line of an order.",
        "type": "object",
        "properties": {
            "sku": {"description": "What to send.", "type": "string"},
            "count": {"type": "integer", "minimum": 0, "maximum": 255},
        },
        "required": ["sku"],
        "additionalProperties": false,
    });
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "maybe": {"type": "string"},
                "list": {"type": "array", "items": line},
                "path": {"type": "string"},
                "shipping": shipping,
                "line": line,
                "map": {
                    "type": "object",
                    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": u64::MAX},
                },
                "pair": {
                    "type": "array",
                    "prefixItems": [
                        {"type": "integer", "minimum": -128, "maximum": 127},
                        {"type": "boolean"},
                    ],
                    "minItems": 2,
                    "maxItems": 2,
                },
                "type": shipping,
            },
            "required": ["text", "list", "path", "shipping", "map", "pair"],
            "additionalProperties": false,
        })
    );
}

#[tokio::test]
async fn a_call_goes_from_text_to_text() {
    let result = call::<warehouse_stock>(r#"{"sku":"A-1042"}"#).await;
    assert_eq!(result.unwrap(), "A-1042: 7");
    let error = call::<warehouse_stock>(r#"{"sku":"none"}"#)
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "no stock");
    assert_eq!(call::<Nothing>("").await.unwrap(), "done");
    assert_eq!(call::<Nothing>("{}").await.unwrap(), "done");
    let all = call::<all_forms>(
        r#"{"text":"a\n","list":[{"sku":"x"}],"path":"/p","shipping":"standard",
            "map":{"k":1},"pair":[1,true],"type":"next_day"}"#,
    );
    assert_eq!(
        all.await.unwrap(),
        serde_json::to_string(
            r#""a\n" None [Line { sku: "x", count: None }] "/p" Standard None {"k": 1} (1, true) Some(NextDay)"#
        )
        .unwrap()
    );
}

#[tokio::test]
async fn what_is_wrong_is_said_at_once() {
    let error = call::<all_forms>(
        r#"{"text":true,"list":[{"sku":"x","count":300},{}],"path":"/p","shipping":"nextday",
            "mapp":{},"pair":[1,true,3],"type":null}"#,
    )
    .await
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.code(), Some("R0001"));
    let problems: Vec<&str> = error
        .message()
        .strip_prefix("the arguments do not fit: ")
        .unwrap()
        .split("; ")
        .collect();
    assert_eq!(
        problems,
        [
            "`/list/0/count`: expected at most 255, got 300",
            "`/list/1/sku`: missing, expected a string",
            "`/mapp`: unknown key, did you mean `map`?",
            "`/pair`: expected at most 2 items, got 3",
            "`/shipping`: expected one of \"standard\", \"next_day\", got the string \"nextday\", did you mean \"next_day\"?",
            "`/text`: expected a string, got true",
            "`/map`: missing, expected an object",
        ]
    );
}

#[tokio::test]
async fn a_missing_state_is_an_error() {
    let states = States::new();
    let call = warehouse_stock::REGISTRATION.call();
    let error = call(Invocation::new(r#"{"sku":"A"}"#, &states)).await;
    let error = error.unwrap_err();
    assert_eq!(error.code(), Some("R0004"));
    assert!(error.message().contains("`Inventory`"), "{error}");
}

#[test]
fn the_function_is_still_a_function() {
    assert!(
        all_forms(
            "",
            None,
            &[],
            Path::new(""),
            &Shipping::Standard,
            None,
            BTreeMap::new(),
            (0, true),
            None
        )
        .is_some()
    );
    nothing();
}
