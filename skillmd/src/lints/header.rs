//! Lints of the fences and of how values are written.

use std::fmt;
use std::ops::Range;

use super::Subject;
use crate::Kind;
use crate::draft::Draft;
use crate::finding::Fix;
use crate::value::{Content, Value};
use crate::yaml::quote::quoted;

pub(super) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    if subject.skip > 0 {
        drafts.push(
            Draft::at(Kind::Bom, 0..subject.skip, "the file starts with a byte-order mark, which hides the frontmatter from some readers")
                .help("save the file as UTF-8 without a byte-order mark")
                .fix(Fix::replace(0..subject.skip, "")),
        );
    }
    for fence in [&subject.frame.opening, &subject.frame.closing] {
        if fence.len() > 3 {
            drafts.push(
                Draft::at(
                    Kind::FenceTrailingBlanks,
                    fence.start + 3..fence.end,
                    "blanks follow the `---`, which some readers then do not see as a fence",
                )
                .help("remove the blanks after `---`")
                .fix(Fix::replace(fence.start + 3..fence.end, "")),
            );
        }
    }
    let mut comments = subject.header.comments.iter().peekable();
    for entry in &subject.header.entries {
        let mut see = |place: Place<'_>, value: &Value| {
            // Comments and values both stand in the order of the file.
            while comments
                .next_if(|comment| comment.start < value.range.end)
                .is_some()
            {}
            if let Some(comment) = comments.peek() {
                cut_by_comment(subject.text, place, value, (*comment).clone(), drafts);
            }
            ambiguous(place, value, drafts);
            control(place, value, drafts);
        };
        match &entry.value.content {
            Content::Text { .. } => see(
                Place {
                    outer: None,
                    key: &entry.key,
                },
                &entry.value,
            ),
            Content::Map(inner) => {
                for inner in inner.iter().filter(|inner| inner.value.as_text().is_some()) {
                    see(
                        Place {
                            outer: Some(&entry.key),
                            key: &inner.key,
                        },
                        &inner.value,
                    );
                }
            }
            Content::List(_) => {}
        }
    }
}

/// A key, and the key of the map that it stands in.
#[derive(Clone, Copy)]
struct Place<'h> {
    outer: Option<&'h str>,
    key: &'h str,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            write!(f, "{}.", crate::frame::short(outer))?;
        }
        f.write_str(&crate::frame::short(self.key))
    }
}

fn cut_by_comment(
    text: &str,
    name: Place<'_>,
    value: &Value,
    comment: Range<usize>,
    drafts: &mut Vec<Draft>,
) {
    let Content::Text { plain: true, .. } = value.content else {
        return;
    };
    // A comment on the line where the value ends, with only blanks between them.
    let Some(between) = text.get(value.range.end..comment.start) else {
        return;
    };
    if value.range.is_empty() || !between.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
        return;
    }
    let Some(whole) = text.get(value.range.start..comment.end) else {
        return;
    };
    let key = name.key;
    let draft = Draft::at(
        Kind::CommentCutsValue,
        comment.clone(),
        format!("the value of `{name}` ends here: a `#` after a blank starts a comment"),
    );
    // No fix: only the writer knows whether a comment was meant.
    drafts.push(if whole.contains('\n') {
        draft.help("put the whole value in quotes, or move the comment to a line of its own")
    } else {
        let text = quoted(whole.trim_end());
        draft.help(format!(
            "put the value in quotes: `{key}: {text}`; or move the comment to a line of its own"
        ))
    });
}

/// Plain values that a reader with typed YAML does not see as this text.
fn ambiguous(name: Place<'_>, value: &Value, drafts: &mut Vec<Draft>) {
    let Content::Text { text, plain: true } = &value.content else {
        return;
    };
    let meant_as_text = match name.outer {
        None if matches!(
            name.key,
            "name" | "description" | "license" | "compatibility"
        ) =>
        {
            true
        }
        Some("metadata") => false,
        _ => return,
    };
    let Some(noun) = typed(text, meant_as_text) else {
        return;
    };
    let key = name.key;
    let quoted = quoted(text);
    drafts.push(
        Draft::at(
            Kind::AmbiguousScalar,
            value.range(),
            format!("other readers take the value of `{name}` for {noun}"),
        )
        .help(format!("put the value in quotes: `{key}: {quoted}`"))
        .fix(Fix::replace(value.range(), quoted)),
    );
}

/// What a typed reader makes of a plain text, if it is not the same text again.
fn typed(text: &str, any: bool) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(&["~", "null"]) {
        return Some("nothing");
    }
    if is(&["true", "false", "yes", "no", "on", "off", "y", "n"]) {
        return Some("a truth value");
    }
    let digits = text.trim_start_matches(['-', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || text.len() > 40 {
        return None;
    }
    if is_date(text) {
        return any.then_some("a date");
    }
    let is_based = digits.starts_with("0x") || digits.starts_with("0o");
    let is_number = text.parse::<f64>().is_ok();
    // A number that every reader prints again as it was written does no harm under `metadata`.
    let survives = is_number
        && !text.starts_with('+')
        && !text.contains(['e', 'E'])
        && (digits == "0" || !digits.starts_with('0') || digits.starts_with("0."))
        && digits.len() <= 15
        && !(text.contains('.') && text.ends_with('0') && !text.ends_with(".0"));
    ((is_number || is_based) && (any || !survives)).then_some("a number")
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts.as_slice(), [year, month, day] if year.len() == 4 && month.len() == 2 && day.len() == 2
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit())))
}

/// A control character that came in by an escape.
fn control(name: Place<'_>, value: &Value, drafts: &mut Vec<Draft>) {
    let Content::Text { text, .. } = &value.content else {
        return;
    };
    if !crate::bytes::any(text.as_bytes(), crate::bytes::may_be_control) {
        return;
    }
    if let Some(found) = text
        .chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        drafts.push(
            Draft::at(
                Kind::ControlCharacter,
                value.range(),
                format!(
                    "the value of `{name}` holds the control character U+{:04X}",
                    u32::from(found)
                ),
            )
            .help("remove it: it has no meaning for a model, and a terminal may act on it"),
        );
    }
}
