//! The text of a source file in words and signs.

/// Words, texts (as `"`) and single signs; comments and spaces are left out.
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Tokens<'a> {
    /// The next one, with its place.
    pub(super) fn next_token(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = rest.chars().next()?;
            let start = self.at;
            if first.is_whitespace() {
                self.at += first.len_utf8();
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += comment(rest);
            } else if let Some(length) = text(rest) {
                self.at += length;
                return Some((start, "\""));
            } else if first == '\'' {
                self.at += character(rest);
                return Some((start, "'"));
            } else if is_word(first) {
                let raw = usize::from(rest.starts_with("r#")) * 2;
                let word = rest.get(raw..).unwrap_or_default();
                let length = raw + word.find(|c| !is_word(c)).unwrap_or(word.len());
                self.at += length.max(1);
                return Some((start, rest.get(..length.max(1))?));
            } else {
                self.at += first.len_utf8();
                return Some((start, rest.get(..first.len_utf8())?));
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a comment, which may hold others.
fn comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(pair) = bytes.get(at..at + 2) {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of a text in quotes, of any sort.
fn text(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = match bytes {
        [b'b' | b'c', b'r', b'"' | b'#', ..] => 2,
        [b'r', b'"' | b'#', ..] | [b'b' | b'c', b'"', ..] => 1,
        [b'"', ..] => 0,
        _ => return None,
    };
    let raw = at > 0 && bytes.get(at - 1) == Some(&b'r');
    let hashes = bytes[at..].iter().take_while(|byte| **byte == b'#').count();
    at += hashes;
    if bytes.get(at) != Some(&b'"') {
        // `r#name`
        return None;
    }
    at += 1;
    loop {
        match bytes.get(at) {
            None => return Some(rest.len()),
            Some(b'\\') if !raw => at += 2,
            Some(b'"') => {
                at += 1;
                let closing = bytes[at..].iter().take(hashes);
                if closing.filter(|byte| **byte == b'#').count() == hashes {
                    return Some(at + hashes);
                }
            }
            Some(_) => at += 1,
        }
    }
}

/// The length of a character in quotes, or of the tick of a lifetime.
fn character(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), _) => {
            let end = rest.get(3..).and_then(|rest| rest.find('\''));
            end.map_or(1, |end| 3 + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}
