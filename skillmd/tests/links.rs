//! Which links of a body are looked at, and what is said of them.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use repertoire_skillmd::{CheckOptions, check};

/// What the links lint sees as a link to a file of the skill.
#[test]
fn links() {
    let found = |body: &str| -> Vec<String> {
        let source = format!("---\nname: a\ndescription: Use when asked.\n---\n{body}\n");
        let options =
            CheckOptions::new().files(["SKILL.md", "references/a b.md", "references/deep/c.md"]);
        let checked = check(source.as_bytes(), &options);
        let of = |finding: &repertoire_skillmd::Finding| {
            format!(
                "{} {}",
                finding.kind(),
                &source[finding.span().unwrap().bytes()]
            )
        };
        checked.findings().iter().map(of).collect()
    };
    let clean = [
        "[x](references/a%20b.md#part)",
        "[x](<references/a b.md>)",
        "[x](./references/deep/../deep/c.md \"title\")",
        "[x](references/deep) [y](references/) [z](.)",
        "[x](https://a.b/c.md) [y](mailto:a@b.c) [z](#part) [w](//a.b/c.md)",
        "[x](url) [y]({file}.md) [z](<name>.md)",
        "`[x](no.md)` ``[x](no.md) ` ``",
        "```\n[x](no.md)\n```",
        "~~~md\n```\n[x](no.md)\n~~~",
        "> ```\n> [x](no.md)\n> ```",
        "[^1]: no.md",
        "<!-- [x](no.md) -->",
        "a <!--\n[x](no.md)\n\nscripts/no.py -->",
        "<!-- never closed [x](no.md)",
        "As in:\n\n    [x](no.md)\n\n    [x]: no.md",
        "As in:\n\n\t[x](no.md)",
        "see scripts/ and scripts/*.py and my/scripts/a.py",
    ];
    for body in clean {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
    assert_eq!(
        found("[x](no.md) ![y](img/no.png)"),
        ["link-missing no.md", "link-missing img/no.png"]
    );
    assert_eq!(found("[x]: no.md"), ["link-missing no.md"]);
    assert_eq!(
        found("[x](https-notes.md)"),
        ["link-missing https-notes.md"]
    );
    assert_eq!(
        found("[x](REFERENCES/deep/c.md?raw)"),
        ["link-case REFERENCES/deep/c.md?raw"]
    );
    assert_eq!(
        found("[x](references/../../b/SKILL.md)"),
        ["link-outside references/../../b/SKILL.md"]
    );
    assert_eq!(found("[x](/etc/passwd)"), ["link-outside /etc/passwd"]);
    assert_eq!(
        found("run `scripts/no.py`, or ./scripts/no.sh."),
        [
            "mention-missing scripts/no.py",
            "mention-missing scripts/no.sh"
        ]
    );
    // What only looks like a comment or like code.
    for body in [
        "`<!--` [x](no.md) `-->`",
        "<!-- a --> [x](no.md) <!-- b -->",
        "```\n<!--\n```\n[x](no.md)",
        "A line and\n    [x](no.md)",
        "- item\n\n    [x](no.md)",
        "1. item\n   more\n\n    [x](no.md)",
        "    code\n\n[x](no.md)",
        "- item\n\ntext\n\n   [x](no.md)",
    ] {
        assert_eq!(found(body), ["link-missing no.md"], "{body}");
    }
    assert_eq!(
        found("```\n[x](no.md)\n```\n[y](no.md)"),
        ["link-missing no.md"]
    );
}
