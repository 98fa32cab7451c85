//! Finds its way in the text of a schema, in what the compiler can evaluate.

/// A text of JSON. Whatever it holds, no place that is asked for leads out of it.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Scanner {
            text,
            bytes: text.as_bytes(),
        }
    }

    /// Whether a place is behind the end.
    pub(super) const fn is_over(&self, at: usize) -> bool {
        at >= self.bytes.len()
    }

    /// The byte at a place, 0 behind the end.
    pub(super) const fn byte(&self, at: usize) -> u8 {
        if at < self.bytes.len() {
            self.bytes[at]
        } else {
            0
        }
    }

    pub(super) const fn spaces(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\n' | b'\r' | b'\t') {
            at += 1;
        }
        at
    }

    /// The text that starts at a place, without its quotes and as it is written.
    pub(super) const fn string(&self, at: usize) -> &'a str {
        let end = self.end(at);
        // What is cut off has no closing quote.
        if end < at + 2 || self.byte(end - 1) != b'"' {
            return "";
        }
        let (before, _) = self.text.split_at(end - 1);
        let (_, inside) = before.split_at(at + 1);
        inside
    }

    /// Where the value of the key at a place starts.
    pub(super) const fn value_of(&self, key: usize) -> usize {
        self.spaces(self.spaces(self.end(key)) + 1)
    }

    /// What comes after a value and its comma.
    pub(super) const fn next(&self, value: usize) -> usize {
        let at = self.spaces(self.end(value));
        if self.byte(at) == b',' {
            self.spaces(at + 1)
        } else {
            at
        }
    }

    /// The end of the value at a place.
    pub(super) const fn end(&self, mut at: usize) -> usize {
        let mut open = 0;
        loop {
            match self.byte(at) {
                0 => return self.bytes.len(),
                b'"' => {
                    at += 1;
                    while !matches!(self.byte(at), b'"' | 0) {
                        at += if self.byte(at) == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' if open > 1 => open -= 1,
                b'}' | b']' if open == 1 => return at + 1,
                b'}' | b']' | b',' if open == 0 => return at,
                _ => {}
            }
            at += 1;
            if open == 0 && matches!(self.byte(at - 1), b'"') {
                return at;
            }
        }
    }

    /// Whether `type`, a text or a list of texts, names a type.
    pub(super) const fn has_type(&self, at: usize, quoted: &str) -> bool {
        if at == 0 {
            return false;
        }
        let end = self.end(at);
        let mut start = at;
        while start + quoted.len() <= end {
            let (_, rest) = self.bytes.split_at(start);
            let (word, _) = rest.split_at(quoted.len());
            if same(word, quoted.as_bytes()) {
                return true;
            }
            start += 1;
        }
        false
    }
}

pub(super) const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    while let ([x, a_tail @ ..], [y, b_tail @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        a = a_tail;
        b = b_tail;
    }
    true
}
