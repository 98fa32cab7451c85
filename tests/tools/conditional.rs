//! Parameters that depend on `cfg`, and a module whose types hide the language's own.

use repertoire::{tool, toolbox};
use serde_json::json;

use crate::call;

/// Join two texts.
#[tool(unlinked)]
fn join(
    #[cfg(not(test))]
    /// Not there, so its type need not be.
    missing: NoSuchType,
    #[cfg(test)]
    /// The first.
    first: &str,
    #[cfg_attr(test, doc = "The second.", arg(default = "b"))] second: &str,
    #[cfg_attr(not(test), arg(nonsense))]
    /// The third.
    third: &str,
) -> String {
    format!("{first}{second}{third}")
}

struct Desk;

#[toolbox]
impl Desk {
    /// Count to a number.
    #[tool(unlinked)]
    fn count(
        &self,
        #[cfg(not(test))] missing: NoSuchType,
        /// Where to stop.
        #[cfg(test)]
        to: u8,
    ) -> u8 {
        to
    }
}

#[test]
fn a_parameter_is_there_where_its_condition_holds() {
    let schema: serde_json::Value = serde_json::from_str(join::SPEC.schema).unwrap();
    assert_eq!(
        schema["properties"],
        json!({
            "first": {"type": "string", "description": "The first."},
            "second": {"type": "string", "description": "The second.", "default": "b"},
            "third": {"type": "string", "description": "The third."},
        })
    );
    assert_eq!(schema["required"], json!(["first", "third"]));
    assert_eq!(join("a", "b", "c"), "abc");
    assert_eq!(Desk.count(5), 5);
    let count = <Desk as repertoire::tool::Toolbox>::TOOLS[0].spec();
    let schema: serde_json::Value = serde_json::from_str(count.schema).unwrap();
    assert_eq!(schema["required"], json!(["to"]));
}

/// Keeps to a size that is said with its unit.
#[tool(unlinked, max_schema = "8KiB")]
fn sized() {}

#[test]
fn a_size_may_have_a_unit() {
    assert!(sized::SPEC.schema.len() < 8192);
}

mod hidden {
    #![allow(dead_code, non_camel_case_types)]

    struct str;
    struct usize;
    struct u8;
    struct u32;
    struct bool;

    /// Show a number.
    #[repertoire::tool(unlinked, strict, max_schema = "1kB")]
    pub(super) fn show(
        /// The first of them.
        #[arg(max = 5, example = 3)]
        number: ::core::primitive::u64,
        /// What it is called.
        name: &::core::primitive::str,
    ) -> ::std::string::String {
        format!("{name}{number}")
    }
}

#[tokio::test]
async fn types_may_hide_the_languages_own() {
    let output = call::<hidden::show>(r#"{"number": 3, "name": "a"}"#).await;
    assert_eq!(output, "a3");
}
