//! Where a finding points.

use repertoire_skillmd::{Kind, Profile, render};

use super::cases::*;

/// The caret stands under the right character whatever stands before it.
#[test]
fn carets_after_wide_characters_tabs_and_marks() {
    let caret = |source: &str, kind: Kind| {
        let checked = judged(source, Profile::Spec);
        let finding = checked
            .findings()
            .iter()
            .find(|finding| finding.kind() == kind)
            .unwrap();
        let text = render(finding, "SKILL.md", source.as_bytes());
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with("| ") && line.contains('^'))
            .unwrap()
            .to_owned();
        (
            finding
                .span()
                .map(|span| (span.line(), span.column()))
                .unwrap(),
            line.find('^').unwrap(),
            text,
        )
    };
    // Two columns on screen for each of the four characters.
    let (place, at, text) = caret(&file("description: 发票用于: b\n"), Kind::YamlSyntax);
    assert_eq!(
        (place, at),
        ((3, 18), "3 | description: 12345678".len()),
        "{text}"
    );
    // A tab is shown as four blanks.
    let (place, at, _) = caret(&file("license:\t&a b\n"), Kind::YamlAlias);
    assert_eq!((place, at), ((4, 10), "4 | license:    ".len()));
    // A mark at the start has no width, and the first line starts at column 1.
    let (place, at, _) = caret("\u{feff}# no\n", Kind::MissingFrontmatter);
    assert_eq!((place, at), ((1, 1), "1 | ".len()));
    let (place, ..) = caret(
        "\u{feff}---\r\nname: A\r\ndescription: b\r\n---\r\n",
        Kind::NameCase,
    );
    assert_eq!(place, (2, 7));
}
