//! The keys of `#[tool(...)]`, read but not yet judged.

use proc_macro2::{Ident, TokenStream};
use syn::{LitStr, Path};

use crate::{
    diagnostics::Diagnostics,
    keys::{self, Key},
};

const KEYS: &[&str] = &[
    "name",
    "type",
    "description",
    "snippet",
    "guidelines",
    "deferred",
    "toolset",
    "unlinked",
    "crate",
    "allow",
];

const ALLOWED: &[&str] = &["undocumented"];

/// What `#[tool(...)]` says.
#[derive(Default)]
pub(crate) struct Attr {
    pub(crate) name: Option<LitStr>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) description: Option<LitStr>,
    pub(crate) snippet: Option<LitStr>,
    pub(crate) guidelines: Option<Vec<LitStr>>,
    pub(crate) deferred: bool,
    pub(crate) toolset: Option<LitStr>,
    pub(crate) unlinked: bool,
    pub(crate) crate_path: Option<Path>,
    pub(crate) undocumented: bool,
    /// Whether something in it could not be read.
    pub(crate) broken: bool,
}

impl Attr {
    pub(crate) fn parse(tokens: TokenStream, found: &mut Diagnostics) -> Attr {
        let before = found.count();
        let mut attr = Attr::default();
        for key in keys::parse(tokens, KEYS, found) {
            if let Err(error) = attr.set(&key) {
                found.push(error);
            }
        }
        attr.broken = found.count() > before;
        attr
    }

    fn set(&mut self, key: &Key) -> syn::Result<()> {
        match key.name().as_str() {
            "name" => self.name = Some(key.text()?),
            "type" => self.type_name = Some(key.ident_value()?),
            "description" => self.description = Some(key.text()?),
            "snippet" => self.snippet = Some(key.text()?),
            "guidelines" => self.guidelines = Some(key.texts()?),
            "deferred" => self.deferred = key.flag()?,
            "toolset" => self.toolset = Some(key.text()?),
            "unlinked" => self.unlinked = key.flag()?,
            "crate" => self.crate_path = Some(key.path()?),
            "allow" => {
                for name in key.idents()? {
                    if name != "undocumented" {
                        return Err(syn::Error::new(
                            name.span(),
                            keys::unknown("exception", &name.to_string(), ALLOWED),
                        ));
                    }
                    self.undocumented = true;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
