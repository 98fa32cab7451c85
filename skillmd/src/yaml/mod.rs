//! From the text between the fences to entries with places.

mod build;
mod colon;
mod explain;
pub(crate) mod quote;

use std::ops::Range;

use granit_parser::{Parser, ScanError};

use crate::draft::Draft;
use crate::value::{Content, Entry, Value};
use crate::{Kind, Profile};

/// Deeper nesting than this is refused; real files stay under ten.
const MAX_DEPTH: usize = 64;

/// What could be read of a frontmatter.
#[derive(Default)]
pub(crate) struct Header {
    pub(crate) entries: Vec<Entry>,
    /// Where comments stand.
    pub(crate) comments: Vec<Range<usize>>,
    /// Whether `entries` is everything, so that a key that is not there is missing.
    pub(crate) complete: bool,
    pub(crate) drafts: Vec<Draft>,
}

/// Reads `text[range]`. Never fails: what is wrong is among the drafts.
pub(crate) fn read(text: &str, range: Range<usize>, profile: Profile) -> Header {
    let body = &text[range.clone()];
    let base = range.start;
    if let Some(draft) = unprintable(body, base) {
        return Header {
            drafts: vec![draft],
            ..Header::default()
        };
    }
    let mut tree = match load(body, base) {
        Ok(tree) => return finish(tree, body, range),
        Err(failure) => {
            let (error, tree) = *failure;
            let fault = explain::explain(&error, body, base);
            match fault.is_colon.then(|| colon::mask(body)).flatten() {
                Some(masked) => match load(&masked.text, base) {
                    Ok(mut again) => {
                        masked.restore(&mut again);
                        return recovered(again, fault, body, range, profile);
                    }
                    Err(_) => failed(tree, fault.draft),
                },
                None => failed(tree, fault.draft),
            }
        }
    };
    tree.complete = false;
    tree
}

/// The frontmatter was read after its unquoted colons were taken as text.
fn recovered(
    tree: build::Tree,
    fault: explain::Fault,
    body: &str,
    range: Range<usize>,
    profile: Profile,
) -> Header {
    let mut header = finish(tree, body, range);
    let draft = if profile == Profile::Lenient {
        fault.draft.into_kind(Kind::UnquotedColon)
    } else {
        fault.draft
    };
    header
        .drafts
        .push(draft.lenient(Some(crate::Severity::Warning)));
    header
}

fn failed(tree: build::Tree, draft: Draft) -> Header {
    let mut drafts = tree.drafts;
    drafts.push(draft);
    // The root map was still open: what it holds so far was read in full.
    Header {
        entries: tree.entries,
        comments: tree.comments,
        complete: false,
        drafts,
    }
}

fn finish(tree: build::Tree, body: &str, range: Range<usize>) -> Header {
    let mut header = Header {
        entries: Vec::new(),
        comments: tree.comments,
        complete: false,
        drafts: tree.drafts,
    };
    match tree.root {
        None => header.complete = true,
        Some(Value {
            content: Content::Map(entries),
            ..
        }) => {
            header.entries = entries;
            header.complete = true;
        }
        Some(root) => header.drafts.push(explain::not_a_map(&root, body, range)),
    }
    header
}

type Failure = (ScanError, build::Tree);

fn load(text: &str, base: usize) -> Result<build::Tree, Box<Failure>> {
    let mut options = granit_parser::options! {
        disallow_directives: true,
        emit_anchor_events: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        max_buffered_comment_events: usize::MAX,
    };
    options.set_emit_comments(true);
    let mut builder = build::Builder::new(base);
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if !builder.take(event, span) {
                    break;
                }
            }
            Err(error) => return Err(Box::new((error, builder.into_tree()))),
        }
    }
    Ok(builder.into_tree())
}

/// The first character that YAML does not allow in a text at all.
fn unprintable(body: &str, base: usize) -> Option<Draft> {
    let (at, found) = body.char_indices().find(|(_, c)| {
        matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
    }).or_else(|| body.starts_with('\u{feff}').then_some((0, '\u{feff}')))?;
    let at = base + at;
    let message = format!(
        "the control character U+{:04X} may not stand in YAML",
        u32::from(found)
    );
    Some(
        Draft::at(Kind::YamlSyntax, at..at + found.len_utf8(), message)
            .help("remove it, or write it as an escape inside double quotes"),
    )
}
