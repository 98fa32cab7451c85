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
    ("result_not_serialize", 2),
    ("several_mistakes", 4),
    ("wrong_value", 3),
];

/// What others say best: the compiler names the variable that is held over the `await`, and the
/// function that is no tool; serde's own derive, which stands beside ours, says the same words at the same place.
const LEFT_TO_OTHERS: &[&str] = &[
    "future cannot be sent between threads safely",
    "expected type, found function `other`",
    "unknown serde field attribute `renamed`",
    "Serde does not support derive for unions",
];

/// Each mistake gives one error, and its text is written in this repository.
#[test]
fn no_error_is_the_compilers_alone() {
    let ours = sources();
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
            .map(|line| line.split_once(": ").map_or(line, |(_, message)| message))
            .collect();
        let expected = SEVERAL
            .iter()
            .find(|(several, _)| *several == name)
            .map_or(1, |(_, count)| *count);
        assert_eq!(errors.len(), expected, "errors in {name}.stderr");
        leaked.extend(
            errors
                .iter()
                .filter(|error| !LEFT_TO_OTHERS.contains(error) && !is_ours(error, &ours))
                .map(|error| format!("{name}: {error}")),
        );
    }
    assert_eq!(leaked, Vec::<String>::new());
}

/// Whether three words of a message in a row, none in backticks, stand in our sources.
fn is_ours(error: &str, sources: &str) -> bool {
    if error.contains("`two_tools_") {
        return true;
    }
    error.split('`').step_by(2).any(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        words
            .windows(3)
            .any(|three| sources.contains(&three.concat()))
    })
}

/// The text of both crates, without what a line break inside a string leaves behind.
fn sources() -> String {
    let mut all = String::new();
    for root in ["../macros/src", "../runtime/src"] {
        gather(Path::new(root), &mut all);
    }
    flat(&all)
}

fn gather(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, all);
        } else {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

fn flat(text: &str) -> String {
    text.replace("\\\n", "").split_whitespace().collect()
}
