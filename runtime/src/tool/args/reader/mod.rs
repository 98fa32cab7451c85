//! Reads JSON text straight into types.
//!
//! serde_json reads it as well. This reader is there for three things that serde_json does not do:
//!
//! - It notes when something was read and dropped, so that a key which a struct does not know is found
//!   without reading the arguments again.
//! - A struct is an object and never an array, as its schema says. serde_json takes both.
//! - All but a few lines of it are compiled once, in this crate. serde_json's code is compiled again
//!   for every type, which is most of what a tool costs the build of a program.
//!
//! What is hard about JSON is left to others: numbers to the standard library, escapes and skipped
//! values to serde_json.

mod access;
mod de;
mod error;
mod key;
mod number;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::de::{Expected, IgnoredAny, Unexpected};

pub use error::Error;

use super::read::MAX_ARGUMENT_DEPTH;

/// What is left to read of a JSON text. Not to be printed: secrets may be in it.
#[allow(missing_debug_implementations)]
pub struct Reader<'de> {
    text: &'de str,
    /// The next byte to read.
    at: usize,
    /// The last byte of what was read last: where an error is.
    place: usize,
    /// How much deeper arrays and objects may stand in each other.
    depth: usize,
    /// Whether this stands for a value that is not there.
    absent: bool,
    /// The key that was read last, if it has escapes.
    key: String,
    /// Whether the text is no JSON. That is told at the end, so that the code of each type does not have
    /// to ask: whatever such a text was read as comes to nothing.
    broken: bool,
    dropped: bool,
    unsure: bool,
}

impl<'de> Reader<'de> {
    pub(super) fn new(text: &'de str) -> Self {
        Reader {
            text,
            at: 0,
            place: 0,
            depth: MAX_ARGUMENT_DEPTH,
            absent: false,
            key: String::new(),
            broken: false,
            dropped: false,
            unsure: false,
        }
    }

    /// Stands for a value that is not there: an `Option` reads `None` from it, everything else fails.
    pub(super) fn absent() -> Self {
        Reader {
            absent: true,
            ..Reader::new("")
        }
    }

    /// Whether a value was read and dropped.
    pub(super) fn has_dropped(&self) -> bool {
        self.dropped
    }

    /// Whether a type took whatever came, so that it may have dropped some of it.
    pub(super) fn is_unsure(&self) -> bool {
        self.unsure
    }

    /// The last byte of what was read last.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Begins the object that the whole text is.
    pub(super) fn begin_arguments(&mut self) -> Result<(), Error> {
        self.begin(b'{', &"an object")
    }

    /// Ends the object that the whole text is, and the text.
    pub(super) fn end_arguments(&mut self) -> Result<(), Error> {
        self.end(b'}');
        self.end_text()
    }

    /// Whether the object that the whole text is has another member. Its key is next.
    pub(super) fn next_member(&mut self, first: &mut bool) -> bool {
        self.next(b'}', first)
    }

    /// The key of a member.
    pub(super) fn key(&mut self) -> Result<&str, Error> {
        match self.string(&"a key")? {
            Cow::Borrowed(key) => Ok(key),
            Cow::Owned(key) => {
                self.key = key;
                Ok(&self.key)
            }
        }
    }

    /// The colon between a key and its value.
    pub(super) fn colon(&mut self) {
        self.take(b':');
    }

    /// Passes over a value, which is lost.
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        self.dropped = true;
        self.pass()
    }

    /// The text of a value.
    fn text_of_value(&mut self) -> Result<&'de str, Error> {
        self.peek();
        let start = self.at;
        self.pass()?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Passes over a value that nobody wants.
    pub(super) fn pass(&mut self) -> Result<(), Error> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                self.read(self.at + values.byte_offset());
                Ok(())
            }
            Some(Err(_)) => Err(Error::new("a value is not JSON")),
            None => Err(Error::new("a value is missing")),
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte => return Some(*byte),
            }
        }
        None
    }

    /// Everything before a byte has been read.
    fn read(&mut self, end: usize) {
        self.at = end;
        self.place = end.saturating_sub(1);
    }

    /// Reads a byte that has to be there.
    fn take(&mut self, byte: u8) {
        if self.peek() == Some(byte) {
            self.read(self.at + 1);
        } else {
            self.broken = true;
        }
    }

    /// Ends the text.
    pub(super) fn end_text(&mut self) -> Result<(), Error> {
        if self.broken || self.peek().is_some() {
            return Err(Error::new("a comma, a colon or an end is missing"));
        }
        Ok(())
    }

    /// Begins an array or object.
    fn begin(&mut self, open: u8, expected: &dyn Expected) -> Result<(), Error> {
        if self.peek() != Some(open) {
            return Err(self.mismatch(expected));
        }
        self.depth = match self.depth.checked_sub(1) {
            Some(depth) => depth,
            None => return Err(Error::new("nested too deep")),
        };
        self.read(self.at + 1);
        Ok(())
    }

    /// Ends an array or object.
    fn end(&mut self, close: u8) {
        self.take(close);
        self.depth += 1;
    }

    /// Whether an array or object goes on.
    fn next(&mut self, close: u8, first: &mut bool) -> bool {
        if self.peek() == Some(close) {
            // What is missing in an object or array is told where it ends.
            self.place = self.at;
            return false;
        }
        if !std::mem::replace(first, false) {
            self.take(b',');
        }
        // Nothing that is not JSON goes on forever.
        !self.broken
    }

    fn string(&mut self, expected: &dyn Expected) -> Result<Cow<'de, str>, Error> {
        if self.peek() != Some(b'"') {
            return Err(self.mismatch(expected));
        }
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        let mut end = start;
        let mut has_escapes = false;
        loop {
            let rest = bytes.get(end..).unwrap_or_default();
            let Some(special) = rest.iter().position(is_special) else {
                return Err(Error::new("a string does not end"));
            };
            end += special;
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    end += 2;
                }
                _ => return Err(Error::new("a control character in a string")),
            }
        }
        self.read(end + 1);
        if has_escapes {
            let quoted = self.text.get(start - 1..=end).unwrap_or_default();
            let text = serde_json::from_str::<String>(quoted);
            text.map(Cow::Owned)
                .map_err(|_| Error::new("an escape is not known"))
        } else {
            Ok(Cow::Borrowed(self.text.get(start..end).unwrap_or_default()))
        }
    }

    /// Reads `null`, `true` or `false`.
    fn word(&mut self, word: &'static str) -> Result<(), Error> {
        let end = self.at + word.len();
        if self.text.get(self.at..end) != Some(word) {
            return Err(Error::new("a word that is not JSON"));
        }
        self.read(end);
        Ok(())
    }

    /// Reads `null`, or finds that the value is not there.
    fn null(&mut self) -> Result<bool, Error> {
        match self.peek() {
            Some(b'n') => self.word("null").map(|()| true),
            None => Ok(self.absent),
            Some(_) => Ok(false),
        }
    }

    fn unit(&mut self, expected: &dyn Expected) -> Result<(), Error> {
        match self.peek() {
            Some(b'n') => self.word("null"),
            _ => Err(self.mismatch(expected)),
        }
    }

    fn bool(&mut self, expected: &dyn Expected) -> Result<bool, Error> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.mismatch(expected)),
        }
    }

    /// A value is of another kind than the one that is expected.
    fn mismatch(&mut self, expected: &dyn Expected) -> Error {
        let start = self.at;
        let error = |found| <Error as serde::de::Error>::invalid_type(found, expected);
        match self.peek() {
            None if self.absent => Error::new("absent"),
            None => Error::new("the text ends too early"),
            Some(b'{') => {
                self.place = start;
                error(Unexpected::Map)
            }
            Some(b'[') => {
                self.place = start;
                error(Unexpected::Seq)
            }
            Some(b'"') => match self.string(&"a string") {
                Ok(text) => error(Unexpected::Str(&text)),
                Err(error) => error,
            },
            Some(b'n') => self
                .word("null")
                .map_or_else(|e| e, |()| error(Unexpected::Unit)),
            Some(b't' | b'f') => match self.bool(&"a boolean") {
                Ok(value) => error(Unexpected::Bool(value)),
                Err(error) => error,
            },
            Some(_) => match self.number(&"a number") {
                Ok(number) => error(number.unexpected()),
                Err(error) => error,
            },
        }
    }
}
