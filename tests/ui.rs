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
    // Both halves are missing, and each is named.
    ("neither", 2),
    ("result_not_serialize", 2),
    ("several_mistakes", 4),
    ("wrong_value", 3),
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
                .filter(|error| !is_ours(error, &ours))
                .map(|error| format!("{name}: {error}")),
        );
    }
    assert_eq!(leaked, Vec::<String>::new());
}

/// Whether a part of a message that is not in backticks stands in our sources: all of it, or four
/// words in a row, since a message may be put together of several pieces.
fn is_ours(error: &str, sources: &str) -> bool {
    // The names of generated items say what is wrong where the compiler names them.
    if error.contains("`two_tools_") || error.contains("::TYPES_HOLD_EACH_OTHER_SO_WRITE_") {
        return true;
    }
    error.split('`').step_by(2).any(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let row = words.len().min(4);
        row > 2
            && words
                .windows(row)
                .any(|words| sources.contains(&words.concat()))
    })
}

/// The code of both crates without its comments, and without what a line break inside a string leaves
/// behind.
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
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.trim_end().trim_end_matches('\\'))
        .collect();
    code.split_whitespace().collect()
}
