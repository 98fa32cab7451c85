//! What models write for what they mean: taken where it is beyond doubt, refused where it is not.

use repertoire::{
    Tool, ToolSchema, tool,
    tool::{Invocation, States},
};

use crate::call;

/// A part.
#[derive(Debug, serde::Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Part {
    id: u32,
    #[serde(default)]
    label: String,
}

/// Takes all sorts.
#[tool(allow(undocumented))]
fn sorts(
    whole: Option<i64>,
    number: Option<f64>,
    flag: Option<bool>,
    text: Option<&str>,
    list: Option<Vec<u8>>,
    part: Option<Part>,
) -> String {
    [
        whole.map(|value| format!("{value:?}")),
        number.map(|value| format!("{value:?}")),
        flag.map(|value| format!("{value:?}")),
        text.map(|value| format!("{value:?}")),
        list.map(|value| format!("{value:?}")),
        part.map(|value| format!("{value:?}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Takes nothing for something else.
#[tool(allow(undocumented), strict)]
fn exactly(whole: i64) -> i64 {
    whole
}

#[tokio::test]
async fn what_is_beyond_doubt_is_taken() {
    for (arguments, answer) in [
        (r#"{"whole":"5"}"#, "5"),
        (r#"{"whole":" -5 "}"#, "-5"),
        (r#"{"whole":5.0}"#, "5"),
        (r#"{"whole":"5.0"}"#, "5"),
        (r#"{"whole":1e3}"#, "1000"),
        (r#"{"number":"1.5"}"#, "1.5"),
        (r#"{"flag":"true"}"#, "true"),
        (r#"{"text":5}"#, r#""5""#),
        (r#"{"list":"[1, 2]"}"#, "[1, 2]"),
        (r#"{"list":["1", 2.0]}"#, "[1, 2]"),
        (
            r#"{"part":"{\"id\":\"7\"}"}"#,
            r#"Part { id: 7, label: "" }"#,
        ),
        (
            r#"{"part":{"id":7,"label":null}}"#,
            r#"Part { id: 7, label: "" }"#,
        ),
        (r#""{\"whole\":5}""#, "5"),
        (r#"{"whole":null}"#, ""),
        (r#"{"whole":9007199254740993.0}"#, "9007199254740993"),
        (r#"{"whole":"9007199254740993.0"}"#, "9007199254740993"),
        (r#"{"whole":-0.0}"#, "0"),
        ("\u{feff}{\"whole\":5}", "5"),
    ] {
        assert_eq!(call::<sorts>(arguments).await, answer, "{arguments}");
    }
    // A list has no names that would say which field is which.
    assert_eq!(
        call::<sorts>(r#"{"part":[7,"x"]}"#).await,
        "! R0001: the arguments do not fit: `/part`: expected an object with \"id\", got an array"
    );
}

#[tokio::test]
async fn what_would_lose_something_is_refused() {
    for (arguments, problem) in [
        (
            r#"{"whole":5.5}"#,
            "`/whole`: expected a whole number, got 5.5",
        ),
        (
            r#"{"whole":"5.5"}"#,
            "`/whole`: expected a whole number, got the string \"5.5\"",
        ),
        (
            r#"{"whole":"five"}"#,
            "`/whole`: expected a whole number, got the string \"five\"",
        ),
        (
            r#"{"whole":1e300}"#,
            "`/whole`: expected at most 9223372036854775807, got 1e+300",
        ),
        (
            r#"{"whole":9223372036854775808.0}"#,
            "`/whole`: expected at most 9223372036854775807, got 9223372036854775808",
        ),
        (
            r#"{"part":{"id":7,"unknown":1}}"#,
            "`/part/unknown`: unknown key, allowed are `id`, `label`",
        ),
        (
            r#"{"part":{"id":7,"lable":"x"}}"#,
            "`/part/lable`: unknown key, did you mean `label`?",
        ),
        (r#"{"whole":"5","whole":"6"}"#, "`/whole`: given twice"),
        (r#"{"part":{"id":"5","id":"6"}}"#, "`/part/id`: given twice"),
        (
            r#"{"whole":true}"#,
            "`/whole`: expected a whole number, got true",
        ),
        (r#"{"flag":1}"#, "`/flag`: expected true or false, got 1"),
        (
            r#"{"flag":"yes"}"#,
            "`/flag`: expected true or false, got the string \"yes\"",
        ),
        (r#"{"text":1.10}"#, "`/text`: expected a string, got 1.1"),
        (r#"{"list":1}"#, "`/list`: expected an array, got 1"),
        (
            r#"{"list":"1"}"#,
            "`/list`: expected an array, got the string \"1\"",
        ),
        (
            r#"{"list":"[300]"}"#,
            "`/list/0`: expected at most 255, got 300",
        ),
        (
            r#"{"part":{"id":null}}"#,
            "`/part/id`: expected a whole number, got null",
        ),
    ] {
        let answer = call::<sorts>(arguments).await;
        assert!(answer.starts_with("! R0001: "), "{arguments}: {answer}");
        assert!(answer.contains(problem), "{arguments}: {answer}");
    }
}

#[tokio::test]
async fn coercions_can_be_switched_off() {
    assert_eq!(call::<exactly>(r#"{"whole":5}"#).await, "5");
    assert_eq!(call::<exactly>(r#"{"whole":5.0}"#).await, "5");
    let refused = "! R0001: the arguments do not fit: `/whole`: expected a whole number, got the string \"5\"";
    assert_eq!(call::<exactly>(r#"{"whole":"5"}"#).await, refused);
    let states = States::new();
    let mut invocation = Invocation::new(r#"{"whole":"5"}"#, &states);
    invocation.exact = true;
    let error = (sorts::REGISTRATION.call())(invocation).await.unwrap_err();
    assert_eq!(format!("! {error}"), refused);
}
