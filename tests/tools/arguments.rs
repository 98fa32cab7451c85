//! Arguments at the edges of what a tool takes.

use std::net::{SocketAddr, SocketAddrV6};

use repertoire::{
    Tool, ToolSchema, tool,
    tool::{Invocation, MAX_ARGUMENT_BYTES, MAX_ARGUMENT_DEPTH, States},
};
use serde_json::{Value, json};

use crate::{call, schema};

const REFUSED: &str = "! R0001: the arguments do not fit: ";

/// Takes a fraction.
#[tool(allow(undocumented))]
fn fraction(#[arg(min = 0.1, max = 0.3)] x: f32) -> f32 {
    x
}

#[tokio::test]
async fn a_border_is_inside() {
    for arguments in [r#"{"x":0.3}"#, r#"{"x":"0.3"}"#] {
        assert_eq!(call::<fraction>(arguments).await, "0.3");
    }
    assert_eq!(call::<fraction>(r#"{"x":0.1}"#).await, "0.1");
    let refused = format!("{REFUSED}`/x`: expected at most 0.3, got 0.4");
    assert_eq!(call::<fraction>(r#"{"x":0.4}"#).await, refused);
}

/// Limits within what the types hold.
#[tool(allow(undocumented))]
fn narrow(
    #[arg(max = 200)] a: u8,
    #[arg(min = 1)] b: u8,
    #[arg(min = -5)] c: i8,
    #[arg(max = 7, example = 5)] d: std::num::NonZeroI8,
) -> u64 {
    u64::from(a) + u64::from(b) + u64::from(c.unsigned_abs()) + u64::from(d.get().unsigned_abs())
}

#[test]
fn limits_narrow_and_do_not_widen() {
    let properties = &schema::<narrow>()["properties"];
    let range = |name: &str| (&properties[name]["minimum"], &properties[name]["maximum"]);
    assert_eq!(range("a"), (&json!(0), &json!(200)));
    assert_eq!(range("b"), (&json!(1), &json!(255)));
    assert_eq!(range("c"), (&json!(-5), &json!(127)));
    assert_eq!(range("d"), (&json!(-128), &json!(7)));
    assert_eq!(properties["d"]["not"], json!({"const": 0}));
}

#[derive(serde::Deserialize, ToolSchema)]
struct Color {
    #[serde(alias = "colour")]
    color: String,
    #[serde(default)]
    alpha: u8,
}

/// Takes structs in structs.
#[derive(serde::Deserialize, ToolSchema)]
enum Shape {
    Dot(Color),
    Many(Vec<Color>),
}

/// Paints.
#[tool(allow(undocumented))]
fn paint(shapes: Vec<Shape>, times: Option<u8>) -> String {
    let colors = shapes.iter().flat_map(|shape| match shape {
        Shape::Dot(color) => std::slice::from_ref(color),
        Shape::Many(colors) => colors,
    });
    let colors: Vec<String> = colors.map(|c| format!("{}{}", c.color, c.alpha)).collect();
    format!("{}x{}", colors.join(" "), times.unwrap_or(1))
}

#[tokio::test]
async fn a_key_that_nobody_reads_is_refused_at_any_depth() {
    for (arguments, answer) in [
        (r#"{"shapes":[{"Dot":{"color":"red"}}]}"#, "red0x1"),
        (r#"{"shapes":[{"Dot":{"colour":"red"}}]}"#, "red0x1"),
        (
            r#"{"shapes":[{"Many":[{"color":"red"},{"colour":"blue","alpha":2}]}],"times":"2"}"#,
            "red0 blue2x2",
        ),
    ] {
        assert_eq!(call::<paint>(arguments).await, answer, "{arguments}");
    }
    for (arguments, problem) in [
        (
            r#"{"shapes":[{"Dot":{"color":"red","alhpa":1}}]}"#,
            "`/shapes/0/Dot/alhpa`: unknown key, did you mean `alpha`?",
        ),
        (
            r#"{"shapes":[{"Many":[{"color":"red"},{"colour":"blue","q":2}]}]}"#,
            "`/shapes/0/Many/1/q`: unknown key, allowed are `alpha`, `color`",
        ),
        (
            r#"{"shapes":[{"Dot":{"color":"red","q":1}}],"times":"2"}"#,
            "`/shapes/0/Dot/q`: unknown key, allowed are `alpha`, `color`",
        ),
    ] {
        let refused = format!("{REFUSED}{problem}");
        assert_eq!(call::<paint>(arguments).await, refused, "{arguments}");
    }
    let states = States::new();
    let mut invocation = Invocation::new(r#"{"shapes":[{"Dot":{"colour":"red"}}]}"#, &states);
    invocation.exact = true;
    let error = (paint::REGISTRATION.call())(invocation).await.unwrap_err();
    assert!(error.to_string().contains("unknown key"), "{error}");
}

/// Takes anything.
#[tool(allow(undocumented))]
fn anything(x: Value) -> usize {
    x.to_string().len()
}

#[tokio::test]
async fn what_is_too_much_is_told_so() {
    let of_length = |length: usize| {
        let rest = r#"{"x":""}"#.len();
        format!(r#"{{"x":"{}"}}"#, "a".repeat(length - rest))
    };
    let answer = call::<anything>(&of_length(MAX_ARGUMENT_BYTES)).await;
    assert_eq!(answer, (MAX_ARGUMENT_BYTES - 6).to_string());
    let answer = call::<anything>(&of_length(MAX_ARGUMENT_BYTES + 1)).await;
    assert_eq!(
        answer,
        "! R0001: the arguments are 1048577 bytes long, and at most 1048576 are read; send less, or in \
         several calls"
    );
    let of_depth = |depth: usize| {
        let lists = depth - 1;
        format!(r#"{{"x":{}{}}}"#, "[".repeat(lists), "]".repeat(lists))
    };
    let answer = call::<anything>(&of_depth(MAX_ARGUMENT_DEPTH)).await;
    assert_eq!(answer, "252");
    let answer = call::<anything>(&of_depth(MAX_ARGUMENT_DEPTH + 1)).await;
    assert_eq!(
        answer,
        "! R0001: the arguments are nested deeper than 127 levels; send them flatter"
    );
}

/// Takes wide numbers.
#[tool(allow(undocumented))]
fn wide(a: u128, b: i128) -> String {
    format!("{a} {b}")
}

#[tokio::test]
async fn wide_numbers_are_read_to_the_last_digit() {
    let answer = call::<wide>(
        r#"{"a":340282366920938463463374607431768211455,"b":-17014118346046923173168730371588410572.0e1}"#,
    )
    .await;
    assert_eq!(
        answer,
        "340282366920938463463374607431768211455 -170141183460469231731687303715884105720"
    );
    let answer = call::<wide>(r#"{"a":-1,"b":1e300}"#).await;
    assert!(
        answer.contains("`/a`: expected at least 0, got -1"),
        "{answer}"
    );
    assert!(answer.contains("`/b`: expected at most 1.7"), "{answer}");
}

/// Takes a space.
#[tool(allow(undocumented))]
fn space(#[arg(pattern = r"^\s$")] x: &str) -> usize {
    x.len()
}

#[tokio::test]
async fn a_pattern_means_what_json_schema_says() {
    assert_eq!(call::<space>("{\"x\":\"\u{a0}\"}").await, "2");
    assert_eq!(call::<space>("{\"x\":\"\u{feff}\"}").await, "3");
    assert!(
        call::<space>("{\"x\":\"\u{85}\"}")
            .await
            .starts_with(REFUSED)
    );
}

/// Takes addresses.
#[tool(allow(undocumented))]
fn connect(to: SocketAddr, from: Option<SocketAddrV6>, ip: Option<std::net::IpAddr>) -> String {
    format!("{to} {from:?} {ip:?}")
}

#[tokio::test]
async fn an_address_fits_its_pattern_if_and_only_if_it_is_one() {
    let validator = jsonschema::draft202012::new(&schema::<connect>()).unwrap();
    for address in [
        "192.0.2.1:80",
        "0.0.0.0:0",
        "255.255.255.255:65535",
        "1.2.3.4:00080",
        "01.2.3.4:80",
        "1.2.3.4:65536",
        "1.2.3.4",
        "256.1.1.1:1",
        "[::]:0",
        "[::1]:80",
        "[1:2:3:4:5:6:7:8]:1",
        "[1:2:3:4:5:6:7::]:1",
        "[1::3:4:5:6:7:8]:1",
        "[::2:3:4:5:6:7:8]:1",
        "[1::2::3]:1",
        "[12345::]:1",
        "[1:2]:1",
        "::1:80",
        "[::1]",
        "[fe80::1%3]:80",
        "[fe80::1%eth0]:80",
        "",
        "localhost:80",
    ] {
        let arguments = json!({"to": address});
        let taken = !call::<connect>(&arguments.to_string())
            .await
            .starts_with('!');
        assert_eq!(taken, validator.is_valid(&arguments), "{address}");
        assert_eq!(taken, address.parse::<SocketAddr>().is_ok(), "{address}");
    }
    let answer = call::<connect>(r#"{"to":"nowhere"}"#).await;
    assert!(
        answer.ends_with(r#", such as "192.0.2.1:80", got the string "nowhere""#),
        "{answer}"
    );
}
