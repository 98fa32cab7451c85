//! Scalars, keys that stand twice, colons.

use repertoire_skillmd::Profile;

use super::cases::*;
use super::support::{error_names, names};

/// Scalars are the text that was written.
#[test]
fn scalars_are_not_typed() {
    for text in [
        "007",
        "12",
        "true",
        "yes",
        "1e3",
        "0x1f",
        "2026-01-31",
        "null",
    ] {
        let checked = judged(
            &file(&format!("name: {text}\ndescription: {text}\n")),
            Profile::Strict,
        );
        let skill = checked
            .skill()
            .unwrap_or_else(|| panic!("{text}: {:?}", names(&checked)));
        assert_eq!((skill.name(), skill.description()), (text, text));
        assert!(names(&checked).contains(&"ambiguous-scalar"), "{text}");
    }
    // An empty value is an empty text, and `~` is a character that no name may hold.
    assert_eq!(
        error_names(&judged(&file("name: ~\n"), Profile::Spec)),
        ["name-characters"]
    );
    assert_eq!(
        error_names(&judged(&file("name:\n"), Profile::Spec)),
        ["missing-name"]
    );
    assert_eq!(
        error_names(&judged(&file("name: \"\"\n"), Profile::Spec)),
        ["missing-name"]
    );
    assert_eq!(
        error_names(&judged(&file("description:\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: \"  \\t \"\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: |\n\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: {a: b}\n"), Profile::Spec)),
        ["description-not-string"]
    );
    assert_eq!(
        error_names(&judged(&file("name: [a]\n"), Profile::Spec)),
        ["missing-name"]
    );
}

/// Keys are compared as they are read, in every map.
#[test]
fn keys_that_stand_twice() {
    let twice = |keys: &str| error_names(&judged(&file(keys), Profile::Lenient));
    assert_eq!(twice("license: a\nlicense: b\n"), ["duplicate-key"]);
    assert_eq!(
        twice("license: a\n\"lic\\u0065nse\": b\n"),
        ["duplicate-key"]
    );
    assert_eq!(
        twice("license: a\n'license': b\nlicense: c\n"),
        ["duplicate-key", "duplicate-key"]
    );
    assert_eq!(twice("metadata:\n  a: 1\n  \"a\": 2\n"), ["duplicate-key"]);
    assert_eq!(twice("metadata: {a: 1, a: 2}\n"), ["duplicate-key"]);
    assert!(twice("license: a\nmetadata:\n  license: b\n").is_empty());
    // Past the number of keys that are looked through one by one.
    let many: String = (0..40).map(|n| format!("  k{n}: v\n")).collect();
    assert!(twice(&format!("metadata:\n{many}")).is_empty());
    let checked = judged(
        &file(&format!("metadata:\n{many}  k3: w\n  k39: w\n")),
        Profile::Spec,
    );
    assert_eq!(error_names(&checked), ["duplicate-key", "duplicate-key"]);
    // name, description and `metadata` stand above `k0`, which is on line 5.
    assert!(
        checked.findings()[0]
            .message()
            .ends_with("the first is on line 8"),
        "{}",
        checked.findings()[0].message()
    );
    assert!(
        checked.findings()[1]
            .message()
            .ends_with("the first is on line 44")
    );
}

/// The retry of `lenient` covers every such value, and nothing else.
#[test]
fn unquoted_colons() {
    let source = file(
        "description: Use when: asked # a comment: here\nargument-hint: a: b\nmetadata:\n  note: c: d\n",
    );
    let spec = judged(&source, Profile::Spec);
    assert_eq!(
        error_names(&spec),
        ["yaml-syntax", "yaml-syntax", "yaml-syntax"]
    );
    assert_eq!(spec.accepted_by(), Some(Profile::Lenient));
    let lenient = judged(&source, Profile::Lenient);
    let skill = lenient.skill().unwrap();
    assert_eq!(skill.description(), "Use when: asked");
    assert_eq!(
        skill
            .entry("argument-hint")
            .and_then(|value| value.as_text()),
        Some("a: b")
    );
    assert_eq!(skill.metadata_text("note"), Some("c: d"));
    // Text in quotes and in blocks is left alone, and nothing is said about it.
    let source = file(
        "description: \"Use when\n  a: b: c\"\nlicense: d: e\nmetadata:\n  x: |\n    y: z: w\n",
    );
    let lenient = judged(&source, Profile::Lenient);
    assert_eq!(lenient.skill().unwrap().description(), "Use when a: b: c");
    assert_eq!(lenient.skill().unwrap().license(), Some("d: e"));
    assert_eq!(
        names(&lenient)
            .iter()
            .filter(|name| **name == "unquoted-colon")
            .count(),
        1
    );
    // Where the retry does not help, the fault stays an error.
    let source = file("description: \"a\": b\nlicense: c: d\n  }\n");
    assert!(judged(&source, Profile::Lenient).skill().is_none());
    // A line break that was lost.
    let source = file("description: 用于读取发票。license: MIT\n");
    let finding = &judged(&source, Profile::Spec).findings()[0].clone();
    assert!(
        finding
            .help()
            .unwrap()
            .starts_with("start a new line before `license`"),
        "{finding:?}"
    );
}
