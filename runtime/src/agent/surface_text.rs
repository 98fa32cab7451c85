//! What a model is shown, as a text for people.

use std::fmt::Write as _;

use super::Agent;
use crate::{catalog::is_unseen, protocol::Definition};

/// The first line of every such text.
const HEAD: &str = "What the model is shown. REPERTOIRE_UPDATE=1 cargo test writes this file anew.";

impl Agent {
    /// What the model is shown, for people to read and to compare: the system text, then name,
    /// description and schema of every tool, those that come by a search at the end.
    ///
    /// The text is the same in every process. A part starts at the beginning of a line and what it
    /// holds is indented below it. Characters that nobody sees (control characters, zero width
    /// spaces, changes of direction) are written as `\u{202e}`.
    ///
    /// [`assert_surface!`](crate::assert_surface) compares it with a file.
    ///
    /// ```
    /// use repertoire::{Agent, Responses, Toolset, testing::Script, tool};
    ///
    /// /// Look up the stock of a product.
    /// #[tool]
    /// fn stock(
    ///     /// Stock keeping unit.
    ///     sku: &str,
    /// ) -> u32 {
    ///     7
    /// }
    ///
    /// # fn main() -> repertoire::Result<()> {
    /// let agent = Agent::builder(Script::new(Responses::new("m")))
    ///     .repertoire(Toolset::new().with::<stock>())
    ///     .instructions("Be brief.")
    ///     .build()?;
    /// assert!(agent.surface().contains("\nsystem\n    Be brief.\n"));
    /// assert!(agent.surface().contains("\ntool stock\n  description\n    Look up the stock of a product.\n"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn surface(&self) -> String {
        let shown = self.inner.offers.first();
        let mut text = format!("{HEAD}\n");
        if !shown.system.is_empty() {
            text.push_str("\nsystem\n");
            indented(&mut text, &shown.system);
        }
        for tool in &shown.tools {
            definition(&mut text, "tool", tool);
        }
        if let Some(tool) = &shown.search {
            definition(&mut text, "search tool", tool);
        }
        for tool in &shown.deferred {
            definition(&mut text, "deferred tool", tool);
        }
        text
    }
}

fn definition(text: &mut String, kind: &str, tool: &Definition) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{kind} {}\n  description\n", tool.name());
    indented(text, tool.description());
    if let Some(group) = tool.group() {
        text.push_str("  group\n");
        indented(text, group);
    }
    if tool.strict() {
        text.push_str("  strict\n");
    }
    text.push_str("  schema\n");
    indented(text, &pretty(tool.schema().get()));
}

/// Each line of a text, four spaces in. What nobody would see is written out.
fn indented(text: &mut String, lines: &str) {
    for line in lines.split('\n') {
        if !line.is_empty() {
            text.push_str("    ");
        }
        for c in line.chars() {
            if is_unseen(c) {
                text.extend(c.escape_unicode());
            } else {
                text.push(c);
            }
        }
        text.push('\n');
    }
}

/// JSON with one member a line, in the order it came in. Lists of plain values stay on one line.
fn pretty(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let mut open: Vec<bool> = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    };
    for (at, c) in json.char_indices() {
        if in_string {
            text.push(c);
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                text.push(c);
            }
            '{' | '[' => {
                let rest = json.get(at + 1..).unwrap_or_default();
                let wide = c == '{' || holds_more(rest);
                let empty = rest.trim_start().starts_with(['}', ']']);
                open.push(wide && !empty);
                text.push(c);
                if wide && !empty {
                    line(&mut text, open.len());
                }
            }
            '}' | ']' => {
                if open.pop() == Some(true) {
                    line(&mut text, open.len());
                }
                text.push(c);
            }
            ',' => {
                text.push(c);
                match open.last() {
                    Some(true) => line(&mut text, open.len()),
                    _ => text.push(' '),
                }
            }
            ':' => text.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => text.push(c),
        }
    }
    text
}

/// Whether a list, whose first bracket was read, holds other lists or objects. It reads to the first
/// of them or to the end of the list, so all of it stays linear.
fn holds_more(rest: &str) -> bool {
    let (mut in_string, mut escaped) = (false, false);
    for c in rest.bytes() {
        if in_string {
            in_string = escaped || c != b'"';
            escaped = c == b'\\' && !escaped;
            continue;
        }
        match c {
            b'"' => in_string = true,
            b'{' | b'[' => return true,
            b']' => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{indented, pretty};

    #[test]
    fn json_is_spread_in_its_own_order() {
        let json = r#"{"z":{"b":[1,"],{"],"a":[]},"y":[{"c":"\"}"},{}], "x" : null}"#;
        assert_eq!(
            pretty(json),
            r#"{
  "z": {
    "b": [1, "],{"],
    "a": []
  },
  "y": [
    {
      "c": "\"}"
    },
    {}
  ],
  "x": null
}"#
        );
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&pretty(json)), value(json));
    }

    #[test]
    fn what_nobody_sees_is_written_out() {
        let mut text = String::new();
        indented(&mut text, "a\u{202e}b\r\n\nпривет 👩‍🚀\u{e0041}");
        assert_eq!(text, "    a\\u{202e}b\\u{d}\n\n    привет 👩‍🚀\\u{e0041}\n");
    }
}
