//! Advice on descriptions: what is no mistake and yet of little use to a model.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::model::Tool;

/// The most characters that every provider keeps.
const LONGEST: usize = 1024;

/// One warning for each description that could be better.
pub(super) fn warnings(tool: &Tool) -> TokenStream {
    let mut warnings = TokenStream::new();
    let mut judge = |what: &str, name: &str, text: &str, span: Span| {
        let Some((lint, problem)) = problem(name, text) else {
            return;
        };
        if !tool.allowed.iter().any(|allowed| allowed == lint) {
            let message = format!(
                "the description of the {what} `{name}` {problem}; silence this with \
                 `allow({lint})` in `#[tool(...)]`"
            );
            warnings.extend(warning(&message, span));
        }
    };
    let description = &tool.description;
    judge("tool", &tool.name.text, &description.text, description.span);
    for (parameter, _) in tool.arguments() {
        let (name, span) = (&parameter.name.text, parameter.ident.span());
        judge("parameter", name, &parameter.description, span);
    }
    warnings
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
