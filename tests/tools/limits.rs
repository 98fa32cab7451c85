//! `#[arg(...)]`: one source for the schema and for the check.

use repertoire::tool;
use serde_json::json;

use crate::{call, schema};

/// Everything has limits.
#[tool(allow(undocumented))]
fn limited(
    #[arg(min = 1, max = 1_000)] count: u32,
    #[arg(min = -0.5, max = 1)] ratio: Option<f64>,
    #[arg(min_len = 2, max_len = 4)] text: Option<&str>,
    #[arg(max_len = 2)] list: Option<Vec<u8>>,
    #[arg(pattern = "^[A-Z]-[0-9]+$", example = ["A-1", "B-2"])] sku: Option<String>,
    #[arg(rename = "type", example = true)] kind: Option<bool>,
) -> String {
    format!("{count} {ratio:?} {text:?} {list:?} {sku:?} {kind:?}")
}

/// Everything has a default.
#[tool(allow(undocumented))]
#[allow(clippy::too_many_arguments)]
fn defaulted(
    #[arg(default = 5, min = 1)] count: u32,
    #[arg(default = -1.5)] ratio: f64,
    #[arg(default = "EUR")] currency: &str,
    #[arg(default = "x")] owned: String,
    #[arg(default)] list: Vec<u8>,
    #[arg(default = vec![1, 2])] slice: &[u8],
    #[arg(default = Some(3))] maybe: Option<u8>,
    #[arg(default = true)] flag: bool,
) -> String {
    format!("{count} {ratio} {currency} {owned} {list:?} {slice:?} {maybe:?} {flag}")
}

/// Secrets are named in the spec.
#[tool(allow(undocumented))]
fn login(#[arg(secret)] password: &str, name: &str) {
    let _ = (password, name);
}

#[test]
fn limits_are_in_the_schema() {
    assert_eq!(
        schema::<limited>(),
        json!({
            "type": "object",
            "properties": {
                "count": {"type": "integer", "minimum": 1, "maximum": 1000},
                "ratio": {"type": "number", "minimum": -0.5, "maximum": 1},
                "text": {"type": "string", "minLength": 2, "maxLength": 4},
                "list": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 0, "maximum": 255},
                    "maxItems": 2,
                },
                "sku": {"type": "string", "pattern": "^[A-Z]-[0-9]+$", "examples": ["A-1", "B-2"]},
                "type": {"type": "boolean", "examples": [true]},
            },
            "required": ["count"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn defaults_are_in_the_schema_where_they_are_literals() {
    let properties = &schema::<defaulted>()["properties"];
    let defaults: Vec<_> = properties
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, property)| (name.as_str(), property.get("default").cloned()))
        .collect();
    let expected = [
        ("count", Some(json!(5))),
        ("currency", Some(json!("EUR"))),
        ("flag", Some(json!(true))),
        ("list", None),
        ("maybe", None),
        ("owned", Some(json!("x"))),
        ("ratio", Some(json!(-1.5))),
        ("slice", None),
    ];
    assert_eq!(defaults, expected);
    assert_eq!(schema::<defaulted>().get("required"), None);
}

#[tokio::test]
async fn limits_are_checked() {
    let fits = r#"{"count":1,"ratio":1,"text":"äöüß","list":[1,2],"sku":"A-17","type":false}"#;
    let answer = r#"1 Some(1.0) Some("äöüß") Some([1, 2]) Some("A-17") Some(false)"#;
    assert_eq!(call::<limited>(fits).await, answer);
    for (arguments, problem) in [
        (r#"{"count":0}"#, "`/count`: expected at least 1, got 0"),
        (
            r#"{"count":1001}"#,
            "`/count`: expected at most 1000, got 1001",
        ),
        (
            r#"{"count":1,"ratio":-0.6}"#,
            "`/ratio`: expected at least -0.5, got -0.6",
        ),
        (
            r#"{"count":1,"ratio":1.1}"#,
            "`/ratio`: expected at most 1, got 1.1",
        ),
        (
            r#"{"count":1,"text":"ä"}"#,
            "`/text`: expected at least 2 characters, got 1",
        ),
        (
            r#"{"count":1,"text":"abcde"}"#,
            "`/text`: expected at most 4 characters, got 5",
        ),
        (
            r#"{"count":1,"list":[1,2,3]}"#,
            "`/list`: expected at most 2 items, got 3",
        ),
        (
            r#"{"count":1,"sku":"a-1"}"#,
            "`/sku`: expected a match of `^[A-Z]-[0-9]+$`, such as \"A-1\", got the string \"a-1\"",
        ),
    ] {
        let expected = format!("! R0001: the arguments do not fit: {problem}");
        assert_eq!(call::<limited>(arguments).await, expected);
    }
}

#[tokio::test]
async fn defaults_stand_for_what_is_absent_or_null() {
    let all = "5 -1.5 EUR x [] [1, 2] Some(3) true";
    assert_eq!(call::<defaulted>("").await, all);
    let nulls = r#"{"count":null,"ratio":null,"currency":null,"owned":null,"list":null,
        "slice":null,"maybe":null,"flag":null}"#;
    assert_eq!(call::<defaulted>(nulls).await, all);
    let given = r#"{"count":1,"ratio":2,"currency":"USD","owned":"y","list":[3],"slice":[],
        "maybe":4,"flag":false}"#;
    assert_eq!(
        call::<defaulted>(given).await,
        "1 2 USD y [3] [] Some(4) false"
    );
    assert_eq!(
        call::<defaulted>(r#"{"count":0}"#).await,
        "! R0001: the arguments do not fit: `/count`: expected at least 1, got 0"
    );
}

#[test]
fn secrets_are_named() {
    assert_eq!(login::SPEC.secrets, ["password"]);
}
