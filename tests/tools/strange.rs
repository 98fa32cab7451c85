//! Tools as other code writes them: made by `macro_rules`, among the attributes of other crates, in odd
//! but legal forms.

use repertoire::{Tool, ToolSchema, tool, tool::Toolbox, toolbox};
use serde_json::json;

use crate::{call, schema};

macro_rules! made {
    ($($name:ident: $does:literal, $what:expr, $type:ty;)*) => {$(
        #[doc = concat!($does, " ", stringify!($type), ".")]
        ///
        /// Not for the model.
        #[tool(unlinked, name = concat!("take_", stringify!($name)), snippet = concat!("take_", stringify!($name), "()"))]
        fn $name(#[doc = $what] value: $type) -> String {
            format!("{value:?}")
        }
    )*};
}

made! {
    small: "Take a", "How much.", u8;
    maybe: "Take an", "How much, if any.", Option<f64>;
    texts: "Take a", concat!("What", ' ', "it is", '.'), Vec<String>;
}

#[tokio::test]
async fn descriptions_made_by_a_macro_are_read() {
    assert_eq!(small::SPEC.description, "Take a u8.");
    assert_eq!(small::SPEC.name, "take_small");
    assert_eq!(small::SPEC.snippet, Some("take_small()"));
    assert_eq!(maybe::SPEC.description, "Take an Option<f64>.");
    let described =
        |schema: serde_json::Value| schema["properties"]["value"]["description"].clone();
    assert_eq!(described(schema::<small>()), "How much.");
    assert_eq!(described(schema::<maybe>()), "How much, if any.");
    assert_eq!(described(schema::<texts>()), "What it is.");
    assert_eq!(call::<texts>(r#"{"value":["a"]}"#).await, r#"["a"]"#);
}

macro_rules! with_repetition {
    ($($(#[$meta:meta])* $visibility:vis $name:ident(
        $($(#[$of:meta])* $parameter:ident: $type:ty),* $(,)?
    ) -> $result:ty $body:block)*) => {$(
        $(#[$meta])*
        #[tool(unlinked)]
        $visibility fn $name($($(#[$of])* $parameter: $type),*) -> $result $body
    )*};
}

with_repetition! {
    /// Add two numbers.
    pub(crate) add_both(
        /// The first.
        #[arg(max = 5)]
        a: u8,
        /// The second.
        #[arg(default = 2)]
        b: u8,
    ) -> u8 { a + b }

    /// Join two texts.
    join_both(
        /// The first.
        a: &str,
        /// The second.
        b: Option<&[String]>,
    ) -> Result<String, std::fmt::Error> { Ok(format!("{a}{b:?}")) }
}

macro_rules! described_type {
    ($name:ident<$parameter:ident> { $($field:ident: $type:ty = $what:literal),* }) => {
        #[doc = concat!("One ", stringify!($name), " of many.")]
        #[derive(Debug, serde::Deserialize, ToolSchema)]
        struct $name<$parameter> {
            $(#[doc = $what] $field: $type,)*
        }
    };
}

described_type!(Link<T> { value: T = "What it holds.", next: Option<Box<Link<T>>> = "The next one." });

macro_rules! boxed {
    ($type:ident: $($method:ident),*) => {
        #[toolbox]
        impl $type {
            $(
                #[doc = concat!("Run ", stringify!($method), " now.")]
                #[tool(unlinked)]
                fn $method(&self) -> &'static str {
                    stringify!($method)
                }
            )*
        }
    };
}

struct Panel;
boxed!(Panel: start, halt);

/// Take a chain.
#[tool(unlinked)]
fn chain(
    /// The first of it.
    link: Link<u8>,
) -> u8 {
    link.value + link.next.map_or(0, |next| next.value)
}

#[tokio::test]
async fn fragments_are_names_types_and_lists() {
    assert_eq!(call::<add_both>(r#"{"a":3}"#).await, "5");
    assert_eq!(
        call::<join_both>(r#"{"a":"x","b":["y"]}"#).await,
        r#"xSome(["y"])"#
    );
    let output = call::<chain>(r#"{"link":{"value":1,"next":{"value":2}}}"#).await;
    assert_eq!(output, "3");
    assert!(chain::SPEC.schema.contains("The next one."));
    let descriptions = Panel::TOOLS.iter().map(|tool| tool.spec().description);
    assert_eq!(
        descriptions.collect::<Vec<_>>(),
        ["Run start now.", "Run halt now."]
    );
    assert_eq!((Panel.start(), Panel.halt()), ("start", "halt"));
}

/// An attribute of another crate above.
#[tracing::instrument(skip_all)]
#[tool(unlinked)]
fn traced_above(
    /// A number.
    number: u8,
) -> u8 {
    number
}

/// And one below.
#[tool(unlinked)]
#[tracing::instrument(skip_all, err)]
async fn traced_below(
    /// A text.
    text: &str,
    #[state] _unit: &u8,
) -> Result<String, std::fmt::Error> {
    std::future::ready(()).await;
    Ok(text.to_owned())
}

/// Several conditions.
#[cfg_attr(all(), tool(unlinked), must_use)]
#[cfg_attr(all(), inline)]
fn by_condition(
    /// A text.
    text: String,
) -> String {
    text
}

/// Never there.
#[cfg(not(test))]
#[tool(unlinked)]
fn either(missing: NoSuchType) {}

/// Always there.
#[tool(unlinked)]
#[cfg(test)]
fn either(
    /// A number.
    number: u8,
) -> u8 {
    number
}

/// Bounds that say nothing of a parameter.
#[tool(unlinked)]
const fn bounded(
    /// A number.
    mut number: u8,
) -> u8
where
    u8: Copy,
{
    number += 1;
    number
}

/// Borrow from everything.
#[tool(unlinked)]
async fn borrows<'call, 'longer: 'call>(
    /// A text.
    text: &'call str,
    /// Who takes part.
    names: Option<&'longer [String]>,
    /// A file.
    file: &std::path::Path,
) -> Result<&'call str, std::fmt::Error> {
    std::future::ready(()).await;
    let _ = (names, file);
    Ok(text)
}

#[tokio::test]
async fn other_attributes_and_forms_do_no_harm() {
    assert_eq!(call::<traced_above>(r#"{"number":1}"#).await, "1");
    assert_eq!(traced_above(2), 2);
    let answer = call::<traced_below>(r#"{"text":"a"}"#).await;
    assert!(answer.contains("u8"), "{answer}");
    assert_eq!(call::<by_condition>(r#"{"text":"a"}"#).await, "a");
    assert_eq!(by_condition("b".to_owned()), "b");
    assert_eq!(call::<either>(r#"{"number":4}"#).await, "4");
    assert_eq!(call::<bounded>(r#"{"number":4}"#).await, "5");
    let arguments = r#"{"text":"a","names":["b"],"file":"c"}"#;
    assert_eq!(call::<borrows>(arguments).await, "a");
}

/// What a raw name may be.
#[derive(Debug, serde::Deserialize, ToolSchema)]
#[allow(non_camel_case_types)]
enum r#enum {
    r#as,
    r#loop {
        /// How often.
        r#in: u8,
    },
}

struct Raw;

#[toolbox]
impl Raw {
    /// Do it with names that are keywords.
    #[tool(unlinked)]
    fn r#while(
        &self,
        /// What.
        r#type: r#enum,
        /// How often.
        #[arg(rename = "do", default = 3)]
        r#do: u8,
        #[context] r#box: &repertoire::Context,
        #[state] r#final: &u8,
    ) -> String {
        let _ = (r#box, r#final);
        format!("{type:?}{}", r#do)
    }

    /// Do it traced and borrowed.
    #[tool(unlinked)]
    #[tracing::instrument(skip_all)]
    async fn traced<'call>(
        &'call self,
        /// A text.
        text: &'call str,
    ) -> &'call str {
        std::future::ready(()).await;
        text
    }
}

#[tokio::test]
async fn names_may_be_raw() {
    let [first, second] = Raw::TOOLS else {
        panic!("two tools");
    };
    assert_eq!((first.spec().name, second.spec().name), ("while", "traced"));
    let schema: serde_json::Value = serde_json::from_str(first.spec().schema).unwrap();
    assert_eq!(schema["required"], json!(["type"]));
    assert_eq!(schema["properties"]["do"]["default"], json!(3));
    let kinds = &schema["properties"]["type"]["anyOf"];
    assert_eq!(kinds[0]["enum"], json!(["as"]));
    assert_eq!(kinds[1]["properties"]["loop"]["required"], json!(["in"]));
    assert_eq!(Raw.traced("a").await, "a");
}

mod own_context {
    /// A type of the same name as that of a call's context.
    #[derive(serde::Deserialize, repertoire::ToolSchema)]
    pub(super) struct Context {
        /// How many.
        pub(super) count: u8,
    }

    /// Take a context of its own.
    #[repertoire::tool(unlinked)]
    pub(super) fn take_own(
        /// The surroundings.
        context: &Context,
        #[context] _call: &repertoire::Context,
    ) -> u8 {
        context.count
    }
}

/// Take another module's context.
#[tool(unlinked)]
fn take_other(
    /// The surroundings.
    context: own_context::Context,
) -> u8 {
    context.count
}

#[test]
fn an_own_type_may_be_called_context() {
    let context = own_context::Context { count: 3 };
    assert_eq!(
        schema::<own_context::take_own>()["required"],
        json!(["context"])
    );
    assert_eq!(schema::<take_other>()["required"], json!(["context"]));
    assert_eq!(take_other(context), 3);
}

/// Through a macro, the crate has a path of the macro's own.
mod given_on {
    pub(crate) use repertoire as tools;
}

macro_rules! by_path {
    ($name:ident, $fallback:ident, $krate:ident) => {
        /// Fail, and fall back.
        #[tool(unlinked, crate = $crate::strange::given_on::tools, fallback = $crate::strange::$fallback)]
        fn $name() -> Result<(), std::fmt::Error> {
            Err(std::fmt::Error)
        }

        /// A type of the same.
        #[derive(ToolSchema)]
        #[schema(crate = $krate)]
        #[allow(dead_code)]
        struct Made;
    };
}

/// Stand in for another.
#[tool(unlinked)]
fn stand_in() {}

by_path!(falls_back, stand_in, repertoire);

#[test]
fn paths_may_come_from_a_macro() {
    assert_eq!(falls_back::SPEC.fallback, Some("stand_in"));
    assert!(falls_back().is_err());
}

/// Let every key through.
#[tool(unlinked, unknown = "keep")]
fn lenient(
    /// A number.
    number: u8,
) -> u8 {
    number
}

/// Refuse other keys, which is so anyway.
#[tool(unlinked, unknown = "refuse")]
fn exact() {}

#[test]
fn a_tool_that_keeps_unknown_keys_says_so() {
    let schema = schema::<lenient>();
    assert_eq!(schema["additionalProperties"], json!(true));
    assert_eq!(schema["required"], json!(["number"]));
    const { assert!(lenient::SPEC.keeps_unknown) };
    assert!(
        lenient::SPEC
            .schema
            .ends_with(r#""additionalProperties":true}"#)
    );
    const { assert!(!exact::SPEC.keeps_unknown) };
    assert!(
        exact::SPEC
            .schema
            .ends_with(r#""additionalProperties":false}"#)
    );
    assert_eq!(<lenient as Tool>::SPEC.name, "lenient");
}
