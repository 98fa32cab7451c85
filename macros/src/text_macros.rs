//! Text that is put together by `concat!`, `stringify!` and `env!`, as the macros of users write it.
//! What these say stands in their tokens, so a macro can read it before the compiler does.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Lit, LitStr, Path, Token, UnOp, parse::Parser, punctuated::Punctuated};

/// The text of an expression, if it is one that can be read.
pub(crate) fn text(expression: &Expr) -> Option<String> {
    match peel(expression) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Macro(called) => call(&called.mac.path, called.mac.tokens.clone()),
        _ => None,
    }
}

/// The expression behind the invisible groups that `macro_rules` leave.
fn peel(mut expression: &Expr) -> &Expr {
    loop {
        expression = match expression {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => &paren.expr,
            other => return other,
        };
    }
}

fn call(path: &Path, tokens: TokenStream) -> Option<String> {
    let of_the_language = ["core", "std", "alloc"];
    let mut segments = path.segments.iter().rev();
    let name = segments.next()?.ident.to_string();
    let is_known =
        segments.all(|segment| of_the_language.iter().any(|known| segment.ident == known));
    match name.as_str() {
        _ if !is_known => None,
        "stringify" => Some(tokens.to_string()),
        "concat" => {
            let parts = Punctuated::<Expr, Token![,]>::parse_terminated;
            parts.parse2(tokens).ok()?.iter().map(part).collect()
        }
        // What Cargo says of the package is the same until it asks for another build.
        "env" => {
            let name = syn::parse2::<LitStr>(tokens).ok()?.value();
            let is_kept = name.starts_with("CARGO_PKG_");
            is_kept.then(|| std::env::var(name).ok())?
        }
        _ => None,
    }
}

/// One of the literals that `concat!` takes, as text.
fn part(expression: &Expr) -> Option<String> {
    match peel(expression) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            Lit::Char(letter) => Some(letter.value().to_string()),
            Lit::Int(number) => Some(number.base10_digits().to_owned()),
            Lit::Float(number) => Some(number.base10_digits().to_owned()),
            Lit::Bool(value) => Some(value.value.to_string()),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let number = part(&unary.expr)?;
            let is_number = number.starts_with(|first: char| first.is_ascii_digit());
            is_number.then(|| format!("{}{number}", unary.op.to_token_stream()))
        }
        other => text(other),
    }
}

#[cfg(test)]
mod tests {
    use syn::{Expr, parse_quote};

    use super::text;

    #[test]
    fn what_stands_in_the_tokens_is_read() {
        let cases: [(Expr, &str); 6] = [
            (parse_quote!("plain"), "plain"),
            (
                parse_quote!(concat!("a", 'b', 1_0u8, -2, 1.5, true,)),
                "ab10-21.5true",
            ),
            (parse_quote!(concat!()), ""),
            (
                parse_quote!(std::concat!("the ", stringify!(bus), ".")),
                "the bus.",
            ),
            (parse_quote!(::core::stringify!(match)), "match"),
            (parse_quote!(env!("CARGO_PKG_NAME")), env!("CARGO_PKG_NAME")),
        ];
        for (expression, expected) in cases {
            assert_eq!(text(&expression).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_needs_the_compiler_is_not() {
        let cases: [Expr; 7] = [
            parse_quote!(include_str!("x")),
            parse_quote!(mine::concat!("a")),
            parse_quote!(concat!("a", NAME)),
            parse_quote!(concat!("a", -"b")),
            parse_quote!(env!("PATH")),
            parse_quote!(5),
            parse_quote!(NAME),
        ];
        for expression in cases {
            assert_eq!(text(&expression), None);
        }
    }
}
