//! Doc comments as the model reads them.

use proc_macro2::Span;
use syn::{Attribute, Meta, spanned::Spanned};

use crate::text_macros;

/// A doc comment taken apart.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    /// The first paragraph, its lines joined.
    pub(crate) summary: String,
    /// The first paragraph of `# Snippet`.
    pub(crate) snippet: Option<String>,
    /// The rules in `# Guidelines`: one for each list item or paragraph.
    pub(crate) guidelines: Vec<String>,
    /// Where a part stands that is computed.
    pub(crate) computed: Option<Span>,
}

/// What is said where a description is computed: no macro can read it.
pub(crate) const COMPUTED: &str = "a description can be read from a text, `concat!` and `stringify!`, and this is something \
     else; write a doc comment, or `description = \"…\"` in `#[tool(...)]`";

/// Reads the doc comment among attributes. Docs that only the compiler can read
/// (`#[doc = include_str!(…)]`) are for people, not for the model.
pub(crate) fn read(attributes: &[Attribute]) -> Docs {
    let lines = lines(attributes);
    let mut docs = Docs {
        computed: attributes.iter().find_map(computed),
        ..Docs::default()
    };
    let mut section = None;
    let mut fenced = false;
    let mut body: Vec<&str> = Vec::new();
    for line in &lines {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        if !fenced && let Some(title) = heading(trimmed) {
            docs.take(section.as_deref(), &body);
            body.clear();
            section = Some(title.to_ascii_lowercase());
        } else {
            body.push(line);
        }
    }
    docs.take(section.as_deref(), &body);
    docs
}

/// The first paragraph of a doc comment.
pub(crate) fn summary(attributes: &[Attribute]) -> String {
    read(attributes).summary
}

/// Where a doc comment starts that has nothing in it.
pub(crate) fn empty(attributes: &[Attribute]) -> Option<Span> {
    let is_empty = lines(attributes).iter().all(|line| line.trim().is_empty());
    let is_text =
        |attribute: &&Attribute| is_doc(attribute) && matches!(attribute.meta, Meta::NameValue(_));
    let first = attributes.iter().find(is_text)?;
    let is_read = attributes
        .iter()
        .all(|attribute| computed(attribute).is_none());
    (is_empty && is_read).then(|| first.span())
}

/// Whether an attribute is a doc comment, or `#[doc(…)]`.
fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

impl Docs {
    fn take(&mut self, section: Option<&str>, body: &[&str]) {
        match section {
            None => self.summary = first_paragraph(body),
            Some("snippet") => self.snippet = Some(first_paragraph(body)).filter(|s| !s.is_empty()),
            Some("guidelines") => self.guidelines = rules(body),
            Some(_) => {}
        }
    }
}

/// Where a doc comment cannot be read.
fn computed(attribute: &Attribute) -> Option<Span> {
    match &attribute.meta {
        Meta::NameValue(meta) if is_doc(attribute) && text_macros::text(&meta.value).is_none() => {
            Some(meta.value.span())
        }
        _ => None,
    }
}

fn lines(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| is_doc(attribute)) {
        let Meta::NameValue(meta) = &attribute.meta else {
            continue;
        };
        if let Some(text) = text_macros::text(&meta.value) {
            lines.extend(comment(&text));
        }
    }
    lines
}

/// The lines of one comment: without the space after `///`, or without the stars that start the lines
/// of `/** … */`, if all of them do.
fn comment(text: &str) -> Vec<String> {
    let Some((first, rest)) = text.split_once('\n') else {
        return vec![text.strip_prefix(' ').unwrap_or(text).to_owned()];
    };
    let starred = rest
        .lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('*'));
    let rest = rest.lines().map(|line| match line.trim_start() {
        line if starred => line.strip_prefix('*').unwrap_or(line),
        _ => line,
    });
    std::iter::once(first)
        .chain(rest)
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
        .collect()
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (1..=6)
        .contains(&level)
        .then(|| title.strip_prefix(' '))
        .flatten()
        .map(str::trim)
}

fn first_paragraph(body: &[&str]) -> String {
    paragraphs(body).into_iter().next().unwrap_or_default()
}

/// Paragraphs with their lines joined by spaces.
fn paragraphs(body: &[&str]) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let mut current = String::new();
    for line in body.iter().map(|line| line.trim()) {
        if line.is_empty() {
            if !current.is_empty() {
                paragraphs.push(std::mem::take(&mut current));
            }
            continue;
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(line);
    }
    if !current.is_empty() {
        paragraphs.push(current);
    }
    paragraphs
}

/// One rule for each list item; text that is no list is one rule a paragraph.
fn rules(body: &[&str]) -> Vec<String> {
    let mut separated: Vec<&str> = Vec::new();
    for line in body {
        let trimmed = line.trim_start();
        match trimmed
            .strip_prefix("- ")
            .or_else(|| trimmed.strip_prefix("* "))
        {
            Some(item) => {
                separated.push("");
                separated.push(item);
            }
            None => separated.push(line),
        }
    }
    paragraphs(&separated)
}

#[cfg(test)]
mod tests {
    use syn::{ItemStruct, parse_quote};

    use super::read;

    #[test]
    fn sections_are_told_apart() {
        let item: ItemStruct = parse_quote! {
            /// First line,
            /// second line.
            ///
            /// For people.
            ///
            /// # Snippet
            ///
            /// `stock("A")`
            ///
            /// # Guidelines
            ///
            /// - One rule
            ///   on two lines.
            /// * Another.
            ///
            /// A third.
            ///
            /// # Examples
            ///
            /// ```
            /// # Guidelines
            /// not a rule
            /// ```
            ///
            /// # Errors
            ///
            /// Never.
            struct Item;
        };
        let docs = read(&item.attrs);
        assert_eq!(docs.summary, "First line, second line.");
        assert_eq!(docs.snippet.as_deref(), Some("`stock(\"A\")`"));
        assert_eq!(
            docs.guidelines,
            ["One rule on two lines.", "Another.", "A third."]
        );
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let item: ItemStruct = parse_quote! {
            #[doc = "\n * First.\n *\n * Second.\n "]
            struct Item;
        };
        assert_eq!(read(&item.attrs).summary, "First.");
    }

    #[test]
    fn no_docs_and_computed_docs_are_empty() {
        let item: ItemStruct = parse_quote! {
            #[doc = include_str!("x")]
            #[doc(hidden)]
            struct Item;
        };
        assert_eq!(read(&item.attrs).summary, "");
    }
}
