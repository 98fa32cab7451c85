//! Random frontmatter, written down in each style of YAML and read back.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

use proptest::prelude::*;
use repertoire_skillmd::{CheckOptions, Content, Entry, Profile, Value, check, parse};

/// What is to be read back.
#[derive(Clone, Debug)]
enum Tree {
    Text(String, Style),
    List(Vec<Tree>, bool),
    Map(Vec<(String, Tree)>, bool),
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 ,.#:'\"\\[\\]{}|>&*!%@`?~\\\\-]{0,30}",
        "[字é📦क्षäß \u{301}]{0,12}",
        "(true|false|null|~|007|1\\.10|0x1F|yes|2026-01-31|12:30:45|\\.5|1e3|- a|a: b|: |# x|a #b)",
        "[a-z]{0,6}(\n[a-z:# ]{0,10}){0,3}",
    ]
}

/// Whether `text` may be written without quotes after `key: ` and in `[…]`.
fn can_be_plain(text: &str) -> bool {
    let start = text.chars().next();
    start.is_some_and(|c| c.is_alphanumeric() || matches!(c, '~' | '.'))
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && text.trim() == text
        && !text.contains(|c: char| c.is_control() || ",[]{}".contains(c))
        // A combining mark or the like is no trouble; a line break is.
        && !text.contains('\u{feff}')
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![
        Just(Style::Plain),
        Just(Style::Single),
        Just(Style::Double),
        Just(Style::Literal)
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = (text(), style()).prop_map(|(text, style)| Tree::Text(text, style));
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..4), any::<bool>())
                .prop_map(|(items, flow)| Tree::List(items, flow)),
            (
                prop::collection::btree_map("[a-z][a-z0-9_-]{0,8}", inner, 0..4),
                any::<bool>()
            )
                .prop_map(|(entries, flow)| Tree::Map(entries.into_iter().collect(), flow)),
        ]
    })
}

fn double(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        c if u32::from(c) > 0xFFFF => format!("\\U{:08X}", u32::from(c)),
        c if !c.is_ascii() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A text on one line.
fn inline(text: &str, style: Style) -> String {
    match style {
        Style::Plain if can_be_plain(text) => text.to_owned(),
        Style::Single if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
        _ => double(text),
    }
}

fn flow(tree: &Tree) -> String {
    match tree {
        Tree::Text(text, style) => inline(text, *style),
        Tree::List(items, _) => format!(
            "[{}]",
            items.iter().map(flow).collect::<Vec<_>>().join(", ")
        ),
        Tree::Map(entries, _) => {
            let pairs: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", flow(value)))
                .collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// What follows `key:` or `-`, line break included.
fn block(tree: &Tree, indent: usize) -> String {
    let pad = " ".repeat(indent);
    match tree {
        Tree::Text(text, Style::Literal)
            if !text.is_empty()
                && !text.starts_with([' ', '\n'])
                && !text.ends_with('\n')
                && !text.contains('\u{feff}') =>
        {
            let lines: String = text
                .split('\n')
                .map(|line| {
                    if line.is_empty() {
                        "\n".to_owned()
                    } else {
                        format!("{pad}{line}\n")
                    }
                })
                .collect();
            format!(" |-\n{lines}")
        }
        Tree::Text(text, style) => format!(" {}\n", inline(text, *style)),
        Tree::List(items, false) if !items.is_empty() => {
            let items: String = items
                .iter()
                .map(|item| format!("{pad}-{}", block(item, indent + 2)))
                .collect();
            format!("\n{items}")
        }
        Tree::Map(entries, false) if !entries.is_empty() => {
            let entries: String = entries
                .iter()
                .map(|(key, value)| format!("{pad}{key}:{}", block(value, indent + 2)))
                .collect();
            format!("\n{entries}")
        }
        tree => format!(" {}\n", flow(tree)),
    }
}

fn assert_same(found: &Value, wanted: &Tree, source: &str) {
    match (found.content(), wanted) {
        (Content::Text { text, .. }, Tree::Text(wanted, _)) => assert_eq!(text, wanted, "{source}"),
        (Content::List(found), Tree::List(wanted, _)) => {
            assert_eq!(found.len(), wanted.len(), "{source}");
            found
                .iter()
                .zip(wanted)
                .for_each(|(found, wanted)| assert_same(found, wanted, source));
        }
        (Content::Map(found), Tree::Map(wanted, _)) => assert_entries(found, wanted, source),
        (found, wanted) => panic!("{found:?} for {wanted:?} in\n{source}"),
    }
}

fn assert_entries(found: &[Entry], wanted: &[(String, Tree)], source: &str) {
    assert_eq!(found.len(), wanted.len(), "{source}");
    for (entry, (key, value)) in found.iter().zip(wanted) {
        assert_eq!(entry.key(), key, "{source}");
        assert_eq!(&source[entry.key_range()], key);
        assert_same(entry.value(), value, source);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn what_is_written_is_read(entries in prop::collection::btree_map("[a-z][a-z0-9_-]{0,10}", tree(), 0..6), body in "[a-z\n #-]{0,40}", crlf: bool) {
        let entries: Vec<(String, Tree)> = entries.into_iter().collect();
        let header: String = entries.iter().map(|(key, value)| format!("{key}:{}", block(value, 2))).collect();
        let source = format!("---\n{header}---\n{body}");
        let source = if crlf { source.replace('\n', "\r\n") } else { source };
        let document = parse(source.as_bytes()).unwrap_or_else(|findings| panic!("{findings:?} in\n{source}"));
        assert_entries(document.entries(), &entries, &source);
        prop_assert_eq!(&source[document.body_span()], source[source.len() - body.replace('\n', if crlf { "\r\n" } else { "\n" }).len()..].trim());
    }

    /// Quoting, as a fix does it, keeps the text.
    #[test]
    fn fixes_of_colons_keep_the_text(left in "[a-z\"'\\\\]{1,8}", right in "[a-z字\"'\\\\ ]{0,8}[a-z]") {
        let source = format!("---\nname: a\ndescription: x{left}: {right}\n---\nbody\n");
        let options = CheckOptions::new().profile(Profile::Lenient);
        let wanted = format!("x{left}: {right}");
        let checked = check(source.as_bytes(), &options);
        let skill = checked.skill().unwrap();
        prop_assert_eq!(skill.description(), wanted);
        let strict = check(source.as_bytes(), &CheckOptions::new());
        let fixed = strict.errors().next().unwrap().fix().unwrap().apply(source.as_bytes());
        let again = check(&fixed, &CheckOptions::new());
        prop_assert_eq!(again.skill().map(|skill| skill.description().to_owned()), Some(skill.description().to_owned()));
    }

    /// Any bytes at all.
    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "(---\n)?[ -~\n字]{0,200}(\n---\n)?.{0,40}") {
        for source in [bytes.as_slice(), text.as_bytes()] {
            for profile in Profile::ALL {
                let checked = check(source, &CheckOptions::new().profile(profile).directory("a").files(["a.md"]));
                for finding in checked.findings() {
                    let _ = repertoire_skillmd::render(finding, "SKILL.md", source);
                    if let Some(fix) = finding.fix() {
                        let _ = fix.apply(source);
                    }
                }
            }
        }
    }
}
