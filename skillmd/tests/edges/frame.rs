//! Fences, and bytes that are broken.

use repertoire_skillmd::{CheckOptions, Kind, Profile, check};

use super::cases::*;
use super::support::{error_names, names};

/// A fence is a whole line; what only looks like one is text.
#[test]
fn only_whole_lines_are_fences() {
    let skill = |source: &str| {
        let checked = judged(source, Profile::Strict);
        let skill = checked
            .skill()
            .unwrap_or_else(|| panic!("{source}: {:?}", names(&checked)));
        (
            skill.description().to_owned(),
            skill.body(source.as_bytes()).to_owned(),
        )
    };
    let (description, body) =
        skill("---\nname: a\ndescription: a --- b\n---\nBody --- here\n---\nmore\n");
    assert_eq!(
        (description.as_str(), body.as_str()),
        ("a --- b", "Body --- here\n---\nmore")
    );
    let (description, _) = skill("---\nname: a\ndescription: |\n  a\n  ---\n  b\n---\nBody\n");
    assert_eq!(description, "a\n---\nb");
    let (description, _) = skill("---\nname: a\ndescription: |\n  a\n  ----\n---\nBody\n");
    assert_eq!(description, "a\n----");
    assert_eq!(
        error_names(&judged("----\nname: a\n---\n", Profile::Lenient)),
        ["missing-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\nname: a\n ---\nbody\n", Profile::Lenient)),
        ["unclosed-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\nname: a\n----\nbody\n", Profile::Lenient)),
        ["unclosed-frontmatter"]
    );
    // One byte-order mark is dropped, a second one is not.
    assert_eq!(
        error_names(&judged(
            "\u{feff}\u{feff}---\nname: a\n---\n",
            Profile::Lenient
        )),
        ["missing-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\n\u{feff}name: a\n---\n", Profile::Lenient)),
        ["yaml-syntax"]
    );
    // `...` ends a YAML document, and what follows would be another one.
    assert_eq!(
        error_names(&judged(&file("...\nlicense: MIT\n"), Profile::Lenient)),
        ["yaml-syntax"]
    );
    assert_eq!(
        error_names(&judged(
            "---\n%YAML 1.2\nname: a\ndescription: b\n---\n",
            Profile::Lenient
        )),
        ["yaml-syntax"]
    );
}

/// Broken bytes in the body hide nothing that is wrong above them.
#[test]
fn broken_bytes_after_the_frontmatter() {
    let source = [file("name: Invoices\n").as_bytes(), b"\xff\xfe"].concat();
    let kinds: Vec<Kind> = check(&source, &CheckOptions::new())
        .errors()
        .map(|finding| finding.kind())
        .collect();
    assert_eq!(kinds, [Kind::NameCase, Kind::NotUtf8]);
    // Within it they hide the rest.
    let source = b"---\nname: \xff\ndescription: b\n---\n";
    let kinds: Vec<Kind> = check(source, &CheckOptions::new())
        .errors()
        .map(|finding| finding.kind())
        .collect();
    assert_eq!(kinds, [Kind::NotUtf8]);
}
