//! Members of a request that only the user knows of.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Anthropic, Chat, Gemini, Ollama, Responses, raw::raw};

/// Members of a request that only the user knows of, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Extra(Vec<(String, Box<RawValue>)>);

impl Extra {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), &**value))
    }
}

macro_rules! take_more_members {
    ($($protocol:ident)*) => {$(
        impl $protocol {
            /// The same protocol with one more member in every request, in place of one of that
            /// name.
            ///
            /// # Errors
            /// The value cannot be written as JSON.
            pub fn extra(mut self, key: &str, value: impl Serialize) -> serde_json::Result<Self> {
                self.extra.0.push((key.to_owned(), raw(&value)?));
                Ok(self)
            }
        }
    )*};
}

take_more_members!(Responses Chat Anthropic Gemini Ollama);
