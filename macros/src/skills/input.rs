//! What is written between the parentheses of `skills!`.

use proc_macro2::{Span, TokenStream, TokenTree};
use repertoire_skillmd::{CheckOptions, Kind, Profile, nearest::nearest};
use syn::{
    Attribute, Ident, LitStr, Path, Token, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::{diagnostics::Diagnostics, externs, keys};

/// The keys that may follow the folders.
const KEYS: &[&str] = &["profile", "deny", "allow", "untracked", "crate"];

/// What is written between the parentheses of `skills!`.
pub(super) struct Input {
    /// `pub static MINE =`
    pub(super) name: Option<Name>,
    /// Never empty.
    pub(super) folders: Vec<LitStr>,
    pub(super) options: Options,
}

pub(super) struct Name {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
}

pub(super) struct Options {
    pub(super) check: CheckOptions<'static>,
    pub(super) untracked: bool,
    /// Where the runtime crate is.
    pub(super) krate: Path,
}

/// Reads the input. `None` where not even a folder is there; the mistake is then reported.
pub(super) fn parse(tokens: TokenStream, found: &mut Diagnostics) -> Option<Input> {
    let read = |input: ParseStream<'_>| -> syn::Result<(Option<Name>, Vec<LitStr>, TokenStream)> {
        let name = name(input)?;
        let folders = folders(input)?;
        Ok((name, folders, input.parse()?))
    };
    match read.parse2(tokens) {
        Ok((name, folders, rest)) => Some(Input {
            name,
            folders,
            options: options(rest, found),
        }),
        Err(error) => {
            found.push(error);
            None
        }
    }
}

fn name(input: ParseStream<'_>) -> syn::Result<Option<Name>> {
    if input.peek(syn::LitStr) {
        return Ok(None);
    }
    if input.is_empty() {
        return Err(syn::Error::new(
            Span::call_site(),
            "expected a folder of skills: `skills!(\"skills/\")`",
        ));
    }
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility: Visibility = input.parse()?;
    if !input.peek(Token![static]) {
        let stray: TokenTree = input.parse()?;
        return Err(syn::Error::new(
            stray.span(),
            "expected a folder in quotes, or `static NAME = \"folder/\"`",
        ));
    }
    input.parse::<Token![static]>()?;
    let ident = input.call(Ident::parse_any)?;
    if input.peek(Token![:]) {
        let colon: Token![:] = input.parse()?;
        return Err(syn::Error::new_spanned(
            colon,
            "the type is known; write `static NAME = \"folder/\"`",
        ));
    }
    input.parse::<Token![=]>()?;
    Ok(Some(Name {
        attributes,
        visibility,
        ident,
    }))
}

fn folders(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let mut folders: Vec<LitStr> = Vec::new();
    loop {
        if !input.peek(LitStr) {
            if folders.is_empty() {
                return Err(input.error("expected a folder in quotes, relative to `Cargo.toml`"));
            }
            return Ok(folders);
        }
        let folder: LitStr = input.parse()?;
        if folders.iter().any(|known| known.value() == folder.value()) {
            return Err(syn::Error::new_spanned(
                folder,
                "this folder is given twice",
            ));
        }
        folders.push(folder);
        if input.is_empty() {
            return Ok(folders);
        }
        input.parse::<Token![,]>()?;
    }
}

fn options(tokens: TokenStream, found: &mut Diagnostics) -> Options {
    let mut options = Options {
        check: CheckOptions::new(),
        untracked: false,
        krate: externs::own(),
    };
    for key in keys::parse(tokens, KEYS, found) {
        let done = match key.name().as_str() {
            "profile" => profile(&key).map(|profile| {
                options.check = options.check.clone().profile(profile);
            }),
            "untracked" => key.flag().map(|on| options.untracked = on),
            "crate" => key.path().map(|path| options.krate = path),
            // `keys::parse` lets through no others.
            _ => lints(&key, &mut options.check, found),
        };
        if let Err(error) = done {
            found.push(error);
        }
    }
    options
}

fn profile(key: &keys::Key) -> syn::Result<Profile> {
    let text = key.text()?;
    text.value().parse().map_err(|_| {
        let names = Profile::ALL.map(Profile::name);
        syn::Error::new_spanned(&text, keys::unknown("profile", &text.value(), &names))
    })
}

/// `deny(lints)`, `deny(unexpected-field, dead-link)`, `allow(unexpected-field)`.
fn lints(
    key: &keys::Key,
    check: &mut CheckOptions<'static>,
    found: &mut Diagnostics,
) -> syn::Result<()> {
    let keys::Value::List(group) = &key.value else {
        return Err(key.wrong_value("takes names of lints in parentheses: `(unexpected-field)`"));
    };
    let names = Punctuated::<LintName, Token![,]>::parse_terminated.parse2(group.stream())?;
    for name in names {
        let deny = key.name() == "deny";
        if deny && name.text == "lints" {
            *check = check.clone().deny_lints();
            continue;
        }
        match name.text.parse::<Kind>() {
            Ok(kind) if kind.is_lint() && deny => *check = check.clone().deny(kind),
            Ok(kind) if kind.is_lint() => *check = check.clone().allow(kind),
            Ok(kind) => found.at_span(
                name.span,
                format!("`{kind}` is a rule and no lint; another profile may not have it"),
            ),
            Err(_) => found.at_span(name.span, unknown_lint(&name.text, deny)),
        }
    }
    Ok(())
}

fn unknown_lint(name: &str, deny: bool) -> String {
    let mut known: Vec<&str> = Kind::ALL
        .iter()
        .filter(|kind| kind.is_lint())
        .map(|kind| kind.name())
        .collect();
    if deny {
        known.push("lints");
    }
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown lint `{name}`, did you mean `{near}`?"),
        None => format!("unknown lint `{name}`; there are {}", known.join(", ")),
    }
}

/// A name such as `dead-link`: words with `-` or `_` between, or a text.
struct LintName {
    text: String,
    span: Span,
}

impl syn::parse::Parse for LintName {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Self {
                text: text.value(),
                span: text.span(),
            });
        }
        let first = input.call(Ident::parse_any)?;
        let mut text = first.to_string();
        while input.peek(Token![-]) {
            input.parse::<Token![-]>()?;
            text.push('-');
            text.push_str(&input.call(Ident::parse_any)?.to_string());
        }
        Ok(Self {
            text: text.replace('_', "-"),
            span: first.span(),
        })
    }
}
