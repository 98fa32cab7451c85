//! Advice on descriptions: what is no mistake and yet of little use to a model.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// The most characters that every provider keeps.
const LONGEST: usize = 1024;

/// What may be said in `allow(...)` of a tool or a type.
pub(crate) const NAMES: &[&str] = &["long_description", "repeated_name", "empty_description"];

/// A warning, if a description could be better and nobody said that it is fine.
pub(crate) fn warn(
    what: &str,
    name: &str,
    description: &str,
    allowed: &[String],
    place: &str,
    span: Span,
) -> Option<TokenStream> {
    let (lint, problem) = problem(name, description)?;
    let is_allowed = allowed.iter().any(|allowed| allowed == lint);
    (!is_allowed).then(|| warning(&message(what, name, &problem, lint, place), span))
}

/// A warning, unless it was said that it is fine, where a doc comment is there and says nothing.
pub(crate) fn warn_empty(
    what: &str,
    name: &str,
    allowed: &[String],
    place: &str,
    span: Span,
) -> Option<TokenStream> {
    let lint = "empty_description";
    let problem = "is empty; say something, or take the comment away";
    let is_allowed = allowed.iter().any(|allowed| allowed == lint);
    (!is_allowed).then(|| warning(&message(what, name, problem, lint, place), span))
}

fn message(what: &str, name: &str, problem: &str, lint: &str, place: &str) -> String {
    format!(
        "the description of the {what} `{name}` {problem}; silence this with `allow({lint})` in \
         `#[{place}(...)]`"
    )
}

/// The name of the lint, and what is wrong. Nothing is said of an empty text: that is an error, or was
/// asked for.
fn problem(name: &str, text: &str) -> Option<(&'static str, String)> {
    let length = text.chars().count();
    if length > LONGEST {
        let problem = format!("has {length} characters, and some providers cut it after 1,024");
        return Some(("long_description", problem));
    }
    let bare = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let repeats = !text.is_empty() && bare(text) == bare(name);
    repeats.then(|| {
        let problem = "repeats its name; say what the model cannot know from that".to_owned();
        ("repeated_name", problem)
    })
}

/// A constant that is deprecated and used, which is how a macro can warn.
fn warning(text: &str, span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #text)]
            const DESCRIPTION: () = ();
            DESCRIPTION
        };
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn what_is_long_or_repeats_the_name_is_advised_against() {
        let lint = |name, text: &str| problem(name, text).map(|(lint, _)| lint);
        assert_eq!(lint("stock", &"ä".repeat(1024)), None);
        assert_eq!(lint("stock", &"ä".repeat(1025)), Some("long_description"));
        assert_eq!(
            lint("warehouse_stock", "Warehouse stock."),
            Some("repeated_name")
        );
        assert_eq!(lint("stock", "The stock of a shop."), None);
        assert_eq!(lint("_", ""), None);
    }
}
