//! Which languages a catalog is written in.

use super::build::{Collector, Form, NAME, Token};
use super::document::FIELDS;
use super::tokenize::{Language, LanguageSet, Script, by_letters, stop_languages};

/// The languages of the catalog, and of each word.
pub(super) struct Languages {
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
        let signs: Vec<LanguageSet> = forms
            .iter()
            .enumerate()
            .map(|(id, form)| match form {
                Form::Word(script) if Language::of_script(*script).len() > 1 => {
                    let word = words.text(id as u32);
                    stop_languages(word).union(by_letters(word, *script))
                }
                _ => LanguageSet::default(),
            })
            .collect();
        let mut in_use = LanguageSet::default();
        for script in [
            Script::Latin,
            Script::Cyrillic,
            Script::Arabic,
            Script::Greek,
            Script::Hebrew,
            Script::Devanagari,
            Script::Tamil,
            Script::Armenian,
        ] {
            if let Some(default) = Language::of_script(script).first() {
                in_use = in_use.union(default.set());
            }
        }
        // Two signs make a language certain; then one is enough in the other documents.
        let mut prose: Vec<[Option<(Language, u32)>; 3]> = Vec::with_capacity(ends.len());
        let mut start = 0;
        for ends in ends {
            let text = &tokens[ends[NAME].max(start)..ends[FIELDS - 1]];
            start = ends[FIELDS - 1];
            let found = [Script::Latin, Script::Cyrillic, Script::Arabic]
                .map(|script| language_of(text, &signs, Language::of_script(script)));
            for (language, count) in found.iter().flatten() {
                if *count > 1 {
                    in_use = in_use.union(language.set());
                }
            }
            prose.push(found);
        }
        let defaults_only = prose
            .iter()
            .flatten()
            .flatten()
            .all(|(language, _)| !in_use.contains(*language) || is_default(*language));
        let mut votes = Vec::new();
        if !defaults_only {
            votes = vec![[0u16; Language::COUNT]; forms.len()];
            let mut start = 0;
            for (found, ends) in prose.iter().zip(ends) {
                for (language, _) in found.iter().flatten().filter(|(l, _)| in_use.contains(*l)) {
                    for token in &tokens[ends[NAME].max(start)..ends[FIELDS - 1]] {
                        let vote = &mut votes[token.word()][*language as usize];
                        *vote = vote.saturating_add(1);
                    }
                }
                start = ends[FIELDS - 1];
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

fn is_default(language: Language) -> bool {
    matches!(
        language,
        Language::English | Language::Russian | Language::Arabic
    )
}

/// The language of which a text shows the most different signs, and how many.
fn language_of(
    text: &[Token],
    signs: &[LanguageSet],
    languages: &[Language],
) -> Option<(Language, u32)> {
    let mut counts = [0u32; Language::COUNT];
    let mut distinct: Vec<usize> = text
        .iter()
        .map(|token| token.word())
        .filter(|word| !signs[*word].is_empty())
        .collect();
    distinct.sort_unstable();
    distinct.dedup();
    for word in distinct {
        for language in languages {
            if signs[word].contains(*language) {
                counts[*language as usize] += 1;
            }
        }
    }
    let best = languages
        .iter()
        .rev()
        .max_by_key(|language| counts[**language as usize])?;
    let count = counts[*best as usize];
    (count > 0).then_some((*best, count))
}
