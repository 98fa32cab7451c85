//! Cuts text into lower-case pieces: words, numbers, and runs of unsegmented scripts.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::script::{Script, decimal_digit};
use super::signs::spell_signs;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, or a part of a compound such as `camelCase`.
    Word(Script),
    /// A run of decimal digits, written in ASCII.
    Number,
    /// A short compound as a whole (`github` for `GitHub`, `mp3`, `email` for `e-mail`): an
    /// additional piece that follows its parts.
    Joined,
    /// A run of a script without spaces, to be cut into grams.
    Run(Script),
}

/// Longest word that is kept whole, in bytes. What is longer is not a word (hashes, base64); its
/// beginning stands for it.
const MAX_WORD: usize = 64;
/// Longest compound that is also kept whole, in bytes.
const MAX_JOINED: usize = 24;

/// Reusable buffers of [`Scanner::scan`].
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    normalized: String,
    lower: String,
    pieces: Vec<(usize, usize, Kind)>,
    hyphenated: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower(Script),
    Upper(Script),
    Caseless(Script),
    Digit,
}

impl Class {
    fn of(c: char) -> Class {
        if decimal_digit(c).is_some() {
            return Class::Digit;
        }
        let script = Script::of(c);
        if c.is_lowercase() {
            Class::Lower(script)
        } else if c.is_uppercase() {
            Class::Upper(script)
        } else {
            Class::Caseless(script)
        }
    }

    fn script(self) -> Option<Script> {
        match self {
            Class::Lower(script) | Class::Upper(script) | Class::Caseless(script) => Some(script),
            Class::Digit => None,
        }
    }
}

impl Scanner {
    /// Calls `sink` with each piece of `text`, in order.
    pub(crate) fn scan(&mut self, text: &str, sink: &mut impl FnMut(&str, Kind)) {
        self.hyphenated.clear();
        let text = &*spell_signs(text);
        let mut rest = text;
        let mut before = "";
        while let Some(start) = find(rest, true) {
            let (separator, from_chunk) = rest.split_at(start);
            let end = find(from_chunk, false).unwrap_or(from_chunk.len());
            let (chunk, after) = from_chunk.split_at(end);
            rest = after;
            if is_contraction(separator, chunk) {
                continue;
            }
            // `e-mail`, but not a chain such as `state-of-the-art`.
            let joins = separator == "-" && before != "-" && !after.starts_with('-');
            before = separator;
            self.chunk(chunk, joins, sink);
        }
        self.shrink();
    }

    fn chunk(&mut self, chunk: &str, joins: bool, sink: &mut impl FnMut(&str, Kind)) {
        if chunk.is_ascii() {
            self.part(chunk, sink);
        } else {
            // Compatibility forms (full width, ligatures, circled digits) become plain ones, which
            // may bring new separators with them.
            let mut normalized = std::mem::take(&mut self.normalized);
            normalized.clear();
            normalized.extend(chunk.nfkc().filter(|c| !is_ignored(*c)));
            for part in normalized
                .split(|c| !is_chunk_char(c))
                .filter(|part| !part.is_empty())
            {
                self.part(part, sink);
            }
            self.normalized = normalized;
        }
        self.join_hyphenated(joins, sink);
    }

    /// Splits one stretch of letters, digits and marks at the borders inside it.
    fn part(&mut self, part: &str, sink: &mut impl FnMut(&str, Kind)) {
        self.lower.clear();
        self.pieces.clear();
        if part.is_ascii() {
            self.split_ascii(part.as_bytes())
        } else {
            self.split(part)
        }
        for (start, end, kind) in &self.pieces {
            let piece = &self.lower[*start..*end];
            match kind {
                Kind::Run(_) => sink(piece, *kind),
                _ => sink(cut(piece, MAX_WORD), *kind),
            }
        }
        let groups = self
            .pieces
            .split(|(_, _, kind)| matches!(kind, Kind::Run(_)));
        for (start, end) in groups.filter_map(compound) {
            sink(&self.lower[start..end], Kind::Joined);
        }
    }

    fn split(&mut self, part: &str) {
        let mut start = 0;
        let mut last: Option<Class> = None;
        let mut chars = part.chars();
        while let Some(c) = chars.next() {
            if is_combining_mark(c) {
                // A mark without a letter to stand on says nothing.
                self.lower.extend(last.map(|_| c));
                continue;
            }
            let class = Class::of(c);
            if let Some(previous) = last
                && is_border(previous, class, chars.clone())
            {
                self.push_piece(start, previous);
                start = self.lower.len();
            }
            match decimal_digit(c) {
                Some(digit) => self.lower.push(digit),
                None => self
                    .lower
                    .extend(c.to_lowercase().filter(|c| *c != '\u{307}')),
            }
            last = Some(class);
        }
        if let Some(class) = last {
            self.push_piece(start, class);
        }
    }

    /// The same as [`split`](Self::split), for what most text consists of.
    fn split_ascii(&mut self, part: &[u8]) {
        if part.iter().all(u8::is_ascii_lowercase) {
            self.lower.extend(part.iter().copied().map(char::from));
            self.push_piece(0, Class::Lower(Script::Latin));
            return;
        }
        let mut start = 0;
        let mut last: Option<Class> = None;
        for (at, byte) in part.iter().enumerate() {
            let class = match byte {
                b'0'..=b'9' => Class::Digit,
                b'A'..=b'Z' => Class::Upper(Script::Latin),
                _ => Class::Lower(Script::Latin),
            };
            if let Some(previous) = last
                && is_border(
                    previous,
                    class,
                    part[at + 1..].iter().map(|byte| char::from(*byte)),
                )
            {
                self.push_piece(start, previous);
                start = at;
            }
            self.lower.push(char::from(byte.to_ascii_lowercase()));
            last = Some(class);
        }
        if let Some(class) = last {
            self.push_piece(start, class);
        }
    }

    fn push_piece(&mut self, start: usize, class: Class) {
        let kind = match class.script() {
            None => Kind::Number,
            Some(script) if script.is_unsegmented() => Kind::Run(script),
            Some(script) => Kind::Word(script),
        };
        self.pieces.push((start, self.lower.len(), kind));
    }

    /// Joins the single word of this chunk to the one before a hyphen, where one of the two is so
    /// short that people also write them as one (`e-mail`, `log-in`), and remembers it.
    fn join_hyphenated(&mut self, joins: bool, sink: &mut impl FnMut(&str, Kind)) {
        const SHORT: usize = 3;
        let [(start, end, Kind::Word(Script::Latin))] = self.pieces.as_slice() else {
            self.hyphenated.clear();
            return;
        };
        let word = &self.lower[*start..*end];
        let first = self.hyphenated.len();
        if joins && first > 0 && first.min(word.len()) <= SHORT && first + word.len() <= MAX_JOINED
        {
            self.hyphenated.push_str(word);
            sink(&self.hyphenated, Kind::Joined);
        }
        self.hyphenated.clear();
        self.hyphenated.push_str(word);
    }

    /// Gives back what an unusually long text made the buffers grow to.
    fn shrink(&mut self) {
        const KEPT: usize = 16 * 1024;
        for buffer in [&mut self.normalized, &mut self.lower, &mut self.hyphenated] {
            if buffer.capacity() > KEPT {
                *buffer = String::new();
            }
        }
        if self.pieces.capacity() > KEPT {
            self.pieces = Vec::new();
        }
    }
}

/// The stretch of a few pieces that is worth keeping as a whole: camel-case letters (`OAuth` of
/// `OAuth2`), or one word with one number (`mp3`, `3d`).
fn compound(pieces: &[(usize, usize, Kind)]) -> Option<(usize, usize)> {
    let letters = |kind: &Kind| matches!(kind, Kind::Word(_));
    let (start, end) = match pieces {
        [(start, _, a), (_, end, b)] if letters(a) || letters(b) => (*start, *end),
        [(start, _, a), (_, end, b), (_, last, c)] if letters(a) && letters(b) => {
            (*start, if letters(c) { *last } else { *end })
        }
        _ => return None,
    };
    (end - start <= MAX_JOINED).then_some((start, end))
}

/// Where the first character is that belongs to a chunk, or that does not.
fn find(text: &str, chunk: bool) -> Option<usize> {
    let plain = |byte: &u8| byte.is_ascii() && byte.is_ascii_alphanumeric() != chunk;
    let skipped = text.bytes().take_while(|byte| plain(byte)).count();
    let found = text.get(skipped..)?.find(|c| is_chunk_char(c) == chunk)?;
    Some(skipped + found)
}

/// Letters, digits and the marks that belong to them.
fn is_chunk_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() || is_combining_mark(c) || is_ignored(c)
}

/// Characters inside a word that say nothing: soft hyphen, joiners, the Arabic stretching stroke,
/// Hebrew quotation signs within abbreviations.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{640}' | '\u{5F3}' | '\u{5F4}'
    )
}

/// Whether `chunk` is what remains of an English contraction or possessive (`user's`, `don't`).
fn is_contraction(separator: &str, chunk: &str) -> bool {
    matches!(separator, "'" | "\u{2019}")
        && matches!(chunk, "s" | "t" | "d" | "m" | "ll" | "re" | "ve" | "S")
}

/// Whether a piece ends between `previous` and `current`, with `next` still to come.
fn is_border(previous: Class, current: Class, mut next: impl Iterator<Item = char>) -> bool {
    if previous.script() != current.script() {
        return true;
    }
    match (previous, current) {
        (Class::Lower(_), Class::Upper(_)) => true,
        // The last capital of `HTTPServer` begins the next word, but `URLs` is one word.
        (Class::Upper(_), Class::Upper(script)) => {
            let is_lower = |c: char| Class::of(c) == Class::Lower(script);
            match next.next() {
                Some('s') => next.next().is_some_and(is_lower),
                Some(c) => is_lower(c),
                None => false,
            }
        }
        _ => false,
    }
}

/// The beginning of `word`, at most `max` bytes of it.
fn cut(word: &str, max: usize) -> &str {
    if word.len() <= max {
        return word;
    }
    let end = (0..=max)
        .rev()
        .find(|end| word.is_char_boundary(*end))
        .unwrap_or(0);
    &word[..end]
}
