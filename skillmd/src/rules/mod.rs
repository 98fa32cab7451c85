//! The rules of the fields. Each function looks at one of them.

mod allowed_tools;
mod claude;
mod fields;
mod name;
mod unknown;

use std::ops::Range;

pub(crate) use allowed_tools::split as split_tools;
pub(crate) use claude::meant;
pub(crate) use name::normal;

use crate::draft::Draft;
use crate::value::Entry;
use crate::yaml::Header;
use crate::{CheckOptions, Kind, Profile};

/// The six keys of the specification.
pub(crate) const SPEC_KEYS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// What the rules of the fields look at.
pub(crate) struct Fields<'h> {
    entries: &'h [Entry],
    /// The entries of [`SPEC_KEYS`], found once: a header may have very many keys.
    known: [Option<&'h Entry>; 6],
    /// False when reading stopped early: a key that is not there may follow.
    complete: bool,
    /// Where to point for a key that is not there.
    end: Range<usize>,
    /// The file's text, for pasting a value into a help.
    text: &'h str,
}

impl<'h> Fields<'h> {
    pub(crate) fn new(header: &'h Header, end: Range<usize>, text: &'h str) -> Self {
        let entries = header.entries.as_slice();
        let known = SPEC_KEYS.map(|key| entries.iter().find(|entry| entry.key == key));
        Self {
            entries,
            known,
            complete: header.complete,
            end,
            text,
        }
    }

    /// The entry of one of [`SPEC_KEYS`].
    fn entry(&self, key: &str) -> Option<&'h Entry> {
        let at = SPEC_KEYS.iter().position(|known| *known == key)?;
        self.known[at]
    }

    /// Where to point for the value of `entry`: at the value, or at the key when
    /// the value starts on a later line or is not there at all.
    fn place(&self, entry: &Entry) -> Range<usize> {
        let between = self.text.get(entry.key_range.end..entry.value.range.start);
        if entry.value.range.is_empty() || between.is_none_or(|between| between.contains('\n')) {
            entry.key_range()
        } else {
            entry.value.range()
        }
    }

    /// A key that would be `key` if its case, `-` and `_` did not matter.
    fn misspelt(&self, key: &str) -> Option<&'h Entry> {
        self.entries
            .iter()
            .find(|entry| entry.key != key && is_alike(&entry.key, key))
    }
}

/// Whether a key equals a known one but for what writers overlook.
fn is_alike(key: &str, known: &str) -> bool {
    let plain = |byte: u8| {
        if byte == b'_' {
            b'-'
        } else {
            byte.to_ascii_lowercase()
        }
    };
    key.len() == known.len() && key.bytes().map(plain).eq(known.bytes())
}

/// All rules of the fields.
pub(crate) fn run(fields: &Fields<'_>, options: &CheckOptions<'_>, drafts: &mut Vec<Draft>) {
    name::run(fields, options.directory, drafts);
    fields::description(fields, drafts);
    fields::license(fields, drafts);
    fields::compatibility(fields, drafts);
    fields::metadata(fields, drafts);
    allowed_tools::run(fields, drafts);
    if options.profile == Profile::Claude {
        claude::run(fields, drafts);
    }
    if options.wants(Kind::UnexpectedField.level(options.profile)) {
        unknown::run(fields, options.profile, drafts);
    }
}

/// The length of a text in characters, as the specification counts: code points after trimming. A
/// text in which nothing can be seen has none.
fn length(text: &str) -> usize {
    if is_blank(text) {
        return 0;
    }
    text.trim().chars().count()
}

/// Whether there is nothing to be seen in a text.
fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || crate::draft::hides(c))
}
