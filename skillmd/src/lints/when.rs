//! Whether a description says when to use the skill.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Subject;
use crate::Kind;
use crate::draft::Draft;
use crate::skill::find;

/// Whether a word in lower case speaks of an occasion.
fn is_known(word: &[u8]) -> bool {
    matches!(
        word,
        b"when" | b"whenever" | b"if" | b"before" | b"after" | b"during" | b"while" | b"once" | b"until" | b"upon"
            | b"unless" | b"where" | b"wherever"
            | b"trigger" | b"triggers" | b"triggered" | b"invoke" | b"invoked" | b"activate" | b"activates"
            | b"use" | b"used" | b"useful" | b"need" | b"needs" | b"needing" | b"want" | b"wants"
            | b"ask" | b"asks" | b"asked" | b"asking" | b"request" | b"requests" | b"requested" | b"mentions"
            // Spanish, French, Portuguese, Italian, German and Dutch.
            | b"cuando" | b"si" | b"quand" | b"lorsque" | b"quando" | b"se" | b"wenn" | b"falls" | b"sobald" | b"bei"
            | b"wanneer" | b"als"
    )
}

/// The length of the longest of these words.
const LONGEST: usize = 9;

pub(super) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    let entries = &subject.header.entries;
    if find(entries, "when_to_use").is_some() {
        return;
    }
    let Some(value) = find(entries, "description") else {
        return;
    };
    let Some(text) = value.as_text() else { return };
    if text.trim().is_empty() || says_when(text) {
        return;
    }
    drafts.push(
        Draft::at(
            Kind::DescriptionNoWhen,
            value.range(),
            "`description` does not say when to use the skill; a model chooses by this text alone",
        )
        .help("add a sentence such as `Use when the user asks for …`"),
    );
}

/// Parts of Chinese, Japanese and Korean texts, which have no blanks between words, that do so.
const PARTS: &[&str] = &[
    "时", "時", "当", "當", "用于", "用於", "使用", "场景", "場合", "とき", "際", "场合", "때",
    "경우", "사용", "위한",
];

/// The words of a text that may be known ones, by their length.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|word| (2..=LONGEST).contains(&word.len()))
}

fn is_known_in_any_case(word: &[u8]) -> bool {
    // Three of four words start with another letter.
    const FIRST: &[u8] = b"wibaduotnrmcsqlf";
    let first = word.first().map_or(0, u8::to_ascii_lowercase);
    if !FIRST.contains(&first) {
        return false;
    }
    let mut lower = [0; LONGEST];
    lower.get_mut(..word.len()).is_some_and(|lower| {
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        is_known(lower)
    })
}

static WHEN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("when"));

fn says_when(text: &str) -> bool {
    // Most descriptions hold this word, as they should.
    if WHEN.find(text.as_bytes()).is_some() {
        return true;
    }
    if words(text.as_bytes()).any(is_known_in_any_case) {
        return true;
    }
    if text.is_ascii() {
        return false;
    }
    if PARTS.iter().any(|part| text.contains(part)) {
        return true;
    }
    // Of a text that is mostly not in the Latin script the list knows no words.
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let latin = text
        .chars()
        .filter(|c| *c < '\u{250}' && c.is_alphabetic())
        .count();
    latin * 2 < letters
}
