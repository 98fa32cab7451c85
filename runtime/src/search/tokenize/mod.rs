//! From text to the pieces that are indexed and searched for.
//!
//! [`Scanner`] cuts text into lower-case words, numbers and runs; [`grams`] cuts runs of scripts
//! without spaces; [`Language`] reduces words to stems; [`fold`] drops accents; [`stop_languages`]
//! and [`phrases`] know what a query says besides what it asks for.

mod english;
pub(crate) mod fold;
mod grams;
mod hebrew;
mod language;
pub(crate) mod phrases;
mod scan;
mod script;
mod signs;
mod stop;
#[cfg(test)]
mod tests;

pub(crate) use grams::grams;
pub(crate) use language::{Language, LanguageSet, by_letters};
pub(crate) use scan::{Kind, Scanner};
pub(crate) use script::Script;
pub(crate) use signs::spell_signs;
pub(crate) use stop::{function_word_of, stop_languages};
