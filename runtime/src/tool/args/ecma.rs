//! Patterns as JSON Schema means them. Its regular expressions are those of ECMA 262; the ones here
//! are read by `regex-lite`, which has the same syntax where both know it: `\d` and `\w` are ASCII in
//! both, and what differs is written out.

use std::fmt::Write as _;

use regex_lite::Regex;

/// What `\s` means in ECMA 262.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// The pattern, compiled; `None` if it is no regular expression, or says what is not known here.
pub(crate) fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(&translated(pattern)).ok()
}

fn translated(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    let mut in_class = false;
    while let Some(char) = chars.next() {
        // Writing to a string cannot fail.
        let _ = match (char, in_class) {
            ('\\', _) => match (chars.next(), in_class) {
                (Some('s'), true) => write!(out, "{SPACE}"),
                (Some('s'), false) => write!(out, "[{SPACE}]"),
                (Some('S'), false) => write!(out, "[^{SPACE}]"),
                (Some(next), _) => write!(out, "\\{next}"),
                (None, _) => write!(out, "\\"),
            },
            ('.', false) => write!(out, r"[^\n\r\u{{2028}}\u{{2029}}]"),
            ('[', false) => {
                in_class = true;
                write!(out, "[")
            }
            // In a class it stands for itself, as do those that regex-lite gives a meaning when doubled.
            ('[' | '&' | '~', true) => write!(out, "\\{char}"),
            (']', true) => {
                in_class = false;
                write!(out, "]")
            }
            (char, _) => write!(out, "{char}"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::regex;

    #[test]
    fn patterns_mean_what_they_mean_to_a_model() {
        let fits = |pattern: &str, text: &str| regex(pattern).unwrap().is_match(text);
        for space in ["\u{a0}", "\u{feff}", "\u{2003}", " ", "\n", "\u{b}"] {
            assert!(fits(r"^\s$", space), "{space:?}");
            assert!(fits(r"^[a\s]$", space), "{space:?}");
            assert!(!fits(r"^\S$", space), "{space:?}");
        }
        assert!(!fits(r"^\s$", "\u{85}"));
        assert!(fits(r"^\\s$", "\\s"));
        assert!(!fits("^.$", "\r"));
        assert!(fits("^.$", "ß"));
        assert!(fits(r"^[.]\.$", ".."));
        assert!(!fits("^[.]$", "a"));
        assert!(!fits(r"^\d$", "٣"));
        assert!(fits("^[[]$", "["));
        assert!(fits("^[a&&b]$", "&"));
        assert!(regex("(").is_none());
        assert!(regex("(?=a)").is_none());
    }
}
