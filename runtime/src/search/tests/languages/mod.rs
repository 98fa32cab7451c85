//! Twenty tools in each of eight languages, and a question for each in the words of a user.
//!
//! The tools have names without meaning, so that only the language is tested.

mod arabic;
mod german;
mod hebrew;
mod japanese;
mod korean;
mod russian;
mod spanish;
mod thai;

use super::super::{Document, Index};

/// At least 18 questions find their tool first, in a catalog of this language and in one of all.
fn check(language: &str, pairs: &[(&str, &str); 20]) {
    let alone = Index::new(documents(pairs));
    assert_enough(language, "alone", &alone, 0, pairs);
    let languages = [
        &arabic::ARABIC,
        &german::GERMAN,
        &hebrew::HEBREW,
        &japanese::JAPANESE,
        &korean::KOREAN,
        &russian::RUSSIAN,
        &spanish::SPANISH,
        &thai::THAI,
    ];
    let place = languages
        .iter()
        .position(|other| *other == pairs)
        .expect("one of them");
    let together = Index::new(languages.into_iter().flat_map(documents));
    assert_enough(language, "together", &together, place * 20, pairs);
}

fn documents(pairs: &[(&str, &str); 20]) -> Vec<Document> {
    let numbered = pairs.iter().enumerate();
    numbered
        .map(|(at, (text, _))| Document::new(format!("t{at}")).description(text))
        .collect()
}

fn assert_enough(
    language: &str,
    catalog: &str,
    index: &Index,
    offset: usize,
    pairs: &[(&str, &str); 20],
) {
    let mut wrong = Vec::new();
    for (at, (description, query)) in pairs.iter().enumerate() {
        let hits = index.search(query, 3);
        if hits.first().is_none_or(|hit| hit.position != offset + at) {
            let found: Vec<usize> = hits.iter().map(|hit| hit.position).collect();
            wrong.push(format!(
                "{query} -> {found:?}, not {}: {description}",
                offset + at
            ));
        }
    }
    assert!(
        wrong.len() <= 2,
        "{language}, {catalog}: {} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn russian() {
    check("Russian", &russian::RUSSIAN);
}

#[test]
fn german() {
    check("German", &german::GERMAN);
}

#[test]
fn spanish() {
    check("Spanish", &spanish::SPANISH);
}

#[test]
fn japanese() {
    check("Japanese", &japanese::JAPANESE);
}

#[test]
fn korean() {
    check("Korean", &korean::KOREAN);
}

#[test]
fn arabic() {
    check("Arabic", &arabic::ARABIC);
}

#[test]
fn thai() {
    check("Thai", &thai::THAI);
}

#[test]
fn hebrew() {
    check("Hebrew", &hebrew::HEBREW);
}
