//! Writing systems, as far as search has to tell them apart.

/// The writing system of a character.
///
/// Systems that are split and stemmed alike share a name; everything that is written in words and
/// needs nothing special is `Other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Tamil,
    /// Han, hiragana and katakana: Chinese, and Japanese, which mixes the three within a word.
    Cjk,
    Hangul,
    Thai,
    Lao,
    Khmer,
    Myanmar,
    Other,
}

impl Script {
    /// The script of a letter or a combining mark.
    pub(crate) fn of(c: char) -> Script {
        if c.is_ascii() {
            return Script::Latin;
        }
        match u32::from(c) {
            0x0080..=0x024F | 0x0250..=0x02AF | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F => Script::Latin,
            0xA720..=0xA7FF | 0xAB30..=0xAB6F => Script::Latin,
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Script::Greek,
            0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => {
                Script::Cyrillic
            }
            0x0530..=0x058F => Script::Armenian,
            0x0590..=0x05FF | 0xFB1D..=0xFB4F => Script::Hebrew,
            0x0600..=0x06FF | 0x0750..=0x077F | 0x0870..=0x08FF => Script::Arabic,
            0xFB50..=0xFDFF | 0xFE70..=0xFEFF => Script::Arabic,
            0x0900..=0x097F | 0xA8E0..=0xA8FF => Script::Devanagari,
            0x0B80..=0x0BFF => Script::Tamil,
            0x0E00..=0x0E7F => Script::Thai,
            0x0E80..=0x0EFF => Script::Lao,
            0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => Script::Myanmar,
            0x1780..=0x17FF | 0x19E0..=0x19FF => Script::Khmer,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Script::Hangul,
            0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x303C | 0x3040..=0x312F => Script::Cjk,
            0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF => Script::Cjk,
            0xFF66..=0xFF9F | 0x1_AFF0..=0x1_B16F | 0x2_0000..=0x3_FFFF => Script::Cjk,
            _ => Script::Other,
        }
    }

    /// Whether the script is written without spaces between words, or (Hangul) glues so much to a
    /// word that whole words rarely meet, so that it is indexed by overlapping pieces.
    pub(crate) fn is_unsegmented(self) -> bool {
        matches!(
            self,
            Script::Cjk
                | Script::Hangul
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        )
    }

    /// Whether words are formed around roots of three consonants.
    pub(crate) fn is_semitic(self) -> bool {
        matches!(self, Script::Arabic | Script::Hebrew)
    }
}

/// Whether a character of [`Script::Cjk`] carries a meaning of its own (kana do not).
pub(crate) fn is_ideograph(c: char) -> bool {
    !matches!(u32::from(c), 0x3040..=0x312F | 0x31A0..=0x31FF | 0xFF66..=0xFF9F | 0x1_AFF0..=0x1_B16F)
}

/// The value of a decimal digit of any script, for the scripts in common use.
///
/// Superscripts and circled digits are not decimal digits; compatibility normalisation has turned
/// them into ASCII before this is asked.
pub(crate) fn decimal_digit(c: char) -> Option<char> {
    // The code points of the zeros; the other nine digits follow each of them.
    const ZEROS: [u32; 16] = [
        0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66,
        0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0,
    ];
    let code = u32::from(c);
    let zero = ZEROS.iter().rev().find(|zero| **zero <= code)?;
    char::from_digit(code - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_letters() {
        for (c, script) in [
            ('a', Script::Latin),
            ('ß', Script::Latin),
            ('ễ', Script::Latin),
            ('ж', Script::Cyrillic),
            ('Ω', Script::Greek),
            ('ש', Script::Hebrew),
            ('ع', Script::Arabic),
            ('پ', Script::Arabic),
            ('ह', Script::Devanagari),
            ('த', Script::Tamil),
            ('仓', Script::Cjk),
            ('々', Script::Cjk),
            ('ひ', Script::Cjk),
            ('ー', Script::Cjk),
            ('한', Script::Hangul),
            ('ก', Script::Thai),
            ('ລ', Script::Lao),
            ('ក', Script::Khmer),
            ('မ', Script::Myanmar),
            ('ა', Script::Other),
        ] {
            assert_eq!(Script::of(c), script, "{c}");
        }
    }

    #[test]
    fn digits_of_other_scripts_are_read_as_ascii() {
        for (c, digit) in [
            ('7', '7'),
            ('٣', '3'),
            ('۹', '9'),
            ('९', '9'),
            ('๕', '5'),
            ('០', '0'),
        ] {
            assert_eq!(decimal_digit(c), Some(digit), "{c}");
        }
        for c in ['a', '½', '\u{066A}', '仓', '/'] {
            assert_eq!(decimal_digit(c), None, "{c}");
        }
    }
}
