//! Spelling variants that mean the same word: accents, final letters, vowel points.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::script::Script;

/// Writes `word` without what people leave out when they type: accents of Latin and Greek letters,
/// vowel points of Arabic and Hebrew, the variants of alef and of a final heh or sigma.
///
/// Marks of Indic scripts are vowels and stay, and so does the breve of Cyrillic й.
pub(crate) fn fold(word: &str, script: Script, out: &mut String) {
    out.clear();
    match script {
        Script::Latin if word.is_ascii() => out.push_str(word),
        Script::Latin => {
            for c in word.nfd().filter(|c| !is_combining_mark(*c)) {
                match latin_letter(c) {
                    "" => out.push(c),
                    plain => out.push_str(plain),
                }
            }
        }
        Script::Greek => {
            let plain = word.nfd().filter(|c| !is_combining_mark(*c));
            out.extend(plain.map(|c| if c == 'ς' { 'σ' } else { c }));
        }
        Script::Cyrillic => out.extend(word.chars().map(|c| if c == 'ё' { 'е' } else { c })),
        Script::Arabic => {
            out.extend(
                word.chars()
                    .filter(|c| !is_combining_mark(*c))
                    .map(arabic_letter),
            );
        }
        Script::Hebrew => {
            out.extend(
                word.chars()
                    .filter(|c| !is_combining_mark(*c))
                    .map(hebrew_letter),
            );
        }
        _ => out.push_str(word),
    }
}

/// The way German, Danish and Swedish words are typed without their own letters (`ue` for `ü`),
/// where it differs from [`fold`].
pub(crate) fn transliterate(word: &str, out: &mut String) -> bool {
    out.clear();
    let mut differs = false;
    for c in word.chars() {
        let plain = match c {
            'ä' | 'æ' => "ae",
            'ö' | 'ø' => "oe",
            'ü' => "ue",
            'å' => "aa",
            'ß' => "ss",
            _ => {
                out.push(c);
                continue;
            }
        };
        differs = true;
        out.push_str(plain);
    }
    differs
}

/// Plain letters for those that do not decompose; empty for every other character.
fn latin_letter(c: char) -> &'static str {
    match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ı' => "i",
        'þ' => "th",
        'ħ' => "h",
        'ŋ' => "n",
        _ => "",
    }
}

fn arabic_letter(c: char) -> char {
    match c {
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' | 'ی' => 'ي',
        'ة' | 'ہ' | 'ە' => 'ه',
        'ک' => 'ك',
        _ => c,
    }
}

fn hebrew_letter(c: char) -> char {
    match c {
        'ך' => 'כ',
        'ם' => 'מ',
        'ן' => 'נ',
        'ף' => 'פ',
        'ץ' => 'צ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_drops_what_people_leave_out() {
        for (word, script, folded) in [
            ("plain", Script::Latin, "plain"),
            ("überweisung", Script::Latin, "uberweisung"),
            ("straße", Script::Latin, "strasse"),
            ("canción", Script::Latin, "cancion"),
            ("łódź", Script::Latin, "lodz"),
            ("đường", Script::Latin, "duong"),
            ("τιμολόγιος", Script::Greek, "τιμολογιοσ"),
            ("счёт", Script::Cyrillic, "счет"),
            ("йод", Script::Cyrillic, "йод"),
            ("إنشاء", Script::Arabic, "انشاء"),
            ("فَاتُورَة", Script::Arabic, "فاتوره"),
            ("שָׁלוֹם", Script::Hebrew, "שלומ"),
            ("हिंदी", Script::Devanagari, "हिंदी"),
        ] {
            let mut out = String::from("left over");
            fold(word, script, &mut out);
            assert_eq!(out, folded, "{word}");
        }
    }

    #[test]
    fn transliteration_is_for_words_that_have_the_letters() {
        let mut out = String::new();
        assert!(transliterate("überprüfung", &mut out));
        assert_eq!(out, "ueberpruefung");
        assert!(transliterate("straße", &mut out));
        assert_eq!(out, "strasse");
        assert!(!transliterate("canción", &mut out));
    }
}
