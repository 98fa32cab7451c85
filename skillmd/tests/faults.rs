//! Odd files that once were told wrongly: the place and the cure of each, and fixes that do no harm.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use repertoire_skillmd::{CheckOptions, Checked, Finding, Kind, Profile, check, render};

fn judged(source: &str, profile: Profile) -> Checked {
    let options = CheckOptions::new().profile(profile).directory("a");
    check(source.as_bytes(), &options)
}

fn first(source: &str) -> Finding {
    let checked = judged(source, Profile::Spec);
    checked.errors().next().expect(source).clone()
}

fn place(finding: &Finding) -> (usize, usize) {
    let span = finding.span().unwrap();
    (span.line(), span.column())
}

/// What the first fix makes of a file.
fn fixed(source: &str) -> Option<String> {
    let checked = judged(source, Profile::Spec);
    let fix = checked.findings().iter().find_map(Finding::fix)?.clone();
    Some(String::from_utf8(fix.apply(source.as_bytes())).unwrap())
}

#[test]
fn a_tab_is_named_where_it_stands() {
    let source = "---\nname: a\n\tdescription: Use when asked.\n---\nx\n";
    let finding = first(source);
    assert_eq!(finding.message(), "a tab may not indent a line");
    assert_eq!(place(&finding), (3, 1));
    assert!(finding.help().unwrap().starts_with("remove the tab"));
    let mended = fixed(source).unwrap();
    assert_eq!(mended, source.replace('\t', ""));
    assert!(judged(&mended, Profile::Strict).skill().is_some());

    let after = "---\nname: a\ndescription: Use when asked.\n\tlicense: MIT\n---\nx\n";
    assert_eq!(place(&first(after)), (4, 1));
    assert!(
        judged(&fixed(after).unwrap(), Profile::Strict)
            .skill()
            .is_some()
    );

    let below = "---\nname: a\ndescription: Use when asked.\nmetadata:\n\tauthor: me\n---\nx\n";
    assert_eq!(place(&first(below)), (5, 1));
    assert_eq!(fixed(below).unwrap(), below.replace('\t', "  "));
    // A tab that is not at fault is not named.
    let colon = first("---\nname: a\ndescription: Use when: asked\n---\n\tcode\n");
    assert!(colon.message().contains("unquoted"), "{}", colon.message());
}

#[test]
fn an_unquoted_colon_in_a_text_of_several_lines() {
    for (text, meant, at) in [
        (
            "Use when: asked\n  and more text",
            "Use when: asked and more text",
            (3, 22),
        ),
        ("Use when\n  x: y", "Use when x: y", (4, 4)),
        (
            "Use when\n\n  it: rains\n  hard",
            "Use when\nit: rains hard",
            (5, 5),
        ),
    ] {
        let source = format!("---\nname: a\ndescription: {text}\nlicense: MIT\n---\nx\n");
        let finding = first(&source);
        assert_eq!(place(&finding), at, "{text}");
        assert!(
            finding.message().contains("unquoted `: `"),
            "{}",
            finding.message()
        );
        let mended = fixed(&source).unwrap();
        for (source, profile) in [(&mended, Profile::Strict), (&source, Profile::Lenient)] {
            let checked = judged(source, profile);
            let skill = checked
                .skill()
                .unwrap_or_else(|| panic!("{source}\n{:?}", checked.findings()));
            assert_eq!(skill.description(), meant);
            assert_eq!(skill.license(), Some("MIT"));
        }
    }
}

#[test]
fn a_retry_changes_no_text_beside_the_colon() {
    // The escapes make the very character that stands in for the colon.
    let source = "---\nname: a\ndescription: \"caret \\x5E, Use when \\u005e\"\ncompatibility: needs: git\n---\nx\n";
    let checked = judged(source, Profile::Lenient);
    let skill = checked.skill().unwrap();
    assert_eq!(skill.description(), "caret ^, Use when ^");
    assert_eq!(skill.compatibility(), Some("needs: git"));
    // A header with every rare character can be read again all the same.
    let all = "---\nname: a\ndescription: Use when: asked ^~;=+$|<>()/\\_.%@`!?\n---\nx\n";
    assert!(judged(all, Profile::Lenient).skill().is_some());
}

#[test]
fn a_fix_never_breaks_what_loads() {
    let header = "name: a\ndescription: Use when asked.\n";
    for keys in [
        "metadata: {\n  a: b\n}\nversion: 1\n",
        "\"a: b\": [x, y]\n",
        "\"# x\":\n  long\n  text\n",
        "tags:\n  - a # keep me\n  # and me\n  - b\n",
        "metadata:\n  note: |+\n    hello\n\n\nversion: 1\n",
        "allowed_tools:\n  - Read\n  - Bash\n",
        "licence: [MIT, X]\n",
        "Metadata: some text\n",
        "\"\": empty\n",
        "allowed-tools: \"Read, Bash(x: y), Z\"\n",
    ] {
        let source = format!("---\n{header}{keys}---\nx\n");
        let before = judged(&source, Profile::Spec);
        assert!(before.skill().is_some(), "{keys}: {:?}", before.findings());
        for finding in before.findings() {
            let Some(fix) = finding.fix() else { continue };
            let mended = String::from_utf8(fix.apply(source.as_bytes())).unwrap();
            let after = judged(&mended, Profile::Spec);
            let skill = after.skill().unwrap_or_else(|| panic!("{mended}"));
            assert!(
                !after.findings().iter().any(|f| f.kind() == finding.kind()),
                "{mended}"
            );
            for word in ["keep me", "hello", "x, y", "long text"] {
                let has = |text: &str| text.contains(word);
                assert!(
                    !has(&source) || has(&mended),
                    "{word} is gone from {mended}"
                );
            }
            // A key that needs quotes is the same key afterwards.
            let keys: Vec<&str> = skill.metadata().iter().map(|entry| entry.key()).collect();
            if source.contains("\"a: b\"") {
                assert_eq!(keys, ["a: b"], "{mended}");
            }
        }
    }
}

#[test]
fn what_is_offered_to_paste_is_yaml() {
    let tools = judged(
        "---\nname: a\ndescription: Use when asked.\nallowed-tools: \"Read, Bash(x: y), Z\"\n---\nx\n",
        Profile::Spec,
    );
    let help = tools.findings()[0].help().unwrap();
    assert_eq!(help, "write `allowed-tools: \"Read Bash(x: y) Z\"`");
    let map =
        first("---\nname: a\ndescription: Use when asked.\nallowed-tools: {Read: a}\n---\nx\n");
    assert!(
        map.help().unwrap().ends_with("`allowed-tools: Read Grep`"),
        "{map:?}"
    );
}

#[test]
fn a_huge_value_is_not_repeated() {
    let deep = "[".repeat(100_000);
    for keys in [
        format!("x: {deep}\n"),
        format!("license: Use: {deep}\n"),
        format!("license: [{}]\n", "y, ".repeat(40_000)),
        format!("license: &a {deep}\n"),
        format!("metadata:\n  a: [{}z]\n", "y, ".repeat(40_000)),
        format!("allowed-tools: [{}z]\n", "y, ".repeat(40_000)),
        format!("{}: x\n", "k".repeat(60_000)),
    ] {
        let source = format!("---\nname: a\ndescription: Use when asked.\n{keys}---\nx\n");
        for finding in judged(&source, Profile::Strict).findings() {
            assert!(
                finding.message().len() < 5_000,
                "{}",
                finding.message().len()
            );
            assert!(finding.help().unwrap_or_default().len() < 5_000);
            let text = render(finding, "a/SKILL.md", source.as_bytes());
            assert!(text.len() < 12_000, "{}", text.len());
        }
    }
    // A description of the greatest length can be pasted whole.
    let text = "字".repeat(1_000);
    let source = format!("---\nname: a\ndescription: Use when: {text}\n---\nx\n");
    assert!(first(&source).help().unwrap().contains(&text));
}

#[test]
fn very_many_findings_are_told_in_bounded_space() {
    let anchors = format!("k: [{}]\n", "&a ,".repeat(500)).repeat(20);
    let source = format!("---\nname: a\ndescription: Use when asked.\n{anchors}---\nx\n");
    let findings = judged(&source, Profile::Spec);
    let help: usize = findings
        .findings()
        .iter()
        .filter_map(Finding::help)
        .map(str::len)
        .sum();
    assert!(help < 40 * source.len(), "{help} bytes of help");
    // The place is that of the file, also where a part of the line is shown.
    let line: String = (0..5_000).map(|n| format!(", k{n}: v")).collect();
    let source = format!("---\n{{name: a, description: Use when x{line}}}\n---\nx\n");
    let checked = judged(&source, Profile::Spec);
    let last = checked.findings().last().unwrap();
    let text = render(last, "a/SKILL.md", source.as_bytes());
    let (line, column) = place(last);
    assert!(
        column > 20_000 && text.contains(&format!("--> a/SKILL.md:{line}:{column}\n")),
        "{text}"
    );
    assert!(text.contains("k4999") && text.len() < 2_000, "{text}");
}

#[test]
fn nothing_hides_in_a_message() {
    let source = "---\nname: \"t\u{200b}2\"\ndescription: Use when asked.\n---\nx\n";
    let checked = judged(source, Profile::Spec);
    let is_character = |finding: &&Finding| finding.kind() == Kind::NameCharacters;
    let name = checked.errors().find(is_character).unwrap();
    assert!(
        name.message().ends_with("and holds `\\u{200b}`"),
        "{}",
        name.message()
    );
    let escape = first("---\nname: \"A\\e[2Jb\\nC\"\ndescription: Use when asked.\n---\nx\n");
    assert!(
        escape.message().contains("A\\u{1b}[2Jb\\nC"),
        "{}",
        escape.message()
    );
    let text = render(&escape, "x\u{1b}[2J\n\u{202e}y/SKILL.md", b"---\nname: A\n");
    assert!(
        text.contains(" x\\u{1b}[2J\\n\\u{202e}y/SKILL.md:2:7"),
        "{text}"
    );
    assert!(!text.chars().any(|c| c == '\u{1b}' || c == '\u{202e}'));
}

#[test]
fn what_cannot_be_seen_is_as_good_as_empty() {
    for (name, description, kind) in [
        ("a", "\u{200b}\u{feff}", Kind::DescriptionEmpty),
        ("\u{200b}", "Use when asked.", Kind::MissingName),
    ] {
        let source = format!("---\nname: \"{name}\"\ndescription: \"{description}\"\n---\nx\n");
        let checked = judged(&source, Profile::Lenient);
        let kinds: Vec<Kind> = checked.errors().map(Finding::kind).collect();
        assert_eq!(kinds, [kind]);
    }
}

#[test]
fn a_lone_carriage_return_in_the_frontmatter_is_named() {
    let finding = first("---\nname: a\rdescription: Use when x\rname: zz\n---\nx\n");
    assert_eq!(place(&finding), (2, 8));
    assert!(finding.message().starts_with("a lone carriage return"));
    assert!(
        judged(
            "---\r\nname: a\r\ndescription: Use when x\r\n---\r\nx\r\ny\rz",
            Profile::Strict
        )
        .skill()
        .is_some()
    );
}

#[test]
fn who_keeps_a_skill_from_models_is_heard() {
    for keys in [
        "disable-model-invocation: y",
        "disable-model-invocation: definitely",
        "disable-model-invocation:",
        "disable-model-invocation: [true]",
        "disable_model_invocation: true",
        "Disable-Model-Invocation: true",
        "disable-model-invocation: on",
    ] {
        let source = format!("---\nname: a\ndescription: Use when asked.\n{keys}\n---\nx\n");
        let checked = judged(&source, Profile::Lenient);
        assert_eq!(
            checked.skill().unwrap().disable_model_invocation(),
            Some(true),
            "{keys}"
        );
    }
    for (keys, expected) in [
        ("disable-model-invocation: no", Some(false)),
        ("license: x", None),
    ] {
        let source = format!("---\nname: a\ndescription: Use when asked.\n{keys}\n---\nx\n");
        assert_eq!(
            judged(&source, Profile::Spec)
                .skill()
                .unwrap()
                .disable_model_invocation(),
            expected
        );
    }
    let source =
        "---\nname: a\ndescription: Use when asked.\ndisable_model_invocation: true\n---\nx\n";
    let checked = judged(source, Profile::Claude);
    assert!(
        checked.findings()[0]
            .help()
            .unwrap()
            .contains("`disable-model-invocation`")
    );
}

/// The bracket is at fault, not the line that the parser takes for a part of it.
#[test]
fn a_bracket_that_is_never_closed_is_named_where_it_opens() {
    for (header, at, help, mended) in [
        (
            "name: [u6\ndescription: Use when x\n",
            (2, 7),
            "close it with `]`; or, if it is text, put the value in quotes: `name: \"[u6\"`",
            Some("name: \"[u6\"\ndescription: Use when x\n"),
        ),
        (
            "name: a\ndescription: Use when x\nmetadata:\n  tags: [a,\n    b\n  other: c\n",
            (5, 9),
            "close it with `]`",
            None,
        ),
    ] {
        let source = format!("---\n{header}---\nx\n");
        let finding = first(&source);
        assert_eq!(place(&finding), at, "{header}: {finding:?}");
        assert_eq!(finding.help(), Some(help), "{header}");
        let mended = mended.map(|header| format!("---\n{header}---\nx\n"));
        assert_eq!(fixed(&source), mended, "{header}");
    }
    // Brackets that are closed, or are a part of a text, are not at fault.
    let finding = first("---\nname: a\nmetadata: {a: '['}\ndescription: Use: when\n---\nx\n");
    assert_eq!(place(&finding), (4, 17), "{finding:?}");
}

#[test]
fn a_directive_is_named_as_one() {
    for header in ["%YAML 1.2\nname: a\n", "name: a\n%TAG ! x\n"] {
        let finding = first(&format!("---\n{header}description: Use when x\n---\nx\n"));
        assert!(finding.message().contains("YAML directive"), "{finding:?}");
        assert!(finding.help().unwrap().starts_with("remove the line"));
    }
}
