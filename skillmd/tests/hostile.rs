//! No bytes panic, and none hang: at this length anything quadratic would not end. How time grows is
//! printed by `cargo run --release -p repertoire-skillmd --example growth`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

use repertoire_skillmd::{CheckOptions, Profile, check, parse, render};

/// Unoptimised code is some thirty times slower; the growth is the same.
const SIZE: usize = if cfg!(debug_assertions) {
    1 << 14
} else {
    1 << 20
};

/// Pieces that are repeated up to the wanted size, after `head` and before `tail`.
fn inputs() -> Vec<(&'static str, &'static str, String, &'static str)> {
    let mut inputs = Vec::new();
    let pieces = [
        "-",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        ": ",
        ":",
        "\n",
        "\r",
        "\r\n",
        " ",
        "\t",
        "#",
        " #",
        "&a ",
        "*a ",
        "!",
        "!a ",
        "|",
        ">",
        "? ",
        "- ",
        "a: ",
        "a:\n",
        "a: b\n",
        "- a\n",
        "a: [\n",
        "\u{feff}",
        "字",
        "\\",
        "\"\\\"",
        "[a](",
        "`",
        "` ",
        "]:",
        "](x.md) ",
        "```\n",
        "~~~\n",
        "> ```\n",
        "a: b: c\n",
        "scripts/a.py ",
        "\0",
        "---",
        "--- ",
        "...\n",
        "- - ",
        "a: {b: ",
        "[&a x, ",
        "!a x, ",
        "&a b\n",
        "a: 'b\n",
        "a: \"b\n",
        "%a\n",
        "a: |\n",
        "\u{301}",
        "(",
    ];
    for piece in pieces {
        inputs.push(("", "", piece.to_owned(), ""));
        inputs.push(("header", "---\n", piece.to_owned(), "\n---\nbody\n"));
        inputs.push((
            "value",
            "---\nname: a\ndescription: ",
            piece.to_owned(),
            "\n---\nbody\n",
        ));
        inputs.push((
            "metadata",
            "---\nname: a\ndescription: b\nmetadata:\n  k: ",
            piece.to_owned(),
            "\n---\n",
        ));
        inputs.push((
            "tools",
            "---\nname: a\ndescription: b\nallowed-tools: ",
            piece.to_owned(),
            "\n---\n",
        ));
        inputs.push((
            "body",
            "---\nname: a\ndescription: b\n---\n",
            piece.to_owned(),
            "\n",
        ));
    }
    inputs
}

fn build(head: &str, piece: &str, tail: &str, size: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    text.push_str(&piece.repeat(size / piece.len()));
    text.push_str(tail);
    text.into_bytes()
}

/// Keys that differ, so that a map of them is large.
fn many_keys(size: usize) -> Vec<u8> {
    let mut text = String::from("---\nname: a\ndescription: b\nmetadata:\n  x: y\n");
    let mut at = 0;
    while text.len() < size {
        text.push_str(&format!("k{at}: v\n"));
        at += 1;
    }
    text.push_str("---\n");
    text.into_bytes()
}

/// The same keys in braces on one line, or with other ends of lines.
fn keys_between(head: &str, between: &str, tail: &str, size: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    let mut at = 0;
    while text.len() < size {
        text.push_str(&format!("{between}k{at}: v"));
        at += 1;
    }
    text.push_str(tail);
    text.into_bytes()
}

fn backticks_of_every_length(size: usize) -> Vec<u8> {
    let mut text = String::from("---\nname: a\ndescription: b\n---\n[x](y.md) ");
    let mut length = 1;
    while text.len() < size {
        text.push_str(&"`".repeat(length));
        text.push(' ');
        length += 1;
    }
    text.into_bytes()
}

/// Checks the bytes under every profile and reads whatever comes of it.
fn survive(source: &[u8]) {
    for profile in Profile::ALL {
        let options = CheckOptions::new()
            .profile(profile)
            .directory("a")
            .file_name("SKILL.md")
            .files(["SKILL.md", "scripts/b.py"]);
        let checked = check(source, &options);
        if let Some(skill) = checked.skill() {
            let _ = skill.body(source);
        }
    }
    let _ = parse(source);
}

#[test]
fn repeated_pieces_end() {
    for (_, head, piece, tail) in inputs() {
        survive(&build(head, &piece, tail, SIZE));
    }
    survive(&many_keys(SIZE));
    survive(&backticks_of_every_length(SIZE));
    survive(&keys_between(
        "---\n{name: a, description: b",
        ", ",
        "}\n---\n",
        SIZE,
    ));
    survive(&keys_between("---\nname: a", "\r", "\n---\n", SIZE));
    survive(&keys_between(
        "---\nname: a\ndescription: b",
        "\n  ",
        "\n---\n",
        SIZE,
    ));
    let fences = "---\nname: a\ndescription: b\n---\n[x](no.md)\n```\n";
    survive(&build(fences, "``` x ", "\n", SIZE));
}

/// Every finding of a file full of them can be shown.
#[test]
fn rendering_is_bounded() {
    let source = build(
        "---\nname: a\ndescription: b\n---\n",
        "[x](no.md) ",
        "\n",
        1 << 16,
    );
    let checked = check(&source, &CheckOptions::new().files(["SKILL.md"]));
    assert!(checked.findings().len() > 5000);
    for finding in checked.findings().iter().step_by(500) {
        let text = render(finding, "SKILL.md", &source);
        assert!(text.len() < 2000, "{} bytes", text.len());
    }
}

/// What is nested deeper than any real file is refused, by blocks and by brackets.
#[test]
fn deep_nesting_is_refused() {
    let mut block = String::from("---\nname: a\ndescription: b\nmetadata:\n");
    for depth in 1..200 {
        block.push_str(&format!("{}k:\n", "  ".repeat(depth)));
    }
    block.push_str("---\n");
    let flow = format!(
        "---\nname: a\ndescription: b\nmetadata: {}{}\n---\n",
        "{k: ".repeat(200),
        "}".repeat(200)
    );
    for source in [block, flow] {
        let checked = check(
            source.as_bytes(),
            &CheckOptions::new().profile(Profile::Lenient),
        );
        assert!(checked.skill().is_none());
        let message = checked
            .findings()
            .iter()
            .map(|finding| finding.message())
            .collect::<Vec<_>>()
            .join("\n");
        assert!(message.contains("64 levels"), "{message}");
    }
}

/// Every prefix of a file with some of everything, cut at every byte.
#[test]
fn prefixes_do_not_panic() {
    let source = "\u{feff}--- \nname: \"字-\\u0301\"\ndescription: >-\n  a: b\n  c # d\nmetadata: {a: [b, 'c'], \"d\": e}\n# c\nallowed-tools: Bash(a b), C\nx: &a !t *b\ny: 'it's: z'\n---\t\n[a](b%2.md) `scripts/x.py` ```\n".as_bytes();
    for end in 0..=source.len() {
        for profile in Profile::ALL {
            let checked = check(
                &source[..end],
                &CheckOptions::new()
                    .profile(profile)
                    .directory("字")
                    .files(["b.md"]),
            );
            for finding in checked.findings() {
                let _ = render(finding, "SKILL.md", &source[..end]);
            }
        }
    }
}
