//! Whether a description says when to use the skill.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Subject;
use crate::Kind;
use crate::draft::Draft;
use crate::skill::find;

/// A word of at most eight letters in lower case, as one number.
const fn packed(word: &[u8]) -> u64 {
    let mut packed = 0;
    let mut at = 0;
    while at < word.len() {
        packed = packed << 8 | word[at] as u64;
        at += 1;
    }
    packed
}

const fn pack<const N: usize>(words: [&str; N]) -> [u64; N] {
    let mut packed_words = [0; N];
    let mut at = 0;
    while at < N {
        packed_words[at] = packed(words[at].as_bytes());
        at += 1;
    }
    packed_words
}

/// Words that speak of an occasion.
const WORDS: [u64; 50] = pack([
    "when", "whenever", "if", "before", "after", "during", "while", "once", "until", "upon",
    "unless", "where", "wherever", "trigger", "triggers", "invoke", "invoked", "activate", "use",
    "used", "useful", "need", "needs", "needing", "want", "wants", "ask", "asks", "asked",
    "asking", "request", "requests", "mentions",
    // Spanish, French, Portuguese, Italian, German and Dutch.
    "cuando", "si", "quand", "lorsque", "quando", "se", "wenn", "falls", "sobald", "bei", "wanneer",
    // Imperatives that other languages use as English does `use`.
    "utilisez", "utiliser", "usar", "usare", "gebruik", "kullan",
]);

/// Whether a text of any case holds one of [`WORDS`].
fn holds_word(text: &[u8]) -> bool {
    let (mut word, mut length) = (0, 0);
    for byte in text.iter().chain(b" ") {
        if byte.is_ascii_alphanumeric() {
            word = word << 8 | u64::from(byte.to_ascii_lowercase());
            length += 1;
        } else {
            // Of a longer word only the last eight letters are left.
            if (2..=8).contains(&length) && WORDS.contains(&word) {
                return true;
            }
            (word, length) = (0, 0);
        }
    }
    false
}

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

static WHEN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("when"));

fn says_when(text: &str) -> bool {
    // Most descriptions hold this word, as they should.
    if WHEN.find(text.as_bytes()).is_some() {
        return true;
    }
    if holds_word(text.as_bytes()) {
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

#[cfg(test)]
mod tests {
    use super::says_when;

    #[test]
    fn occasions_in_several_languages() {
        for text in [
            "Reads bills. USE for invoices.",
            "Reads bills, if any",
            "Lit les factures; lorsque demandé",
            "Liest Rechnungen, falls nötig",
            "读取发票。用于报销",
            "請求書を読む。依頼されたときに",
            "청구서를 읽습니다. 필요할 때",
            "Читает счета",
            "Utilisez ce skill pour les PDF",
            "Kullanıcı PDF istediğinde kullan",
        ] {
            assert!(says_when(text), "{text}");
        }
        for text in [
            "Reads bills.",
            "Reuse of user causes",
            "Factures et reçus",
            "iffy buttons",
            "",
        ] {
            assert!(!says_when(text), "{text}");
        }
    }
}
