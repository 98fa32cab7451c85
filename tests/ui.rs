//! Mistakes, one a file, and what the compiler says to each.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

use std::{fs, path::Path};

mod ui_skills;

#[test]
fn mistakes_have_our_own_words() {
    ui_skills::lay_out();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    // Links are refused where there are links.
    if cfg!(unix) {
        cases.compile_fail("ui/skills/*.rs");
    }
}

/// Files with several mistakes on purpose, and how many.
const SEVERAL: &[(&str, usize)] = &[
    ("crate_that_is_none", 3),
    ("lint_schema", 4),
    ("parameter_name", 2),
    ("policy_fallback_nowhere", 3),
    ("says_nothing", 4),
    ("schema_names_twice", 3),
    ("schema_without_value", 3),
    ("several_mistakes", 4),
    ("toolbox_keys_of_a_tool", 2),
    ("wrong_value", 3),
];

/// Files whose error is the compiler's, in words that no macro can choose. It is about an item of ours,
/// whose name says what is wrong, where the mistake lies in several files or in what another macro
/// writes; or the compiler refuses the attribute before it asks the macro.
const NAMED_BY_US: &[(&str, &str)] = &[
    (
        "key_value_attribute",
        "key-value macro attributes are not supported",
    ),
    ("same_name_by_macro", "two_tools_are_called_"),
    (
        "schema_circle_of_modules",
        "TYPES_HOLD_EACH_OTHER_SO_WRITE_",
    ),
];

/// Codes under which the compiler speaks for itself, whatever the words.
const FOREIGN: &[&str] = &["E0391", "E0428"];

/// Each mistake gives one error, and its text is a message of this repository.
#[test]
fn no_error_is_the_compilers_alone() {
    let ours = messages();
    let mut leaked = Vec::new();
    for entry in fs::read_dir("ui").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path.with_extension("stderr")).unwrap();
        let errors: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("error"))
            .collect();
        let expected = SEVERAL
            .iter()
            .find(|(several, _)| *several == name)
            .map_or(1, |(_, count)| *count);
        assert_eq!(errors.len(), expected, "errors in {name}.stderr");
        let named = NAMED_BY_US.iter().find(|(file, _)| *file == name);
        leaked.extend(
            errors
                .iter()
                .filter(|error| match named {
                    Some((_, item)) => !error.contains(item),
                    None => !is_ours(error, &ours),
                })
                .map(|error| format!("{name}: {error}")),
        );
    }
    assert_eq!(leaked, Vec::<String>::new());
}

#[test]
fn what_the_compiler_says_is_not_ours() {
    let ours = messages();
    for foreign in [
        "error[E0391]: cycle detected when elaborating drops for `_::SCHEMA`",
        "error[E0428]: the name `x` is defined multiple times",
        "error[E0277]: the size for values of type `str` cannot be known at compilation time",
        "error[E0433]: cannot find `nowhere` in the crate root",
        "error[E0277]: the trait bound `Db: Deserialize<'_>` is not satisfied",
        "error[E0308]: mismatched types",
        "error: expected one of: `for`, parentheses, `fn`",
    ] {
        assert!(!is_ours(foreign, &ours), "{foreign}");
    }
    assert!(is_ours("error[E0277]: `Place` has no tool schema", &ours));
    let code = r##"
        // "a comment of many words"
        /* "another of many words" */
        let c = '"'; let s = "one \" text\
            goes on {here} for {}"; let r = r#"a "raw" text"#;
    "##;
    assert_eq!(
        literals(code),
        ["one \" textgoes on {here} for {}", "a \"raw\" text"]
    );
}

/// Whether an error is one of our messages: the fixed parts of a literal follow each other in it, and
/// what the message starts with is the literal's, where that starts with words.
fn is_ours(error: &str, ours: &[Vec<String>]) -> bool {
    let (kind, message) = error.split_once(": ").unwrap_or(("", error));
    if FOREIGN.iter().any(|code| kind.contains(code)) {
        return false;
    }
    let message = message
        .strip_prefix("evaluation panicked: ")
        .unwrap_or(message);
    let message = message
        .strip_prefix("use of deprecated constant `")
        .map_or(message, |rest| {
            rest.split_once("`: ").map_or(rest, |(_, note)| note)
        });
    // Many say first which key it is about.
    let named = message
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("` "));
    let about = named.map_or(message, |(_, rest)| rest);
    ours.iter()
        .any(|parts| holds(message, parts) || holds(about, parts))
}

fn holds(message: &str, parts: &[String]) -> bool {
    let mut rest = message;
    for (index, part) in parts.iter().enumerate() {
        match rest.find(part.as_str()) {
            Some(at) if index > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    true
}

/// The fixed parts of every text literal in the code of both crates that has three words or more.
fn messages() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for root in ["../macros/src", "../runtime/src"] {
        gather(Path::new(root), &mut all);
    }
    all.retain(|parts: &Vec<String>| {
        let words = parts.iter().flat_map(|part| part.split_whitespace());
        words
            .filter(|word| word.chars().any(char::is_alphabetic))
            .count()
            > 2
    });
    all
}

fn gather(folder: &Path, all: &mut Vec<Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, all);
        } else {
            let text = fs::read_to_string(path).unwrap();
            all.extend(literals(&text).iter().map(|literal| fixed(literal)));
        }
    }
}

/// A format string without what stands in braces.
fn fixed(literal: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = literal;
    while let Some((before, after)) = rest.split_once('{') {
        parts.last_mut().unwrap().push_str(before);
        rest = match (after.strip_prefix('{'), after.split_once('}')) {
            (Some(after), _) => {
                parts.last_mut().unwrap().push('{');
                after
            }
            (None, Some((_, after))) => {
                parts.push(String::new());
                after
            }
            (None, None) => after,
        };
    }
    parts.last_mut().unwrap().push_str(rest);
    parts
}

/// The text literals of Rust code, read as the compiler reads them, without comments.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") {
            3
        } else if let Some(escape) = rest.strip_prefix("'\\") {
            2 + escape.chars().next().map_or(0, char::len_utf8)
        } else if let Some(hashes) = raw_start(rest) {
            let start = hashes + 2;
            let end = format!("\"{}", "#".repeat(hashes));
            let length = rest[start..].find(&end).unwrap();
            found.push(rest[start..start + length].to_owned());
            start + length + end.len()
        } else if first == '"' {
            let (text, length) = quoted(&rest[1..]);
            found.push(text);
            1 + length
        } else {
            first.len_utf8()
        };
        rest = &rest[skipped..];
    }
    found
}

/// How many `#` a raw text starts with, if one starts here.
fn raw_start(code: &str) -> Option<usize> {
    let after = code.strip_prefix('r')?;
    let text = after.trim_start_matches('#');
    text.starts_with('"').then(|| after.len() - text.len())
}

/// The text to the closing quote, and where that ends.
fn quoted(code: &str) -> (String, usize) {
    let mut text = String::new();
    let mut letters = code.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (text, at + 1),
            '\\' => match letters.next().map(|(_, letter)| letter) {
                Some('\n') => {
                    while letters
                        .next_if(|(_, letter)| letter.is_whitespace())
                        .is_some()
                    {}
                }
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            other => text.push(other),
        }
    }
    (text, code.len())
}
