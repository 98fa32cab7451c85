//! Keys that the specification does not list.

use super::{Fields, SPEC_KEYS, claude};
use crate::draft::Draft;
use crate::finding::{Edit, Fix};
use crate::frame::short;
use crate::value::Entry;
use crate::{Kind, Profile};

pub(super) fn run(fields: &Fields<'_>, profile: Profile, drafts: &mut Vec<Draft>) {
    for entry in fields.entries {
        if SPEC_KEYS.contains(&entry.key.as_str()) {
            continue;
        }
        let is_claude = claude::is_known(&entry.key);
        if is_claude && profile == Profile::Claude {
            continue;
        }
        drafts.push(unknown(fields, entry, is_claude));
    }
}

fn unknown(fields: &Fields<'_>, entry: &Entry, is_claude: bool) -> Draft {
    let key = short(&entry.key);
    let draft = Draft::at(
        Kind::UnexpectedField,
        entry.key_range(),
        format!("`{key}` is not a key of the specification"),
    );
    if is_claude {
        return draft
            .help("it is a key of Claude Code: check with the profile `claude`, or remove it");
    }
    if let Some(known) = near(&entry.key) {
        let there = fields.get(known).is_some();
        return if there {
            draft.help(format!(
                "the file has `{known}` as well; remove one of the two"
            ))
        } else {
            draft
                .help(format!("write it as `{known}`"))
                .fix(Fix::replace(entry.key_range(), known))
        };
    }
    let draft = draft.help(format!(
        "move it under `metadata`: `metadata:` and below it, indented by two blanks, `{key}: …`"
    ));
    match relocation(fields, entry) {
        Some(fix) => draft.fix(fix),
        None => draft,
    }
}

/// The known key that was meant, by case, `_` for `-`, or one letter.
fn near(key: &str) -> Option<&'static str> {
    let plain = key.replace('_', "-").to_ascii_lowercase();
    SPEC_KEYS.into_iter().find(|known| {
        plain == *known
            || plain.replace('-', "") == known.replace('-', "")
            || (plain.len() > 4 && one_edit(plain.as_bytes(), known.as_bytes()))
    })
}

/// Whether one insertion, deletion or replacement makes `a` of `b`.
fn one_edit(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len().abs_diff(b.len()) {
        0 => a.get(1..) == b.get(1..),
        1 if a.len() > b.len() => a.get(1..) == Some(b),
        1 => b.get(1..) == Some(a),
        _ => false,
    }
}

/// Moves the lines of `entry` under `metadata`, where that takes no thought:
/// the value is a text on the line of its key.
fn relocation(fields: &Fields<'_>, entry: &Entry) -> Option<Fix> {
    let value = &entry.value;
    value.as_text()?;
    let line_start = entry.key_range.start;
    let (line, next) = crate::frame::line(fields.text, line_start);
    let starts_line = line_start == 0 || fields.text.as_bytes().get(line_start - 1) == Some(&b'\n');
    if !starts_line || value.range.start < line_start || value.range.end > line.end {
        return None;
    }
    let text = fields.text.get(line.clone())?;
    let removal = Edit {
        range: line.start..next,
        text: String::new(),
    };
    let end = if fields.text.get(line.end..next)?.starts_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let insertion = match fields.entries.iter().find(|entry| entry.key == "metadata") {
        Some(metadata) => {
            let first = metadata.value.as_map()?.first()?;
            // Below the first entry of a block map, with its indentation.
            let start = first.key_range.start;
            let line_start = memchr::memrchr(b'\n', &fields.text.as_bytes()[..start])? + 1;
            let indent = fields.text.get(line_start..start)?;
            if indent.is_empty() || !indent.bytes().all(|byte| byte == b' ') {
                return None;
            }
            if metadata
                .value
                .as_map()?
                .iter()
                .any(|inner| inner.key == entry.key)
            {
                return None;
            }
            Edit {
                range: line_start..line_start,
                text: format!("{indent}{text}{end}"),
            }
        }
        None => {
            return Some(Fix {
                edits: vec![Edit {
                    range: line.start..next,
                    text: format!("metadata:{end}  {text}{end}"),
                }],
                rename: None,
            });
        }
    };
    let mut edits = vec![removal, insertion];
    edits.sort_by_key(|edit| edit.range.start);
    Some(Fix {
        edits,
        rename: None,
    })
}
