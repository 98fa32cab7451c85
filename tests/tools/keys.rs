//! The keys of `#[tool(...)]` as they stand in the spec.

use repertoire::tool;

use crate::call;

/// Says all that can be said.
#[tool(
    name = "full",
    type = Full,
    group = "crm",
    tags("a", "b c"),
    version = "1.2.0",
    author = "somebody",
    enabled = false,
    deprecated(note = "too full", replaced_by = empty),
    destructive,
    open_world,
    strict = false,
    max_schema = 1000,
)]
fn full() {}

/// Says nothing.
#[tool(read_only)]
fn empty() {}

/// Blocks its thread.
#[tool(blocking, allow(undocumented))]
fn slow(text: &str, panics: Option<bool>) -> String {
    assert!(panics.is_none(), "asked to");
    format!("{text} on {:?}", std::thread::current().name())
}

#[test]
fn keys_are_fields() {
    let spec = Full::SPEC;
    assert_eq!(spec.name, "full");
    assert_eq!(spec.group, Some("crm"));
    assert_eq!(spec.tags, ["a", "b c"]);
    assert_eq!(spec.version, Some("1.2.0"));
    assert_eq!(spec.author, Some("somebody"));
    let deprecated = spec.deprecated.unwrap();
    assert_eq!(
        (deprecated.note, deprecated.replaced_by),
        ("too full", Some("empty"))
    );
    let flags = [spec.enabled, spec.strict, spec.read_only, spec.blocking];
    assert_eq!(flags, [false; 4]);
    let flags = [spec.destructive, spec.requires_approval, spec.open_world];
    assert_eq!(flags, [true; 3], "what destroys requires approval");

    let spec = empty::SPEC;
    assert_eq!(
        (spec.group, spec.tags, spec.version, spec.author),
        (None, &[][..], None, None)
    );
    assert_eq!(spec.deprecated, None);
    assert_eq!([spec.enabled, spec.read_only], [true; 2]);
    assert_eq!(
        [spec.destructive, spec.requires_approval, spec.open_world],
        [false; 3]
    );
}

#[tokio::test]
async fn a_blocking_function_has_its_own_thread() {
    let answer = call::<slow>(r#"{"text":"done"}"#).await;
    assert_eq!(answer, r#"done on Some("tool")"#);
    let answer = call::<slow>("{}").await;
    assert!(answer.starts_with("! R0001"), "{answer}");
    let answer = call::<slow>(r#"{"text":"x","panics":true}"#).await;
    assert_eq!(answer, "! R0010: the tool panicked: asked to");
}
