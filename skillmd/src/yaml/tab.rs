//! Tabs that indent a line, which YAML forbids.

use std::ops::Range;

use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::rules::SPEC_KEYS;

/// A tab that indents the line of an error or the one below it, which may have been read as a
/// part of the value above, if the rest can be read without it.
pub(super) fn fault(body: &str, line: Range<usize>, base: usize, at: usize) -> Option<Draft> {
    let (_, below) = crate::frame::line(body, line.start);
    let below = crate::frame::line(body, below.min(body.len())).0;
    for line in [line, below] {
        let text = &body[line.clone()];
        let indent = text.len() - text.trim_start_matches([' ', '\t']).len();
        let Some(tab) = text[..indent].find('\t') else {
            continue;
        };
        let is_key = SPEC_KEYS.iter().any(|key| {
            let after = text[indent..].strip_prefix(key);
            after.is_some_and(|after| after.starts_with(':'))
        });
        let instead = if is_key {
            String::new()
        } else {
            text[..indent].replace('\t', "  ")
        };
        let (start, end) = (line.start, line.start + indent);
        let mended = [&body[..start], &instead, &body[end..]].concat();
        let reached = match super::load(&mended, 0) {
            Ok(_) => usize::MAX,
            Err(failure) => failure.0.marker().byte_offset().unwrap_or(0),
        };
        if reached <= at.max(start + instead.len()) {
            continue;
        }
        let help = if is_key {
            "remove the tab: a key of the frontmatter starts its line"
        } else {
            "indent with blanks instead of tabs"
        };
        let place = base + start + tab..base + start + tab + 1;
        let draft = Draft::at(Kind::YamlSyntax, place, "a tab may not indent a line").help(help);
        return Some(draft.fix(Fix::replace(base + start..base + end, instead)));
    }
    None
}
