//! Whether a description says when to use the skill.

use super::Subject;
use crate::Kind;
use crate::draft::Draft;
use crate::skill::find;

/// Words, whole, that speak of an occasion.
const WORDS: &[&str] = &[
    "when",
    "whenever",
    "if",
    "before",
    "after",
    "during",
    "while",
    "once",
    "until",
    "upon",
    "unless",
    "where",
    "wherever",
    "trigger",
    "triggers",
    "triggered",
    "invoke",
    "invoked",
    "activate",
    "activates",
    "use",
    "used",
    "useful",
    "needs",
    "need",
    "needing",
    "wants",
    "want",
    "asks",
    "ask",
    "asked",
    "asking",
    "request",
    "requests",
    "requested",
    "mentions",
    // Spanish, French, Portuguese, Italian, German, Dutch
    "cuando",
    "si",
    "quand",
    "lorsque",
    "quando",
    "se",
    "wenn",
    "falls",
    "sobald",
    "bei",
    "wanneer",
    "als",
];

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

fn says_when(text: &str) -> bool {
    if !text.is_ascii() && PARTS.iter().any(|part| text.contains(part)) {
        return true;
    }
    // Of a text that is mostly not in the Latin script this list knows no words.
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let latin = text
        .chars()
        .filter(|c| c.is_alphabetic() && *c < '\u{250}')
        .count();
    if latin * 2 < letters {
        return true;
    }
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)))
}
