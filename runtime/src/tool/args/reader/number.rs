//! Numbers, as JSON writes them.

use serde::de::{Expected, Unexpected, Visitor};

use super::{Error, Reader};

/// A number in the type that loses nothing of it, if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Unsigned(u64),
    /// One with a sign, `-0` among them.
    Signed(i64),
    Float(f64),
}

impl Number {
    pub(super) fn unexpected(self) -> Unexpected<'static> {
        match self {
            Number::Unsigned(number) => Unexpected::Unsigned(number),
            Number::Signed(number) => Unexpected::Signed(number),
            Number::Float(number) => Unexpected::Float(number),
        }
    }

    /// The number, if it is not infinite as an `f32`.
    pub(super) fn within_f32(self) -> Result<Self, Error> {
        match self {
            Number::Float(number) if (number as f32).is_infinite() => {
                Err(Error::new("number out of range"))
            }
            number => Ok(number),
        }
    }

    /// Gives the number to a type that is whole.
    pub(super) fn visit_whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Number::Unsigned(number) => visitor.visit_u64(number),
            Number::Signed(number) => visitor.visit_i64(number),
            Number::Float(number) => visitor.visit_f64(number),
        }
    }

    /// Gives the number to a type that may be a float, in which zero has a sign.
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Number::Signed(0) => visitor.visit_f64(-0.0),
            number => number.visit_whole(visitor),
        }
    }
}

impl<'de> Reader<'de> {
    pub(super) fn number(&mut self, expected: &dyn Expected) -> Result<Number, Error> {
        let (text, is_whole) = self.digits(expected)?;
        if is_whole {
            if let Ok(number) = text.parse() {
                return Ok(Number::Unsigned(number));
            }
            if let Ok(number) = text.parse() {
                return Ok(Number::Signed(number));
            }
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Number::Float(number)),
            _ => Err(Error::new("number out of range")),
        }
    }

    /// A number of more than 64 bits.
    pub(super) fn long<T: std::str::FromStr>(
        &mut self,
        expected: &dyn Expected,
    ) -> Result<T, Error> {
        let (text, is_whole) = self.digits(expected)?;
        if !is_whole {
            let number = text.parse().unwrap_or(f64::NAN);
            return Err(<Error as serde::de::Error>::invalid_type(
                Unexpected::Float(number),
                expected,
            ));
        }
        text.parse()
            .or_else(|error| {
                if text == "-0" {
                    "0".parse()
                } else {
                    Err(error)
                }
            })
            .map_err(|_| Error::new("number out of range"))
    }

    /// The text of a number, and whether it has neither fraction nor exponent.
    fn digits(&mut self, expected: &dyn Expected) -> Result<(&'de str, bool), Error> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => {}
            Some(b'{' | b'[' | b'"' | b'n' | b't' | b'f') => return Err(self.mismatch(expected)),
            None if self.absent => return Err(Error::new("absent")),
            None => return Err(Error::new("the text ends too early")),
            Some(_) => return Err(Error::new("a value is not JSON")),
        }
        let start = self.at;
        let bytes = self.text.as_bytes().get(start..).unwrap_or_default();
        let Some((length, is_whole)) = length(bytes) else {
            return Err(Error::new("a number is not JSON"));
        };
        self.read(start + length);
        Ok((
            self.text.get(start..start + length).unwrap_or_default(),
            is_whole,
        ))
    }
}

/// How long the number is that some bytes begin with, and whether it has neither fraction nor exponent.
fn length(bytes: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let before = digits(at);
    if before == 0 || (before > 1 && bytes.get(at) == Some(&b'0')) {
        return None;
    }
    at += before;
    let whole = at;
    if bytes.get(at) == Some(&b'.') {
        let after = digits(at + 1);
        if after == 0 {
            return None;
        }
        at += 1 + after;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
    }
    Some((at, at == whole))
}
