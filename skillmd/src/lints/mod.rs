//! Advice: what is valid, and could serve the readers of a skill better.

mod body;
mod files;
mod header;
mod links;
mod markdown;
mod when;

use std::ops::Range;

use crate::CheckOptions;
use crate::draft::Draft;
use crate::frame::Frame;
use crate::yaml::Header;

/// What the lints look at.
pub(crate) struct Subject<'s, 'o> {
    pub(crate) text: &'s str,
    /// The length of the byte-order mark, 0 without one.
    pub(crate) skip: usize,
    pub(crate) frame: &'s Frame,
    pub(crate) header: &'s Header,
    /// The body, trimmed.
    pub(crate) body: Range<usize>,
    pub(crate) options: &'s CheckOptions<'o>,
}

pub(crate) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    header::run(subject, drafts);
    when::run(subject, drafts);
    body::run(subject, drafts);
    links::run(subject, drafts);
}
