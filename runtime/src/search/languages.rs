//! Which languages a catalog is written in, and each of its words.

use super::build::{Collector, Form, NAME, Token};
use super::document::FIELDS;
use super::tokenize::{Language, LanguageSet, Script, by_letters, function_word_of};
use super::vocabulary::Vocabulary;

/// Strength of signs that makes a language certain on account of one document.
const CERTAIN: u32 = 4;
/// One document in so many is enough to make a language certain on account of weaker signs.
const SHARE: usize = 10;
/// Scripts that several languages are told apart in.
const SHARED: [Script; 3] = [Script::Latin, Script::Cyrillic, Script::Arabic];

/// The languages of the catalog, and of each word.
pub(super) struct Languages {
    /// The default language of each script, and those that some document is certainly in.
    pub(super) in_use: LanguageSet,
    /// For each word, votes of the documents that hold it, by language; empty when every script
    /// has only its default language.
    votes: Vec<[u16; Language::COUNT]>,
}

impl Languages {
    /// Reads the language of each document off its function words and special letters.
    pub(super) fn learn(collected: &Collector) -> Self {
        let Collector {
            words,
            forms,
            tokens,
            ends,
            ..
        } = collected;
        let signs: Vec<Sign> = (0..)
            .zip(forms)
            .map(|(id, form)| Sign::of(words, id, *form))
            .collect();
        let found: Vec<_> = proses(tokens, ends)
            .map(|prose| SHARED.map(|script| language_of(prose, &signs, script)))
            .collect();
        let in_use = certain(&found);
        let mut votes = Vec::new();
        if in_use != Language::defaults() {
            votes = vec![[0u16; Language::COUNT]; forms.len()];
            for (found, prose) in found.iter().zip(proses(tokens, ends)) {
                // Once a language is certain of one document, less is enough in the others.
                for (language, _) in found.iter().flatten().filter(|(l, _)| in_use.contains(*l)) {
                    for token in prose {
                        let vote = &mut votes[token.word()][*language as usize];
                        *vote = vote.saturating_add(1);
                    }
                }
            }
        }
        Self { in_use, votes }
    }

    /// The language by whose rules a word is reduced to its stem.
    pub(super) fn of_word(&self, id: usize, form: Form) -> Option<Language> {
        let Form::Word(script) = form else {
            return None;
        };
        let languages = Language::of_script(script);
        let default = languages.first().copied()?;
        let Some(votes) = self.votes.get(id) else {
            return Some(default);
        };
        // The earlier language wins a tie, the default first of all.
        let best = languages
            .iter()
            .rev()
            .max_by_key(|language| votes[**language as usize])?;
        Some(if votes[*best as usize] == 0 {
            default
        } else {
            *best
        })
    }
}

/// The default languages and those that the documents show well enough.
fn certain(found: &[[Option<(Language, u32)>; SHARED.len()]]) -> LanguageSet {
    let mut documents = [0usize; Language::COUNT];
    let mut in_use = Language::defaults();
    for (language, strength) in found.iter().flatten().flatten() {
        documents[*language as usize] += usize::from(*strength > 1);
        if *strength >= CERTAIN {
            in_use = in_use.union(language.set());
        }
    }
    for languages in SHARED.map(Language::of_script) {
        let total: usize = languages
            .iter()
            .map(|language| documents[*language as usize])
            .sum();
        for language in languages {
            let count = documents[*language as usize];
            if count > 1 && count * SHARE >= total {
                in_use = in_use.union(language.set());
            }
        }
    }
    in_use
}

/// The text of each document but for its name, which tells nothing about the language.
fn proses<'a>(
    tokens: &'a [Token],
    ends: &'a [[usize; FIELDS]],
) -> impl Iterator<Item = &'a [Token]> {
    ends.iter()
        .map(|ends| &tokens[ends[NAME]..ends[FIELDS - 1]])
}

/// The languages that a word speaks for.
#[derive(Clone, Copy, Default)]
struct Sign {
    languages: LanguageSet,
    strength: u32,
}

impl Sign {
    fn of(words: &Vocabulary, id: u32, form: Form) -> Self {
        let Form::Word(script) = form else {
            return Self::default();
        };
        if !SHARED.contains(&script) {
            return Self::default();
        }
        let word = words.text(id);
        let by_letters = by_letters(word, script);
        if !by_letters.is_empty() {
            return Self {
                languages: by_letters,
                strength: 3,
            };
        }
        // A letter may stand for anything, and two often do (`ai`, `ad`, `no`).
        let strength = match word.len() {
            0 | 1 => return Self::default(),
            2 => 1,
            _ => 2,
        };
        Self {
            languages: function_word_of(word),
            strength,
        }
    }
}

/// The language of which a text shows the strongest signs, each word counted once.
fn language_of(text: &[Token], signs: &[Sign], script: Script) -> Option<(Language, u32)> {
    let mut words: Vec<usize> = text
        .iter()
        .map(|token| token.word())
        .filter(|word| signs[*word].strength > 0)
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut strengths = [0u32; Language::COUNT];
    let languages = Language::of_script(script);
    for sign in words.into_iter().map(|word| signs[word]) {
        for language in languages
            .iter()
            .filter(|language| sign.languages.contains(**language))
        {
            strengths[*language as usize] += sign.strength;
        }
    }
    let best = languages
        .iter()
        .rev()
        .max_by_key(|language| strengths[**language as usize])?;
    let strength = strengths[*best as usize];
    (strength > 0).then_some((*best, strength))
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::*;

    fn in_use(descriptions: &[&str]) -> LanguageSet {
        let mut collector = Collector::default();
        for description in descriptions {
            collector.add(&Document::new("tool").description(description));
        }
        Languages::learn(&collector).in_use
    }

    #[test]
    fn function_words_tell_the_language() {
        for (description, language) in [
            (
                "Legt eine neue Rechnung für einen Kunden an.",
                Language::German,
            ),
            ("Crea una nueva factura para el cliente.", Language::Spanish),
            (
                "Envoie un courriel avec les pièces jointes.",
                Language::French,
            ),
            ("Tworzy nową fakturę dla klienta.", Language::Polish),
            ("Створює новий рахунок для клієнта.", Language::Ukrainian),
        ] {
            let set = in_use(&["Send a message to the user.", description]);
            assert!(set.contains(language), "{description}");
            assert_ne!(set, Language::defaults());
        }
    }

    #[test]
    fn many_weak_signs_are_as_good() {
        assert!(
            in_use(&["Crea una factura", "Envía un correo", "Borra una nota"])
                .contains(Language::Spanish)
        );
        assert_eq!(
            in_use(&["Crea una factura", "Send mail"]),
            Language::defaults()
        );
    }

    #[test]
    fn english_is_not_taken_for_another_language() {
        let set = in_use(&[
            "AI powered ad assistant",
            "AI car sales ad generator, a new era",
            "Balance a chemical equation e.g. H2 + O2 = H2O",
            "Die roller: roll a die with no sides",
            "Search flights to El Paso and the Los Angeles area.",
        ]);
        assert_eq!(set, Language::defaults());
    }
}
