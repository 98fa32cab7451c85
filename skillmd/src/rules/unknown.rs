//! Keys that the specification does not list.

use std::collections::HashSet;

use super::{Fields, SPEC_KEYS, claude, plain};
use crate::draft::Draft;
use crate::finding::{Edit, Fix};
use crate::frame::{line, short};
use crate::value::Entry;
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
        .filter(|entry| !SPEC_KEYS.contains(&entry.key.as_str()))
    {
        let is_claude = claude::is_known(&entry.key);
        // `Name` was reported as a missing `name` already.
        if (is_claude && profile == Profile::Claude) || is_reported(fields, entry) {
            continue;
        }
        let draft = unknown(fields, entry, is_claude);
        drafts.push(
            match relocation(fields, entry)
                .filter(|_| !is_claude && !draft.has_fix() && !taken.contains(entry.key()))
            {
                Some(fix) => draft.fix(fix),
                None => draft,
            },
        );
    }
}

fn is_reported(fields: &Fields<'_>, entry: &Entry) -> bool {
    let known = ["name", "description"]
        .into_iter()
        .find(|known| plain(&entry.key) == *known);
    fields.complete && known.is_some_and(|known| fields.entry(known).is_none())
}

fn unknown(fields: &Fields<'_>, entry: &Entry, is_claude: bool) -> Draft {
    let key = short(&entry.key);
    let message = format!("`{key}` is not a key of the specification");
    let draft = Draft::at(Kind::UnexpectedField, entry.key_range(), message);
    if is_claude {
        return draft
            .help("it is a key of Claude Code: check with the profile `claude`, or remove it");
    }
    match near(&entry.key) {
        Some(known) if fields.entry(known).is_some() => {
            draft.help(format!("the file has `{known}` as well; remove one of the two"))
        }
        Some(known) => draft.help(format!("write it as `{known}`")).fix(Fix::replace(entry.key_range(), known)),
        None => draft.help(format!(
            "move it under `metadata`: write `metadata:` and below it, indented by two blanks, `{key}: …`"
        )),
    }
}

/// The known key that was meant, by case, `_` for `-`, or one letter.
fn near(key: &str) -> Option<&'static str> {
    let key = plain(key);
    SPEC_KEYS.into_iter().find(|known| {
        key == *known
            || key.replace('-', "") == known.replace('-', "")
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

/// Moves the line of `entry` under `metadata`, where that takes no thought: the
/// value is a text on the line of its key.
fn relocation(fields: &Fields<'_>, entry: &Entry) -> Option<Fix> {
    entry.value.as_text()?;
    let text = fields.text;
    let start = entry.key_range.start;
    let (this, next) = line(text, start);
    let starts_line = start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n');
    if !starts_line || entry.value.range.start < start || entry.value.range.end > this.end {
        return None;
    }
    let content = text.get(this.clone())?;
    let end = if text.get(this.end..next)?.starts_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let Some(metadata) = fields.entry("metadata") else {
        let edit = Edit {
            range: this.start..next,
            text: format!("metadata:{end}  {content}{end}"),
        };
        return Some(Fix {
            edits: vec![edit],
            rename: None,
        });
    };
    // Above the first entry of a block map, with its indentation.
    let first = metadata.value.as_map()?.first()?.key_range.start;
    let first_line = memchr::memrchr(b'\n', &text.as_bytes()[..first])? + 1;
    let indent = text.get(first_line..first)?;
    if indent.is_empty() || !indent.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let mut edits = vec![
        Edit {
            range: this.start..next,
            text: String::new(),
        },
        Edit {
            range: first_line..first_line,
            text: format!("{indent}{content}{end}"),
        },
    ];
    edits.sort_by_key(|edit| edit.range.start);
    Some(Fix {
        edits,
        rename: None,
    })
}
