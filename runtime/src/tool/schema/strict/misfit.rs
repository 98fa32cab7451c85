//! What keeps a schema out of strict mode, and how it is said.

use super::judge::{LONGEST_PATH, misfit};

/// The most bytes of a message.
const LONGEST_MESSAGE: usize = 400;

/// What keeps a schema out of strict mode, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit<'a> {
    /// The members on the way, as they stand in the text; `[]` for the items of a list.
    pub(super) path: [&'a str; LONGEST_PATH],
    pub(super) depth: usize,
    pub(super) reason: &'static str,
}

/// Makes sure that strict mode can say a schema.
///
/// # Panics
///
/// When the compiler evaluates it, if it cannot; the message names the parameter or field.
#[track_caller]
pub const fn assert_strict(schema: &str) {
    if let Some(misfit) = misfit(schema) {
        let mut message = Message {
            bytes: [b' '; LONGEST_MESSAGE],
            length: 0,
        };
        misfit.write(&mut message);
        let (text, _) = message.bytes.split_at(message.length);
        match core::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("`strict` asks for more than OpenAI's strict mode can say"),
        }
    }
}

impl Misfit<'_> {
    const fn write(&self, message: &mut Message) {
        message.push("`strict` asks for more than OpenAI's strict mode can say: ");
        if self.depth == 0 {
            message.push("the schema ");
        } else {
            message.push("`");
            let mut step = 0;
            while step < self.depth {
                if step > 0 && !matches!(self.path[step].as_bytes(), b"[]") {
                    message.push(".");
                }
                message.push(self.path[step]);
                step += 1;
            }
            message.push("` ");
        }
        message.push(self.reason);
    }
}

impl core::fmt::Display for Misfit<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut message = Message {
            bytes: [b' '; LONGEST_MESSAGE],
            length: 0,
        };
        self.write(&mut message);
        let text = message.bytes.get(..message.length).unwrap_or_default();
        f.write_str(&String::from_utf8_lossy(text))
    }
}

/// A text that is put together by the compiler.
struct Message {
    bytes: [u8; LONGEST_MESSAGE],
    length: usize,
}

impl Message {
    /// Adds a text, if there is room for all of it: half a character would be none.
    const fn push(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        if self.length + rest.len() > LONGEST_MESSAGE {
            return;
        }
        while let [byte, tail @ ..] = rest {
            self.bytes[self.length] = *byte;
            self.length += 1;
            rest = tail;
        }
    }
}
