//! How tools are written out for a model: catalogs, lines of usage, rules of use.

use std::borrow::Cow;

/// A line of a catalog can hold this many characters of a description, so that one author cannot
/// crowd out the others.
const LONGEST_LINE: usize = 1024;

/// What one tool says of itself.
pub(crate) struct Described<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: Cow<'a, str>,
    pub(crate) snippet: Option<&'a str>,
    pub(crate) guidelines: &'a [Cow<'static, str>],
}

/// A text as one line: white space and control characters are folded, so that no text can end its
/// line, open a list item or start a heading of its own. What nobody would see is dropped.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST_LINE));
    let mut taken = 0;
    let mut gap = false;
    for c in text.chars() {
        // Unicode's line and paragraph separators are white space but not control characters.
        if c.is_whitespace() || c.is_control() {
            gap = !line.is_empty();
            continue;
        }
        if is_unseen(c) {
            continue;
        }
        if taken + usize::from(gap) >= LONGEST_LINE {
            line.push('…');
            break;
        }
        if gap {
            line.push(' ');
            taken += 1;
            gap = false;
        }
        line.push(c);
        taken += 1;
    }
    line
}

/// Whether a reader would not see the character. Joiners, which scripts and emoji need, count as
/// seen.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a rule or a line of usage says nothing: it is empty, or a bullet alone.
pub(crate) fn is_blank(text: &str) -> bool {
    one_line(text).trim_matches(['-', '*', '•', ' ']).is_empty()
}

/// One entry a tool: `- name: description`, below it what the switches ask for.
pub(crate) fn tool_catalog<'a>(
    tools: impl Iterator<Item = Described<'a>>,
    snippets: bool,
    guidelines: bool,
    labels: (&str, &str),
) -> String {
    let (usage_label, guidelines_label) = labels;
    let mut text = String::new();
    for tool in tools {
        push_line(
            &mut text,
            &format!("- {}: {}", tool.name, one_line(&tool.description)),
        );
        if let (true, Some(snippet)) = (snippets, tool.snippet) {
            push_line(
                &mut text,
                &format!("  {usage_label}: {}", one_line(snippet)),
            );
        }
        if guidelines && !tool.guidelines.is_empty() {
            push_line(&mut text, &format!("  {guidelines_label}:"));
            for rule in tool.guidelines {
                push_line(&mut text, &format!("  - {}", one_line(rule)));
            }
        }
    }
    text
}

/// One tool's line of usage and rules, for its description.
pub(crate) fn usage(
    snippet: Option<&str>,
    guidelines: &[Cow<'static, str>],
    labels: (&str, &str),
) -> String {
    let (usage_label, guidelines_label) = labels;
    let mut text = String::new();
    if let Some(snippet) = snippet {
        push_line(&mut text, &format!("{usage_label}: {}", one_line(snippet)));
    }
    if !guidelines.is_empty() {
        push_line(&mut text, &format!("{guidelines_label}:"));
        for rule in guidelines {
            push_line(&mut text, &format!("- {}", one_line(rule)));
        }
    }
    text
}

pub(crate) fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn no_text_ends_its_line() {
        assert_eq!(
            one_line(" a\r\n- b:\tc\u{2028}# d\u{0}e "),
            "a - b: c # d e"
        );
        assert_eq!(one_line("\n"), "");
        assert_eq!(
            one_line("a\u{202e}b\u{200b}c\u{e0041}\u{feff} \u{2066}d"),
            "abc d"
        );
        assert_eq!(
            one_line("👩\u{200d}🚀 می\u{200c}خواهم"),
            "👩\u{200d}🚀 می\u{200c}خواهم"
        );
        for hidden in "\u{34f}\u{61c}\u{115f}\u{180e}\u{3164}\u{fe00}\u{ffa0}\u{fff9}\u{1d173}\u{e0100}\u{e01ef}".chars() {
            assert_eq!(one_line(&format!("a{hidden}b")), "ab", "{hidden:?}");
        }
        assert_eq!(one_line("❤\u{fe0f}"), "❤\u{fe0f}", "emoji need it");
        let long = one_line(&"é ".repeat(2000));
        assert_eq!(long.chars().count(), 1024, "1,023 characters and the mark");
        assert!(long.ends_with('…'));
    }
}
