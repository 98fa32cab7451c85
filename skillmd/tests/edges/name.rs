//! Names, and what stands in for them.

use repertoire_skillmd::{CheckOptions, Profile, check};

use super::cases::*;
use super::support::{error_names, names};

/// Letters and digits of any script, in normalisation form NFKC.
#[test]
fn names_of_any_script() {
    assert!(named("données", "données").is_empty());
    // The same name, its accents composed in the file and decomposed on disk, or the other way round.
    assert!(named("donne\u{301}es", "donn\u{e9}es").is_empty());
    assert!(named("donn\u{e9}es", "donne\u{301}es").is_empty());
    assert!(named("数据处理", "数据处理").is_empty());
    assert!(named("обработка-данных", "обработка-данных").is_empty());
    // A combining mark belongs to the letter before it.
    assert!(named("हिन्दी-पाठ", "हिन्दी-पाठ").is_empty());
    assert!(named("อ่านบิล", "อ่านบิล").is_empty());
    assert_eq!(named("a-\u{301}b", "a-\u{301}b"), ["name-characters"]);
    // Full-width forms are the letters they stand for.
    assert!(named("ａｂｃ", "abc").is_empty());
    assert_eq!(
        named("Données", "données"),
        ["name-case", "name-directory-mismatch"]
    );
    assert_eq!(named("ДАННЫЕ", "ДАННЫЕ"), ["name-case"]);
    assert_eq!(named("rechnung-📦", "rechnung-📦"), ["name-characters"]);
    // Joiners cannot be seen, so two names could look alike.
    assert_eq!(named("a\u{200d}b", "a\u{200d}b"), ["name-characters"]);
}

/// A name is counted after normalisation: 64 letters with a composed accent each are 64.
#[test]
fn names_are_counted_after_normalisation() {
    let name = "e\u{301}".repeat(64);
    assert!(named(&name, &name).is_empty());
    let name = "e\u{301}".repeat(65);
    assert_eq!(named(&name, &name), ["name-too-long"]);
    let checked = check(
        file(&format!("name: {name}\n")).as_bytes(),
        &CheckOptions::new(),
    );
    assert!(checked.findings()[0].message().contains("65 characters"));
}

/// Under `lenient` the folder stands in for a missing name, and nothing for a description.
#[test]
fn lenient_takes_the_name_of_the_folder() {
    let source = with("description: Use when a bill is to be read.\n");
    let options = CheckOptions::new().profile(Profile::Lenient);
    assert!(check(source.as_bytes(), &options).skill().is_none());
    let checked = check(
        source.as_bytes(),
        &options.clone().directory("rechnu\u{308}ng"),
    );
    assert_eq!(checked.skill().unwrap().name(), "rechn\u{fc}ng");
    assert_eq!(names(&checked), ["missing-name"]);
    let source = with("name: a\n");
    assert_eq!(
        error_names(&check(source.as_bytes(), &options)),
        ["missing-description"]
    );
}
