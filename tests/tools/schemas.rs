//! What `#[derive(ToolSchema)]` writes, byte for byte, and the limits it checks.

use repertoire::{Tool, ToolSchema, tool};
use serde::Deserialize;

use crate::call;

/// The schema of the only parameter `value`, as it stands in the text.
fn of<T: Tool>() -> &'static str {
    let schema = T::SPEC.schema;
    let (_, rest) = schema.split_once(r#"{"value":"#).unwrap();
    rest.strip_suffix(r#"},"required":["value"],"additionalProperties":false}"#)
        .unwrap_or(rest)
}

/// A point in space, for all who need one.
///
/// This is for people.
#[derive(Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Point {
    /// To the right.
    x: f64,
    #[schema(min = 0, example = 1.5)]
    height: Option<f64>,
}

/// A shape.
#[derive(Deserialize, ToolSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Shape {
    /// Round.
    Circle {
        /// In metres.
        radius: f64,
    },
    Square(Point),
}

/// How loud.
#[derive(Debug, Deserialize, ToolSchema)]
enum Level {
    /// Hardly "heard".
    Low,
    High,
}

#[derive(Debug, Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Tree {
    level: Level,
    /// Below.
    children: Vec<Tree>,
}

mod other {
    /// A tree of another sort.
    #[derive(serde::Deserialize, repertoire::ToolSchema)]
    #[allow(dead_code)]
    pub(crate) struct Tree {
        pub(crate) left: Option<Box<Tree>>,
    }
}

#[derive(Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Woods {
    a: Tree,
    b: other::Tree,
}

mod part {
    /// Of the same name as what holds it.
    #[derive(serde::Deserialize, repertoire::ToolSchema)]
    #[allow(dead_code)]
    pub(crate) struct Box {
        pub(crate) size: u8,
    }
}

#[derive(Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Box {
    parts: Vec<part::Box>,
    inner: Option<std::boxed::Box<Self>>,
}

/// A count of things.
#[derive(Debug, Deserialize, ToolSchema)]
struct Count(#[schema(min = 1, max = 9)] u32);

#[derive(Debug, Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Order {
    #[schema(min_len = 1, max_len = 2)]
    counts: Vec<Count>,
    #[schema(pattern = "^[a-z]+$")]
    note: Option<String>,
    inner: Option<std::boxed::Box<Order>>,
}

mod text {
    use serde::{Deserialize, Deserializer};

    pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Debug, Deserialize, ToolSchema)]
struct Foreign {
    #[serde(deserialize_with = "text::number")]
    #[schema(as = String)]
    number: u8,
}

/// Point.
#[tool(allow(repeated_name))]
fn point(
    /// Where to go.
    value: Point,
) {
    let _ = value;
}

/// Shape.
#[tool(allow(undocumented, repeated_name))]
fn shape(value: Shape) {
    let _ = value;
}

/// Level.
#[tool(allow(repeated_name))]
fn level(
    /// Of the music.
    value: Level,
) {
    let _ = value;
}

/// Level.
#[tool(allow(undocumented))]
fn plain_level(value: Level) {
    let _ = value;
}

/// Tree.
#[tool(allow(undocumented, repeated_name))]
fn tree(value: Tree) {
    let _ = value;
}

/// Woods.
#[tool(allow(undocumented, repeated_name))]
fn woods(value: Woods) {
    let _ = value;
}

/// Boxes.
#[tool(allow(undocumented, repeated_name))]
fn boxes(value: Box) {
    let _ = value;
}

/// Count.
#[tool(allow(repeated_name))]
fn count(
    /// How many.
    value: Count,
) -> String {
    format!("{value:?}")
}

/// Order.
#[tool(allow(undocumented, repeated_name))]
fn order(value: Order) -> String {
    format!("{value:?}")
}

/// Foreign.
#[tool(allow(undocumented, repeated_name))]
fn foreign(value: Foreign) -> u8 {
    value.number
}

#[test]
fn a_parameters_description_replaces_the_types() {
    assert_eq!(
        of::<point>(),
        r#"{"description":"Where to go.","type":"object","properties":{"x":{"description":"To the right.","type":"number"},"height":{"type":"number","minimum":0,"examples":[1.5]}},"required":["x"],"additionalProperties":false}"#
    );
    assert_eq!(
        of::<count>(),
        r#"{"description":"How many.","type":"integer","minimum":1,"maximum":9}"#
    );
}

#[test]
fn variants_are_described_where_they_stand() {
    assert_eq!(
        of::<shape>(),
        r#"{"description":"A shape.","anyOf":[{"description":"Round.","type":"object","properties":{"kind":{"type":"string","enum":["circle"]},"radius":{"description":"In metres.","type":"number"}},"required":["kind","radius"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","enum":["square"]},"x":{"description":"To the right.","type":"number"},"height":{"type":"number","minimum":0,"examples":[1.5]}},"required":["kind","x"],"additionalProperties":false}]}"#
    );
}

#[test]
fn names_are_described_after_the_whole() {
    let names = r#""type":"string","enum":["Low","High"]}"#;
    let low = r#"- `Low`: Hardly \"heard\"."#;
    let expected = format!(r#"{{"description":"Of the music.\n{low}",{names}"#);
    assert_eq!(of::<level>(), expected);
    let expected = format!(r#"{{"description":"How loud.\n{low}",{names}"#);
    assert_eq!(of::<plain_level>(), expected);
}

#[test]
fn only_what_holds_itself_is_a_definition() {
    let level = r#"{"description":"How loud.\n- `Low`: Hardly \"heard\".","type":"string","enum":["Low","High"]}"#;
    let definition = format!(
        r##"{{"type":"object","properties":{{"level":{level},"children":{{"description":"Below.","type":"array","items":{{"$ref":"#/$defs/Tree"}}}}}},"required":["level","children"],"additionalProperties":false}}"##
    );
    assert_eq!(
        tree::SPEC.schema,
        format!(
            r##"{{"type":"object","properties":{{"value":{{"$ref":"#/$defs/Tree"}}}},"required":["value"],"additionalProperties":false,"$defs":{{"Tree":{definition}}}}}"##
        )
    );
    let other = r##"{"description":"A tree of another sort.","type":"object","properties":{"left":{"$ref":"#/$defs/Tree2"}},"additionalProperties":false}"##;
    assert_eq!(
        woods::SPEC.schema,
        format!(
            r##"{{"type":"object","properties":{{"value":{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/Tree"}},"b":{{"$ref":"#/$defs/Tree2"}}}},"required":["a","b"],"additionalProperties":false}}}},"required":["value"],"additionalProperties":false,"$defs":{{"Tree":{definition},"Tree2":{other}}}}}"##
        )
    );
}

#[test]
fn a_type_of_the_same_name_elsewhere_is_another() {
    let part = r#"{"description":"Of the same name as what holds it.","type":"object","properties":{"size":{"type":"integer","minimum":0,"maximum":255}},"required":["size"],"additionalProperties":false}"#;
    assert_eq!(
        boxes::SPEC.schema,
        format!(
            r##"{{"type":"object","properties":{{"value":{{"$ref":"#/$defs/Box"}}}},"required":["value"],"additionalProperties":false,"$defs":{{"Box":{{"type":"object","properties":{{"parts":{{"type":"array","items":{part}}},"inner":{{"$ref":"#/$defs/Box"}}}},"required":["parts"],"additionalProperties":false}}}}}}"##
        )
    );
}

#[tokio::test]
async fn limits_of_fields_are_checked_at_any_depth() {
    assert_eq!(call::<count>(r#"{"value":9}"#).await, "Count(9)");
    let answer = call::<order>(r#"{"value":{"counts":[1],"inner":{"counts":[2],"note":"x"}}}"#);
    assert_eq!(
        answer.await,
        r#"Order { counts: [Count(1)], note: None, inner: Some(Order { counts: [Count(2)], note: Some("x"), inner: None }) }"#
    );
    for (arguments, problem) in [
        (
            r#"{"counts":[]}"#,
            "`/value/counts`: expected at least 1 items, got 0",
        ),
        (
            r#"{"counts":[1,2,3]}"#,
            "`/value/counts`: expected at most 2 items, got 3",
        ),
        (
            r#"{"counts":[10]}"#,
            "`/value/counts/0`: expected at most 9, got 10",
        ),
        (
            r#"{"counts":[1],"inner":{"counts":[0]}}"#,
            "`/value/inner/counts/0`: expected at least 1, got 0",
        ),
        (
            r#"{"counts":[1],"inner":{"counts":[1],"note":"X"}}"#,
            "`/value/inner/note`: expected a match of `^[a-z]+$`, got the string \"X\"",
        ),
    ] {
        let answer = call::<order>(&format!(r#"{{"value":{arguments}}}"#)).await;
        assert_eq!(
            answer,
            format!("! R0001: the arguments do not fit: {problem}")
        );
    }
}

#[tokio::test]
async fn a_field_may_be_read_as_another_type() {
    assert_eq!(
        of::<foreign>(),
        r#"{"type":"object","properties":{"number":{"type":"string"}},"required":["number"],"additionalProperties":false}"#
    );
    assert_eq!(call::<foreign>(r#"{"value":{"number":"7"}}"#).await, "7");
}

#[tokio::test]
async fn a_wrong_variant_is_named() {
    for (value, problem) in [
        (
            r#"{"kind":"cirle","radius":1}"#,
            "`/value/kind`: expected one of \"circle\", \"square\", got the string \"cirle\", did you mean \"circle\"?",
        ),
        (
            r#"{"radius":1}"#,
            "`/value/kind`: missing, expected one of \"circle\", \"square\"",
        ),
        (
            r#"{"kind":"circle"}"#,
            "`/value/radius`: missing, expected a number",
        ),
        (
            r#"{"kind":"square","x":true}"#,
            "`/value/x`: expected a number, got true",
        ),
        (
            "5",
            "`/value`: expected an object with \"kind\", \"radius\" or an object with \"kind\", \"x\", got 5",
        ),
    ] {
        let answer = call::<shape>(&format!(r#"{{"value":{value}}}"#)).await;
        assert_eq!(
            answer,
            format!("! R0001: the arguments do not fit: {problem}")
        );
    }
}

#[derive(Debug, Deserialize, ToolSchema)]
#[serde(try_from = "u8")]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number.is_multiple_of(2) {
            Ok(Even(number))
        } else {
            Err(format!("{number} is odd"))
        }
    }
}

/// Even numbers.
#[tool(allow(undocumented))]
fn evens(value: Vec<Even>, address: Option<std::net::SocketAddr>) -> usize {
    let _ = address;
    value.into_iter().map(|even| usize::from(even.0)).sum()
}

#[tokio::test]
async fn what_only_a_type_refuses_has_its_path() {
    assert_eq!(call::<evens>(r#"{"value":[2, 4]}"#).await, "6");
    for (arguments, problem) in [
        (r#"{"value":[2, 3, 4]}"#, "`/value/1`: 3 is odd"),
        (r#"{"value":[2, "3", 4]}"#, "`/value/1`: 3 is odd"),
        (r#"{"value":[2, 3]}"#, "`/value/1`: 3 is odd"),
    ] {
        let answer = call::<evens>(arguments).await;
        assert_eq!(
            answer,
            format!("! R0001: the arguments do not fit: {problem}")
        );
    }
}

/// Borrows what it can, as a type of a program that reads much does.
#[derive(Deserialize, ToolSchema)]
struct Borrowing<'a> {
    plain: &'a str,
    #[serde(borrow)]
    cow: std::borrow::Cow<'a, str>,
}

#[test]
fn a_type_may_borrow() {
    const SCHEMA: repertoire::tool::Schema = <Borrowing<'static> as ToolSchema>::SCHEMA;
    assert!(!SCHEMA.is_optional());
    let borrowing: Borrowing<'_> = serde_json::from_str(r#"{"plain":"a","cow":"b"}"#).unwrap();
    assert_eq!((borrowing.plain, &*borrowing.cow), ("a", "b"));
    assert!(matches!(borrowing.cow, std::borrow::Cow::Borrowed(_)));
}
