//! The rules of the fields. Each function looks at one of them.

mod allowed_tools;
mod claude;
mod fields;
mod name;
mod unknown;

pub(crate) use allowed_tools::split as split_tools;
pub(crate) use name::normal;

use crate::draft::Draft;
use crate::skill::find;
use crate::value::{Entry, Value};
use crate::yaml::Header;
use crate::{CheckOptions, Profile};

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
    pub(crate) entries: &'h [Entry],
    /// False when reading stopped early: a key that is not there may follow.
    pub(crate) complete: bool,
    /// Where to point for a key that is not there.
    pub(crate) end: std::ops::Range<usize>,
    /// The file's text, for pasting a value into a help.
    pub(crate) text: &'h str,
}

impl<'h> Fields<'h> {
    pub(crate) fn new(header: &'h Header, end: std::ops::Range<usize>, text: &'h str) -> Self {
        Self {
            entries: &header.entries,
            complete: header.complete,
            end,
            text,
        }
    }

    fn get(&self, key: &str) -> Option<&'h Value> {
        find(self.entries, key)
    }

    /// A key that would be `key` if its case, `-` and `_` did not matter.
    fn misspelt(&self, key: &str) -> Option<&'h Entry> {
        let plain = |text: &str| text.replace('_', "-").to_ascii_lowercase();
        self.entries
            .iter()
            .find(|entry| entry.key != key && plain(&entry.key) == key)
    }
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
    unknown::run(fields, options.profile, drafts);
}

/// The length of a text in characters, as the specification counts: code points after trimming.
pub(crate) fn length(text: &str) -> usize {
    text.trim().chars().count()
}
