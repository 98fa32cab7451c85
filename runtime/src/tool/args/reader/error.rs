//! Why a text could not be read into a type.

use std::{borrow::Cow, fmt};

use serde::de::{self, Expected, Unexpected};

/// Why a text could not be read into a type, without the place, which the reader knows.
#[derive(Debug)]
pub struct Error(Box<Cow<'static, str>>);

impl Error {
    pub(in crate::tool::args) fn new(what: &'static str) -> Self {
        Error(Box::new(Cow::Borrowed(what)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error(Box::new(Cow::Owned(message.to_string())))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            Unexpected::Unit => {
                Self::custom(format_args!("invalid type: null, expected {expected}"))
            }
            found => Self::custom(format_args!("invalid type: {found}, expected {expected}")),
        }
    }
}
