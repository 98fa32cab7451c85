//! The keys of `#[tool(...)]`, read but not yet judged.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{LitStr, Path};

use super::{
    flags::Flags,
    policy::{self, Policy},
};
use crate::{
    diagnostics::Diagnostics,
    keys::{self, Key},
    literal::Number,
};

pub(crate) const KEYS: &[&str] = &[
    "name",
    "type",
    "description",
    "snippet",
    "guidelines",
    "deferred",
    "group",
    "toolset",
    "tags",
    "version",
    "author",
    "enabled",
    "unlinked",
    "deprecated",
    "blocking",
    "strict",
    "unknown",
    "read_only",
    "destructive",
    "requires_approval",
    "open_world",
    "max_schema",
    "serial",
    "timeout",
    "deadline",
    "retries",
    "backoff",
    "fallback",
    "repeatable",
    "once",
    "post_process",
    "max_output",
    "crate",
    "allow",
];

const ALLOWED: &[&str] = &["undocumented", "long_description", "repeated_name"];
const DEPRECATED: &[&str] = &["note", "replaced_by"];

/// What `#[tool(...)]` says.
pub(crate) struct Attr {
    pub(crate) name: Option<LitStr>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) description: Option<LitStr>,
    pub(crate) snippet: Option<LitStr>,
    pub(crate) guidelines: Option<Vec<LitStr>>,
    pub(crate) group: Option<LitStr>,
    pub(crate) toolset: Option<LitStr>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) author: Option<LitStr>,
    pub(crate) flags: Flags,
    pub(crate) enabled: bool,
    pub(crate) unlinked: bool,
    /// Where it says that keys which no parameter has are let through.
    pub(crate) keeps_unknown: Option<Span>,
    pub(crate) deprecated: Option<Deprecated>,
    pub(crate) max_schema: Option<(usize, Span)>,
    pub(crate) policy: Policy,
    pub(crate) fallback: Option<Path>,
    pub(crate) crate_path: Option<Path>,
    pub(crate) undocumented: bool,
    /// The advice that is not wanted.
    pub(crate) allowed: Vec<String>,
    /// Whether something in it could not be read.
    pub(crate) broken: bool,
}

/// What `deprecated(...)` says.
pub(crate) struct Deprecated {
    pub(crate) note: LitStr,
    pub(crate) replaced_by: Option<Path>,
}

impl Attr {
    pub(crate) fn parse(tokens: TokenStream, found: &mut Diagnostics) -> Attr {
        let before = found.count();
        let mut attr = Attr::empty();
        for key in keys::parse(tokens, KEYS, found) {
            if let Err(error) = attr.set(&key, found) {
                found.push(error);
            }
        }
        attr.broken = found.count() > before;
        attr
    }

    fn empty() -> Attr {
        Attr {
            name: None,
            type_name: None,
            description: None,
            snippet: None,
            guidelines: None,
            group: None,
            toolset: None,
            tags: Vec::new(),
            version: None,
            author: None,
            flags: Flags::default(),
            enabled: true,
            unlinked: false,
            keeps_unknown: None,
            deprecated: None,
            max_schema: None,
            policy: Policy::default(),
            fallback: None,
            crate_path: None,
            undocumented: false,
            allowed: Vec::new(),
            broken: false,
        }
    }

    fn set(&mut self, key: &Key, found: &mut Diagnostics) -> syn::Result<()> {
        match key.name().as_str() {
            "name" => self.name = Some(key.text()?),
            "type" => self.type_name = Some(key.ident_value()?),
            "description" => self.description = Some(key.text()?),
            "snippet" => self.snippet = Some(key.text()?),
            "guidelines" => self.guidelines = Some(key.texts()?),
            "group" => self.group = Some(key.text()?),
            "toolset" => self.toolset = Some(key.text()?),
            "tags" => self.tags = key.text_list()?,
            "version" => self.version = Some(key.text()?),
            "author" => self.author = Some(key.text()?),
            "enabled" => self.enabled = key.flag()?,
            "unlinked" => self.unlinked = key.flag()?,
            "unknown" => self.keeps_unknown = keeps_unknown(key)?,
            "deprecated" => self.deprecated = Some(deprecated(key, found)?),
            "max_schema" => self.max_schema = Some(bytes(key)?),
            "fallback" => self.fallback = Some(key.path()?),
            name if policy::KEYS.contains(&name) => self.policy.set(key, found)?,
            "crate" => self.crate_path = Some(key.path()?),
            "allow" => {
                self.allowed = key.known_idents("exception", ALLOWED)?;
                self.undocumented = self.allowed.iter().any(|name| name == "undocumented");
            }
            flag => self.flags.set(flag, key.flag()?, key.ident.span()),
        }
        Ok(())
    }
}

fn deprecated(key: &Key, found: &mut Diagnostics) -> syn::Result<Deprecated> {
    let wrong = || key.wrong_value("takes `(note = \"…\")`, and `replaced_by = path` where one is");
    let keys::Value::List(group) = &key.value else {
        return Err(wrong());
    };
    let mut note = None;
    let mut replaced_by = None;
    for key in keys::parse(group.stream(), DEPRECATED, found) {
        match key.name().as_str() {
            "note" => note = Some(key.text()?),
            _ => replaced_by = Some(key.path()?),
        }
    }
    Ok(Deprecated {
        note: note.ok_or_else(wrong)?,
        replaced_by,
    })
}

fn keeps_unknown(key: &Key) -> syn::Result<Option<Span>> {
    let wrong = || key.wrong_value("takes `\"refuse\"`, as it is without the key, or `\"keep\"`");
    let text = key.text().map_err(|_| wrong())?;
    match text.value().as_str() {
        "refuse" => Ok(None),
        "keep" => Ok(Some(text.span())),
        _ => Err(wrong()),
    }
}

fn bytes(key: &Key) -> syn::Result<(usize, Span)> {
    let bytes = key.number().and_then(|literal| match literal.number {
        Some(Number::Whole(bytes)) => Some((usize::try_from(bytes).ok()?, literal.span)),
        _ => None,
    });
    let text = || {
        let text = key.text().ok()?;
        Some((size(&text.value())?, text.span()))
    };
    bytes
        .or_else(text)
        .ok_or_else(|| key.wrong_value("takes a number of bytes: `= 2000` or `= \"8KiB\"`"))
}

/// Reads `500B`, `8KiB`, `8kB`, `1MiB` or `1MB`.
fn size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit = match unit.trim() {
        "B" => 1,
        "kB" | "KB" => 1000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        _ => return None,
    };
    number.parse::<usize>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read_with_their_unit() {
        assert_eq!(size("8KiB"), Some(8192));
        assert_eq!(size(" 8 kB "), Some(8000));
        assert_eq!(size("500B"), Some(500));
        assert_eq!(size("2MiB"), Some(2_097_152));
        assert_eq!(size("1MB"), Some(1_000_000));
        for wrong in [
            "",
            "8",
            "KiB",
            "8 Kb",
            "-8KiB",
            "1.5KiB",
            "99999999999999999999MiB",
        ] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
