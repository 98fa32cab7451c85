//! Languages: which ones a script may hold, how their words are reduced to stems.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

use super::script::Script;
use super::{english, hebrew};

/// A language that has a stemmer or stop words here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Language {
    English,
    German,
    French,
    Spanish,
    Portuguese,
    Italian,
    Dutch,
    Swedish,
    Danish,
    Norwegian,
    Finnish,
    Polish,
    Czech,
    Romanian,
    Hungarian,
    Turkish,
    Indonesian,
    Vietnamese,
    Russian,
    Ukrainian,
    Arabic,
    Persian,
    Greek,
    Hebrew,
    Hindi,
    Tamil,
    Armenian,
}

/// The first entry of each script is its default: what a text is taken for that gives no sign.
const LATIN: [Language; 18] = [
    Language::English,
    Language::German,
    Language::French,
    Language::Spanish,
    Language::Portuguese,
    Language::Italian,
    Language::Dutch,
    Language::Swedish,
    Language::Danish,
    Language::Norwegian,
    Language::Finnish,
    Language::Polish,
    Language::Czech,
    Language::Romanian,
    Language::Hungarian,
    Language::Turkish,
    Language::Indonesian,
    Language::Vietnamese,
];

impl Language {
    /// How many languages there are.
    pub(crate) const COUNT: usize = Language::Armenian as usize + 1;

    /// What a text of each script is taken for that gives no sign.
    pub(crate) fn defaults() -> LanguageSet {
        let scripts = [
            Script::Latin,
            Script::Greek,
            Script::Cyrillic,
            Script::Armenian,
            Script::Hebrew,
            Script::Arabic,
            Script::Devanagari,
            Script::Tamil,
        ];
        let defaults = scripts
            .iter()
            .filter_map(|script| Language::of_script(*script).first());
        defaults.fold(LanguageSet::default(), |set, language| {
            set.union(language.set())
        })
    }

    /// Languages in Latin letters that write compounds as one word.
    pub(crate) fn compounding() -> LanguageSet {
        let languages = [
            Language::German,
            Language::Dutch,
            Language::Swedish,
            Language::Danish,
            Language::Norwegian,
            Language::Finnish,
            Language::Hungarian,
        ];
        let sets = languages.into_iter().map(Language::set);
        sets.fold(LanguageSet::default(), LanguageSet::union)
    }

    /// The languages written in a script, the default first.
    pub(crate) fn of_script(script: Script) -> &'static [Language] {
        match script {
            Script::Latin => &LATIN,
            Script::Cyrillic => &[Language::Russian, Language::Ukrainian],
            Script::Arabic => &[Language::Arabic, Language::Persian],
            Script::Greek => &[Language::Greek],
            Script::Hebrew => &[Language::Hebrew],
            Script::Devanagari => &[Language::Hindi],
            Script::Tamil => &[Language::Tamil],
            Script::Armenian => &[Language::Armenian],
            _ => &[],
        }
    }

    /// The stem of a lower-case word; the word itself where the language has no stemmer.
    pub(crate) fn stem(self, word: &str) -> Cow<'_, str> {
        let algorithm = match self {
            Language::English => return english(word),
            Language::German => Algorithm::German,
            Language::French => Algorithm::French,
            Language::Spanish => Algorithm::Spanish,
            Language::Portuguese => Algorithm::Portuguese,
            Language::Italian => Algorithm::Italian,
            Language::Dutch => Algorithm::Dutch,
            Language::Swedish => Algorithm::Swedish,
            Language::Danish => Algorithm::Danish,
            Language::Norwegian => Algorithm::Norwegian,
            Language::Finnish => Algorithm::Finnish,
            Language::Polish => Algorithm::Polish,
            Language::Czech => Algorithm::Czech,
            Language::Romanian => Algorithm::Romanian,
            Language::Hungarian => Algorithm::Hungarian,
            Language::Turkish => Algorithm::Turkish,
            Language::Indonesian => Algorithm::Indonesian,
            Language::Russian => Algorithm::Russian,
            Language::Ukrainian => Algorithm::Ukrainian,
            Language::Arabic => return arabic(word),
            Language::Persian => Algorithm::Persian,
            Language::Greek => Algorithm::Greek,
            Language::Hindi => Algorithm::Hindi,
            Language::Tamil => Algorithm::Tamil,
            Language::Armenian => Algorithm::Armenian,
            Language::Hebrew => return hebrew::stem(word),
            Language::Vietnamese => return Cow::Borrowed(word),
        };
        Stemmer::new(algorithm).stem(word)
    }

    /// This language alone, as a set.
    pub(crate) fn set(self) -> LanguageSet {
        LanguageSet(1 << self as u8)
    }
}

/// The regular feminine plural (`رحلات`) becomes the singular (`رحلة`) first: the stemmer leaves the
/// two apart.
fn arabic(word: &str) -> Cow<'_, str> {
    const SHORTEST: usize = 3;
    let stemmer = Stemmer::new(Algorithm::Arabic);
    let noun = word.strip_suffix("ات");
    match noun.filter(|noun| noun.chars().count() >= SHORTEST) {
        Some(noun) => Cow::Owned(stemmer.stem(&format!("{noun}ة")).into_owned()),
        None => stemmer.stem(word),
    }
}

fn english(word: &str) -> Cow<'_, str> {
    let stemmer = Stemmer::new(Algorithm::English);
    match english::regular(word) {
        Cow::Borrowed(regular) => stemmer.stem(regular),
        Cow::Owned(regular) => Cow::Owned(stemmer.stem(&regular).into_owned()),
    }
}

/// A set of languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LanguageSet(u32);

impl LanguageSet {
    pub(crate) fn union(self, other: LanguageSet) -> LanguageSet {
        LanguageSet(self.0 | other.0)
    }

    pub(crate) fn meets(self, other: LanguageSet) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn contains(self, language: Language) -> bool {
        self.meets(language.set())
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Languages that a word gives away by a letter that few others have.
pub(crate) fn by_letters(word: &str, script: Script) -> LanguageSet {
    if word.is_ascii() {
        return LanguageSet::default();
    }
    let sets = word.chars().map(|c| match (script, c) {
        (Script::Latin, 'ß') => Language::German.set(),
        (Script::Latin, 'ñ' | '¿' | '¡') => Language::Spanish.set(),
        (Script::Latin, 'ã' | 'õ') => Language::Portuguese.set(),
        (Script::Latin, 'œ') => Language::French.set(),
        (Script::Latin, 'ø' | 'æ') => Language::Danish.set().union(Language::Norwegian.set()),
        (Script::Latin, 'ł' | 'ą' | 'ę' | 'ś' | 'ź' | 'ż' | 'ć') => Language::Polish.set(),
        (Script::Latin, 'ř' | 'ě' | 'ů') => Language::Czech.set(),
        (Script::Latin, 'ț' | 'ș' | 'ţ') => Language::Romanian.set(),
        (Script::Latin, 'ő' | 'ű') => Language::Hungarian.set(),
        (Script::Latin, 'ğ' | 'ı' | 'ş') => Language::Turkish.set(),
        (Script::Latin, 'đ' | 'ơ' | 'ư' | '\u{1EA0}'..='\u{1EF9}') => Language::Vietnamese.set(),
        (Script::Cyrillic, 'і' | 'ї' | 'є' | 'ґ') => Language::Ukrainian.set(),
        (Script::Cyrillic, 'ы' | 'э' | 'ё' | 'ъ') => Language::Russian.set(),
        (Script::Arabic, 'پ' | 'چ' | 'ژ' | 'گ' | 'ی' | 'ک') => Language::Persian.set(),
        _ => LanguageSet::default(),
    });
    sets.fold(LanguageSet::default(), LanguageSet::union)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_join_the_forms_of_a_word() {
        for (language, forms) in [
            (Language::English, ["invoice", "invoices"]),
            (Language::German, ["rechnung", "rechnungen"]),
            (Language::French, ["facture", "factures"]),
            (Language::Spanish, ["factura", "facturas"]),
            (Language::Portuguese, ["fatura", "faturas"]),
            (Language::Italian, ["fattura", "fatture"]),
            (Language::Dutch, ["factuur", "facturen"]),
            (Language::Swedish, ["räkning", "räkningen"]),
            (Language::Polish, ["faktura", "faktury"]),
            (Language::Turkish, ["kitap", "kitaplar"]),
            (Language::Russian, ["накладная", "накладные"]),
            (Language::Ukrainian, ["накладна", "накладні"]),
            (Language::Arabic, ["فاتورة", "الفاتورة"]),
            (Language::Arabic, ["رحلة", "رحلات"]),
            (Language::Arabic, ["الوصفة", "وصفات"]),
            (Language::Arabic, ["شركة", "الشركات"]),
            (Language::Greek, ["εικόνα", "εικόνες"]),
            (Language::Hebrew, ["חשבונית", "החשבונית"]),
        ] {
            assert_eq!(
                language.stem(forms[0]),
                language.stem(forms[1]),
                "{forms:?}"
            );
        }
    }

    #[test]
    fn every_language_belongs_to_one_script() {
        let scripts = [
            Script::Latin,
            Script::Greek,
            Script::Cyrillic,
            Script::Armenian,
            Script::Hebrew,
            Script::Arabic,
            Script::Devanagari,
            Script::Tamil,
        ];
        let count: usize = scripts.iter().map(|s| Language::of_script(*s).len()).sum();
        assert_eq!(count, Language::COUNT);
    }

    #[test]
    fn letters_give_languages_away() {
        assert!(by_letters("größe", Script::Latin).contains(Language::German));
        assert!(by_letters("año", Script::Latin).contains(Language::Spanish));
        assert!(by_letters("рахунків", Script::Cyrillic).contains(Language::Ukrainian));
        assert!(by_letters("plain", Script::Latin).is_empty());
    }
}
