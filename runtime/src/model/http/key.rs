//! Secrets, which nothing prints.

use std::{fmt, ops::Range};

/// What stands where a secret was.
const BLOT: &str = "[secret]";
/// Shorter texts are not looked for: they would be found everywhere.
const SHORTEST: usize = 6;

/// A secret, which nothing prints.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) fn new(secret: impl Into<String>) -> Self {
        Self(secret.into().trim().to_owned())
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the secret, however often it stands there: broken over lines too, and
    /// where the text was cut within it.
    pub(super) fn blot_out(&self, text: String) -> String {
        let secret: Vec<char> = self.0.chars().filter(|c| !c.is_whitespace()).collect();
        if secret.iter().map(|c| c.len_utf8()).sum::<usize>() < SHORTEST {
            return text;
        }
        let found = places(&secret, &text);
        if found.is_empty() {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for place in found {
            // Both are bounds of characters of this text, in order.
            out.push_str(text.get(at..place.start).unwrap_or_default());
            out.push_str(BLOT);
            at = place.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// Where the secret stands in a text, white space aside; at the end of the text its beginning
/// counts too.
fn places(secret: &[char], text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, c)| !c.is_whitespace())
        .collect();
    // What cutting and quoting leave behind a cut.
    let cut = chars
        .iter()
        .rposition(|(_, c)| !matches!(c, '…' | '`' | '\u{fffd}'));
    let cut = cut.map_or(0, |last| last + 1);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = chars.get(at..) {
        let same = rest.iter().zip(secret);
        let same = same.take_while(|((_, c), known)| c == *known).count();
        let ends = same == secret.len() || (same >= SHORTEST && at + same == cut);
        match rest.get(same.saturating_sub(1)) {
            Some((last, c)) if ends => {
                let start = rest.first().map_or(0, |(start, _)| *start);
                found.push(start..last + c.len_utf8());
                at += same;
            }
            Some(_) => at += 1,
            None => break,
        }
    }
    found
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BLOT)
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_is_found_whole_broken_and_cut() {
        let blot = |text: &str| Secret::new("sk-canary-0123").blot_out(text.to_owned());
        for (text, left) in [
            ("a sk-canary-0123 b sk-canary-0123", "a [secret] b [secret]"),
            ("a sk-canary\n-01 23!", "a [secret]!"),
            ("`a sk-cana`", "`a [secret]`"),
            ("a sk-canary-01…", "a [secret]…"),
            ("a sk-cana, b", "a sk-cana, b"),
            ("sk-", "sk-"),
            ("", ""),
            ("ключ sk-canary-0123", "ключ [secret]"),
        ] {
            assert_eq!(blot(text), left);
        }
        assert_eq!(Secret::new("a").blot_out("aaa".to_owned()), "aaa");
    }
}
