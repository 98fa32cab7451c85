//! What differs between two texts of what a model is shown.

use std::{collections::BTreeMap, fmt::Write as _};

/// Lines around a difference that are shown too.
const AROUND: usize = 3;
/// The most lines of one side that are shown of a part.
const MOST: usize = 40;

/// The differences, part by part: what was removed, changed and added. A part begins with a line
/// that is not indented. Within a part, all between the first and the last difference counts as one.
///
/// It takes time in proportion to the texts, and needs no crate.
pub(super) fn changes(before: &str, after: &str) -> String {
    let (old, new) = (parts(before), parts(after));
    let index = |parts: &[Part<'_>]| -> BTreeMap<String, usize> {
        let places = parts.iter().enumerate();
        places
            .map(|(at, part)| (part.title.to_owned(), at))
            .collect()
    };
    let (in_old, in_new) = (index(&old), index(&new));
    let mut text = String::new();
    for part in old.iter().filter(|part| !in_new.contains_key(part.title)) {
        titled(&mut text, part.title, "is gone");
        signed(&mut text, '-', &part.lines);
    }
    for part in &new {
        match in_old.get(part.title).and_then(|at| old.get(*at)) {
            None => {
                titled(&mut text, part.title, "is new");
                signed(&mut text, '+', &part.lines);
            }
            Some(known) if known.lines != part.lines => {
                titled(&mut text, part.title, "has changed");
                changed(&mut text, &known.lines, &part.lines);
            }
            Some(_) => {}
        }
    }
    if text.is_empty() {
        // The same parts in another order, a part twice, or an edited line that belongs to none.
        let lines = |text| -> Vec<&str> { str::lines(text).collect() };
        changed(&mut text, &lines(before), &lines(after));
    }
    text
}

struct Part<'a> {
    title: &'a str,
    lines: Vec<&'a str>,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for line in text.lines() {
        match parts.last_mut() {
            Some(part) if line.is_empty() || line.starts_with(' ') => part.lines.push(line),
            _ => parts.push(Part {
                title: line,
                lines: Vec::new(),
            }),
        }
    }
    // The empty line before the next part is no line of this one.
    for part in &mut parts {
        while part.lines.pop_if(|line| line.is_empty()).is_some() {}
    }
    parts
}

fn titled(text: &mut String, title: &str, what: &str) {
    let _ = writeln!(text, "{title}: {what}");
}

fn signed(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines.iter().take(MOST) {
        let _ = writeln!(text, "{}", format!("{sign} {line}").trim_end());
    }
    if let Some(more) = lines.len().checked_sub(MOST).filter(|more| *more > 0) {
        let _ = writeln!(text, "{sign} … {more} more lines");
    }
}

fn changed(text: &mut String, before: &[&str], after: &[&str]) {
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let start = before.iter().zip(after).take_while(same).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev());
    let end = end.take(rest).take_while(same).count();
    let middle = |lines: &[&'_ str]| start..lines.len() - end;
    let around = |lines: &[&str], from: usize, to: usize, text: &mut String| {
        signed(text, ' ', lines.get(from..to).unwrap_or_default());
    };
    around(after, start.saturating_sub(AROUND), start, text);
    signed(text, '-', before.get(middle(before)).unwrap_or_default());
    signed(text, '+', after.get(middle(after)).unwrap_or_default());
    let last = after.len() - end;
    around(after, last, after.len().min(last + AROUND), text);
}

#[cfg(test)]
mod tests {
    use super::changes;

    const BEFORE: &str = "head\n\nsystem\n    Be brief.\n\ntool a\n  description\n    Old.\n  schema\n    {}\n\ntool b\n    x\n";

    #[test]
    fn each_part_is_compared_with_itself() {
        let after = "head\n\nsystem\n    Be brief.\n\ntool c\n    y\n\ntool a\n  description\n    New.\n\n    Two.\n  schema\n    {}\n";
        assert_eq!(
            changes(BEFORE, after),
            "\
tool b: is gone
-     x
tool c: is new
+     y
tool a: has changed
    description
-     Old.
+     New.
+
+     Two.
    schema
      {}
"
        );
    }

    #[test]
    fn another_order_is_a_change_too() {
        let text = changes("head\na\n  1\nb\n  2\n", "head\nb\n  2\na\n  1\n");
        assert_eq!(
            text,
            "  head\n- a\n-   1\n- b\n-   2\n+ b\n+   2\n+ a\n+   1\n"
        );
    }

    #[test]
    fn long_parts_are_cut() {
        let long = format!("head\ntool a\n{}", "  x\n".repeat(100));
        let text = changes("head\n", &long);
        assert_eq!(text.lines().count(), 42);
        assert!(text.ends_with("+ … 60 more lines\n"), "{text}");
    }
}
