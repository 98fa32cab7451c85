//! Patterns that are compiled once in a walk.

use std::collections::HashMap;

use regex_lite::Regex;

use crate::tool::args::ecma;

/// The patterns of a schema, as far as they were needed.
#[derive(Default)]
pub(super) struct Patterns<'s>(HashMap<&'s str, Option<Regex>>);

impl<'s> Patterns<'s> {
    /// Whether the pattern is somewhere in a text. One that cannot be compiled was found when the agent
    /// was built, or by the macro.
    pub(super) fn fits(&mut self, pattern: &'s str, text: &str) -> bool {
        let regex = self
            .0
            .entry(pattern)
            .or_insert_with(|| ecma::regex(pattern));
        regex.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}
