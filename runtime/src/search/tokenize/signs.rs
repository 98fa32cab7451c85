//! Names that signs are part of: `C#`, `C++`.

use std::borrow::Cow;

/// A text with the signs after single letters spelled as people do in names, `C#` as `Csharp` and
/// `C++` as `Cpp`: otherwise they would be the same as `C`.
pub(crate) fn spell_signs(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if memchr::memchr2(b'#', b'+', bytes).is_none() {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 8);
    let mut copied = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let (end, spelling) = match byte {
            b'#' => (at + 1, "sharp"),
            b'+' if bytes.get(at + 1) == Some(&b'+') => (at + 2, "pp"),
            _ => continue,
        };
        let (head, tail) = (&text[..at], text.get(end..).unwrap_or_default());
        let mut before = head.chars().rev();
        let letter = before.next().is_some_and(|c| c.is_ascii_alphabetic());
        let alone = letter && !before.next().is_some_and(char::is_alphanumeric);
        let ends = !tail.starts_with(|c: char| c.is_alphanumeric() || c == '+' || c == '#');
        if at >= copied && alone && ends {
            spelled.push_str(&text[copied..at]);
            spelled.push_str(spelling);
            copied = end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    spelled.push_str(&text[copied..]);
    Cow::Owned(spelled)
}

#[cfg(test)]
mod tests {
    use super::spell_signs;

    #[test]
    fn signs_after_single_letters() {
        for (text, spelled) in [
            ("C#", "Csharp"),
            ("c++ and f#, C", "cpp and fsharp, C"),
            ("compile_c++", "compile_cpp"),
            (
                "a+b, issue #5, R#5, abc#, c+++, c##, ++, é++",
                "a+b, issue #5, R#5, abc#, c+++, c##, ++, é++",
            ),
        ] {
            assert_eq!(spell_signs(text), spelled);
        }
    }
}
