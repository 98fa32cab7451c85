//! Keys that the specification does not list.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Fields, SPEC_KEYS, claude, is_alike};
use crate::draft::Draft;
use crate::finding::{Edit, Fix};
use crate::frame::{line, short};
use crate::value::{Entry, Value};
use crate::yaml::quote::quoted;
use crate::{Kind, Profile};

pub(super) fn run(fields: &Fields<'_>, profile: Profile, drafts: &mut Vec<Draft>) {
    let metadata = fields
        .entry("metadata")
        .and_then(|entry| entry.value.as_map());
    let taken: HashSet<&str> = metadata
        .unwrap_or_default()
        .iter()
        .map(Entry::key)
        .collect();
    for entry in fields
        .entries
        .iter()
        .filter(|entry| !SPEC_KEYS.contains(&entry.key()))
    {
        let is_claude = claude::is_known(&entry.key);
        // `Name` was reported as a missing `name` already.
        let is_at_home = is_claude && profile == Profile::Claude;
        if is_at_home || is_reported(fields, entry) {
            continue;
        }
        let draft = unknown(fields, entry, is_claude);
        let movable = !is_claude && !draft.has_fix() && !taken.contains(entry.key());
        drafts.push(match movable.then(|| relocation(fields, entry)).flatten() {
            Some(fix) => draft.fix(fix),
            None => draft,
        });
    }
}

fn is_reported(fields: &Fields<'_>, entry: &Entry) -> bool {
    let known = ["name", "description"]
        .into_iter()
        .find(|known| is_alike(&entry.key, known));
    fields.complete && known.is_some_and(|known| fields.entry(known).is_none())
}

// The most frequent finding of all, so its texts are put together without formatting.
fn unknown(fields: &Fields<'_>, entry: &Entry, is_claude: bool) -> Draft {
    let key = short(&entry.key);
    let message = ["`", &key, "` is not a key of the specification"].concat();
    let draft = Draft::at(Kind::UnexpectedField, entry.key_range(), message);
    if is_claude {
        return draft
            .help("it is a key of Claude Code: check with the profile `claude`, or remove it");
    }
    if let Some(known) = claude::meant(&entry.key) {
        return draft.help(format!("if `{known}` is meant, write it so"));
    }
    match near(&entry.key) {
        Some(known) if fields.entry(known).is_some() => draft.help(format!(
            "the file has `{known}` as well; remove one of the two"
        )),
        Some(known) => {
            let draft = draft.help(format!("write it as `{known}`"));
            if fits(known, &entry.value) {
                draft.fix(Fix::replace(entry.key_range(), known))
            } else {
                draft
            }
        }
        None if key.trim().is_empty() => {
            draft.help("write a key before the colon, or remove the line")
        }
        None => {
            const MOVE: &str = "move it under `metadata`: write `metadata:` and below it `  ";
            draft.help(match shown(fields, entry) {
                Some(line) => [MOVE, line, "`"].concat(),
                None => [MOVE, &key, ": …`"].concat(),
            })
        }
    }
}

/// Whether a value has the shape that a key of the specification wants.
fn fits(known: &str, value: &Value) -> bool {
    if known == "metadata" {
        value.as_map().is_some()
    } else {
        value.as_text().is_some()
    }
}

/// The line of an entry, to be pasted, where it has no more than that.
fn shown<'h>(fields: &Fields<'h>, entry: &Entry) -> Option<&'h str> {
    let end = entry.value.range.end.max(entry.key_range.end);
    let source = fields.text.get(entry.key_range.start..end)?;
    (source.len() < 200 && !source.contains('\n') && source.contains(':')).then_some(source)
}

/// The known key that was meant, by case, `_` for `-`, no `-`, or one letter.
fn near(key: &str) -> Option<&'static str> {
    SPEC_KEYS.into_iter().find(|known| {
        is_alike(key, known)
            || (*known == "allowed-tools" && is_alike(key, "allowedtools"))
            || (key.len() > 4 && one_edit(key.as_bytes(), known.as_bytes()))
    })
}

/// Whether at most one insertion, deletion or replacement makes `a` of `b`.
fn one_edit(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, rest @ ..], b) if rest == b => true,
        (a, [_, rest @ ..]) => a == rest,
        (a, b) => a == b,
    }
}

/// Moves `entry` under `metadata`, where that takes no thought: a text, or a list
/// of texts, which become one.
fn relocation(fields: &Fields<'_>, entry: &Entry) -> Option<Fix> {
    let text = fields.text;
    let start = entry.key_range.start;
    let starts_line = start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n');
    // A header may be one long line with very many keys.
    if !starts_line || entry.key.trim().is_empty() {
        return None;
    }
    let end = entry.value.range.end.max(entry.key_range.end);
    let (last, next) = line(text, start.max(end));
    // Nothing may follow the value, such as a comment, but the colon of an empty one.
    let follows = text.get(end..last.end)?.trim();
    if entry.value.range.start < start || !matches!(follows, "" | ":") {
        return None;
    }
    let source = text.get(start..last.end)?;
    // As it is written, quotes included.
    let key = text.get(entry.key_range())?;
    let content = match entry.value.as_text() {
        Some(_) if !source.contains('\n') => Cow::Borrowed(source.trim_end()),
        // A comment would be lost.
        _ if source.contains('#') || key.contains('\n') => return None,
        Some(value) => Cow::Owned(format!("{key}: {}", quoted(value.trim()))),
        None => Cow::Owned(format!("{key}: {}", quoted(&joined(entry)?))),
    };
    let end = if text.get(last.end..next)?.starts_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let Some(metadata) = fields.entry("metadata") else {
        let edit = Edit {
            range: start..next,
            text: ["metadata:", end, "  ", &content, end].concat(),
        };
        return Some(Fix {
            edits: vec![edit],
            rename: None,
        });
    };
    // Below the last entry of a block map, with its indentation.
    if text.get(metadata.value.range.start..)?.starts_with('{') {
        return None;
    }
    let last = metadata.value.as_map()?.last()?;
    // A block text may keep the empty lines that follow it.
    let between = text
        .get(last.key_range.end..last.value.range.start)
        .unwrap_or_default();
    if between.contains(['|', '>']) {
        return None;
    }
    let last_line = memchr::memrchr(b'\n', &text.as_bytes()[..last.key_range.start])? + 1;
    let indent = text.get(last_line..last.key_range.start)?;
    if indent.is_empty() || !indent.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let (_, below) = line(text, last.value.range.end.max(last.key_range.end));
    let mut edits = vec![
        Edit {
            range: below..below,
            text: [indent, &content, end].concat(),
        },
        Edit {
            range: start..next,
            text: String::new(),
        },
    ];
    edits.sort_by_key(|edit| edit.range.start);
    Some(Fix {
        edits,
        rename: None,
    })
}

/// A list of texts as one text, where the commas cannot be mistaken.
fn joined(entry: &Entry) -> Option<String> {
    let items: Option<Vec<&str>> = entry.value.as_list()?.iter().map(Value::as_text).collect();
    let items = items?;
    (!items.iter().any(|item| item.contains([',', '\n']))).then(|| items.join(", "))
}
