//! What other crates are called here, from the compiler's own command line. Where that is not known,
//! as in an editor, nothing is said and the crate is called `repertoire`.

use std::{cell::OnceCell, env, fs};

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use repertoire_skillmd::nearest::nearest;
use syn::{Path, parse_quote};

use crate::source::Place;

/// The crate itself, and what its file is called.
const OWN: &str = "repertoire";
const FILE: &str = "librepertoire";
/// What is there without being asked for, and what is not the name of a crate.
const ALWAYS: &[&str] = &[
    "std",
    "core",
    "alloc",
    "proc_macro",
    "test",
    "crate",
    "self",
    "super",
    "Self",
];

thread_local! {
    static COMMAND: OnceCell<Option<Command>> = const { OnceCell::new() };
}

/// What the compiler was told.
#[derive(Debug, Default, PartialEq)]
struct Command {
    /// The crate that is compiled.
    name: String,
    /// The text of its root file.
    root: String,
    externs: Vec<Extern>,
}

/// A crate that can be named.
#[derive(Debug, PartialEq)]
struct Extern {
    name: String,
    file: String,
}

/// Where the crate is: what a key says, or the name that it has among the dependencies.
pub(crate) fn path(key: Option<&Path>) -> TokenStream {
    key.map_or_else(|| own().into_token_stream(), ToTokens::into_token_stream)
}

/// Whether a path names the attribute `#[tool]`, and not one of that name in another crate.
pub(crate) fn is_tool(path: &Path) -> bool {
    let names: Vec<&Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
    match names.as_slice() {
        [tool] => *tool == "tool",
        [first, tool] => {
            let own = own();
            let own = own.segments.last().map(|segment| &segment.ident);
            *tool == "tool" && (*first == OWN || Some(*first) == own)
        }
        _ => false,
    }
}

/// The crate under the name that it has among the dependencies.
pub(crate) fn own() -> Path {
    let name = with(|command| command.renamed().map(str::to_owned)).flatten();
    let name = Ident::new(name.as_deref().unwrap_or(OWN), Span::call_site());
    parse_quote!(::#name)
}

/// Why the crate is not there.
pub(crate) fn problem(key: Option<&Path>) -> Option<syn::Error> {
    let Some(path) = key else {
        let is_missing = with(Command::is_missing).unwrap_or_default();
        return is_missing.then(|| {
            syn::Error::new(
                Span::call_site(),
                "`repertoire` is no dependency of this crate; add it to `Cargo.toml`, or say with \
                 `crate = path` where another crate gives it on",
            )
        });
    };
    let first = &path.segments.first()?.ident;
    let name = first.to_string();
    let names = |command: &Command| {
        let names = command.externs.iter().map(|known| known.name.as_str());
        nearest(&name, names).map(str::to_owned)
    };
    let near = is_nothing(path).then(|| with(names).flatten())?;
    let message = format!(
        "nothing is called `{name}` here, where the `repertoire` crate should be{}",
        meant(near)
    );
    Some(syn::Error::new(first.span(), message))
}

/// Why a path to a function, which a key names, leads nowhere.
pub(crate) fn no_function(key: &str, path: &Path) -> Option<syn::Error> {
    let first = &path.segments.first()?.ident;
    let name = first.to_string();
    let near = is_nothing(path).then(|| Place::of(first.span())?.near_function(&name))?;
    let message = format!(
        "nothing is called `{name}` here, where `{key}` needs a function{}",
        meant(near)
    );
    Some(syn::Error::new(first.span(), message))
}

fn meant(near: Option<String>) -> String {
    near.map_or_else(String::new, |near| format!(", did you mean `{near}`?"))
}

/// Whether a path certainly leads nowhere.
fn is_nothing(path: &Path) -> bool {
    let Some(first) = path.segments.first() else {
        return false;
    };
    with(|command| {
        let may_be_here = path.leading_colon.is_none() && may_be_here(&first.ident);
        !may_be_here && !command.knows(&first.ident.to_string())
    })
    .unwrap_or_default()
}

/// Whether a file may have a name from somewhere else than the dependencies.
fn may_be_here(name: &Ident) -> bool {
    Place::of(name.span()).is_none_or(|place| place.may_mean(&name.to_string()))
}

fn with<T>(ask: impl FnOnce(&Command) -> T) -> Option<T> {
    // Elsewhere, the command line is that of another program.
    if !proc_macro::is_available() {
        return None;
    }
    COMMAND.with(|command| {
        command
            .get_or_init(|| Command::of(env::args_os().filter_map(|arg| arg.into_string().ok())))
            .as_ref()
            .map(ask)
    })
}

impl Command {
    /// Reads the command line, if it is one of the compiler.
    fn of(arguments: impl Iterator<Item = String>) -> Option<Command> {
        let mut all = Vec::new();
        for argument in arguments {
            match argument.strip_prefix('@') {
                Some(file) => all.extend(fs::read_to_string(file).ok()?.lines().map(str::to_owned)),
                None => all.push(argument),
            }
        }
        let mut command = Command::default();
        let mut is_known = false;
        let mut arguments = all.into_iter();
        while let Some(argument) = arguments.next() {
            let (key, value) = match argument.split_once('=') {
                Some((key @ ("--extern" | "--crate-name"), value)) => (key, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            match key {
                "--extern" => command
                    .externs
                    .extend(Extern::of(&value.or_else(|| arguments.next())?)),
                "--crate-name" => {
                    command.name = value.or_else(|| arguments.next())?;
                    is_known = true;
                }
                _ if argument.ends_with(".rs") && !argument.starts_with('-') => {
                    command.root = fs::read_to_string(&argument).unwrap_or_default();
                }
                _ => {}
            }
        }
        is_known.then_some(command)
    }

    /// Whether a crate can be named so.
    fn knows(&self, name: &str) -> bool {
        let given = |known: &Extern| known.name == name;
        // `$crate` is the crate of a macro.
        let is_always = ALWAYS.contains(&name) || name.starts_with('$');
        is_always || self.externs.iter().any(given) || self.imports(name)
    }

    /// Whether the root file may give a crate another name: `extern crate kit as name`.
    fn imports(&self, name: &str) -> bool {
        let words = self.root.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let named = |words: &[&str]| match words {
            [_, "as", last] | ["extern", "crate", last] => *last == name,
            _ => false,
        };
        words.windows(3).any(named)
    }

    /// The name of the crate, where it has another one.
    fn renamed(&self) -> Option<&str> {
        if self.knows(OWN) || self.name == OWN {
            return None;
        }
        let mut found = self.externs.iter().filter(|known| known.is_own());
        found.next().map(|known| known.name.as_str())
    }

    fn is_missing(&self) -> bool {
        !self.knows(OWN) && self.name != OWN && self.renamed().is_none()
    }
}

impl Extern {
    /// Reads `name`, `name=file` or `options:name=file`.
    fn of(text: &str) -> Option<Extern> {
        let (name, file) = text.split_once('=').unwrap_or((text, ""));
        let name = name.rsplit(':').next()?;
        Some(Extern {
            name: name.to_owned(),
            file: file.to_owned(),
        })
    }

    fn is_own(&self) -> bool {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let rest = file.strip_prefix(FILE);
        rest.is_some_and(|rest| rest.starts_with(['-', '.']))
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    fn command(text: &str) -> Option<Command> {
        Command::of(text.split(' ').map(str::to_owned))
    }

    #[test]
    fn the_crate_is_found_under_the_name_it_has() {
        let here = |name: &str| {
            let externs = format!(
                "--extern {name}=/a/librepertoire-12ab.rmeta --extern serde=/a/libserde-1.rlib"
            );
            command(&format!("rustc --crate-name mine src/none.rs {externs}")).unwrap()
        };
        assert_eq!(here("repertoire").renamed(), None);
        assert!(!here("repertoire").is_missing());
        assert_eq!(here("rp").renamed(), Some("rp"));
        assert_eq!(here("priv,noprelude:rp").renamed(), Some("rp"));
        assert!(!here("rp").is_missing());
        assert!(here("rp").knows("serde") && !here("rp").knows("nowhere"));
    }

    #[test]
    fn it_is_missing_only_where_nothing_may_be_it() {
        let is_missing = |text: &str| command(text).map(|command| command.is_missing());
        assert_eq!(
            is_missing("rustc --crate-name=mine --extern=serde"),
            Some(true)
        );
        assert_eq!(is_missing("rustc --crate-name repertoire"), Some(false));
        let other = "--extern x=/a/librepertoire_macros-1.so";
        assert_eq!(
            is_missing(&format!("rustc --crate-name mine {other}")),
            Some(true)
        );
        assert_eq!(is_missing("rust-analyzer-proc-macro-srv"), None);
        assert_eq!(is_missing("rustc @no-such-file --crate-name mine"), None);
    }

    #[test]
    fn another_name_in_the_root_file_counts() {
        let root = |text: &str| Command {
            root: text.to_owned(),
            ..Command::default()
        };
        assert!(root("extern crate kit as repertoire;").knows("repertoire"));
        assert!(root("extern crate  repertoire ;").knows("repertoire"));
        assert!(!root("use repertoire::tool; #[tool(crate = repertoire)]").knows("repertoire"));
    }
}
