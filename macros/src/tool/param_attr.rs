//! The attributes of a parameter: what the compiler may not see is taken off.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, LitStr};

use crate::{
    diagnostics::Diagnostics,
    docs,
    keys::{self, Key, Value},
    limits::Limits,
    literal::Literal,
};

const ATTRIBUTES: &[&str] = &["arg", "state", "context"];
const KEYS: &[&str] = &[
    "default",
    "rename",
    "min",
    "max",
    "min_len",
    "max_len",
    "pattern",
    "example",
    "secret",
    "schemars",
    "undocumented",
];
/// Attributes that rustc itself accepts on a parameter.
const LINTS: &[&str] = &["allow", "expect", "warn", "deny", "forbid"];

/// What the attributes of a parameter say.
#[derive(Default)]
pub(crate) struct ParamAttr {
    pub(crate) description: String,
    /// Where the doc comment is computed.
    pub(crate) computed: Option<Span>,
    pub(crate) state: bool,
    pub(crate) context: bool,
    pub(crate) rename: Option<LitStr>,
    pub(crate) default: Option<Default>,
    pub(crate) limits: Limits,
    pub(crate) secret: bool,
    pub(crate) schemars: bool,
    pub(crate) undocumented: bool,
    /// The first key of `#[arg(...)]`.
    pub(crate) arg: Option<proc_macro2::Ident>,
}

/// What an absent parameter is.
pub(crate) enum Default {
    /// `Default::default()`
    Trait,
    /// A text.
    Text(LitStr),
    /// Any other expression.
    Expression(TokenStream),
}

impl ParamAttr {
    pub(crate) fn take(attributes: &mut Vec<Attribute>, found: &mut Diagnostics) -> ParamAttr {
        let docs = docs::read(attributes);
        let mut attr = ParamAttr {
            description: docs.summary,
            computed: docs.computed,
            ..ParamAttr::default()
        };
        let before = found.count();
        attributes.retain(|attribute| {
            let name = attribute
                .path()
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            if LINTS.contains(&name.as_str()) {
                return true;
            }
            attr.set(&name, attribute, found);
            false
        });
        // What could not be read may have been the reason to leave the description out.
        attr.undocumented |= found.count() > before;
        attr
    }

    fn set(&mut self, name: &str, attribute: &Attribute, found: &mut Diagnostics) {
        match name {
            "doc" => {}
            "state" | "context" => {
                if attribute.meta.require_path_only().is_err() {
                    found.at(attribute, format!("`#[{name}]` takes nothing"));
                }
                if (name == "state" && self.state) || (name == "context" && self.context) {
                    found.at(attribute, format!("`#[{name}]` is given twice"));
                }
                self.state |= name == "state";
                self.context |= name == "context";
            }
            "arg" => {
                let arguments = keys::arguments(attribute, found);
                if arguments.is_empty() && !matches!(attribute.meta, syn::Meta::NameValue(_)) {
                    found.at(
                        attribute,
                        "`#[arg]` without a key says nothing; name one, as in `#[arg(max = 5)]`",
                    );
                }
                for key in keys::parse(arguments, KEYS, found) {
                    if let Err(error) = self.set_key(&key) {
                        found.push(error);
                    }
                    self.arg.get_or_insert(key.ident);
                }
            }
            "cfg" | "cfg_attr" => found.at(
                attribute,
                format!("`{name}` takes a condition: `#[{name}(...)]`"),
            ),
            "serde" | "schemars" | "schema" => found.at(
                attribute,
                format!("`#[{name}]` belongs on a type; on a parameter, use `#[arg(...)]`"),
            ),
            _ => found.at(
                attribute.path(),
                keys::unknown("parameter attribute", &path_text(attribute), ATTRIBUTES),
            ),
        }
    }

    fn set_key(&mut self, key: &Key) -> syn::Result<()> {
        match key.name().as_str() {
            "rename" => self.rename = Some(key.text()?),
            "secret" => self.secret = key.flag()?,
            "schemars" => self.schemars = key.flag()?,
            "undocumented" => self.undocumented = key.flag()?,
            "default" => self.set_default(key)?,
            _ => self.limits.set(key)?,
        }
        Ok(())
    }

    fn set_default(&mut self, key: &Key) -> syn::Result<()> {
        let tokens = match &key.value {
            Value::None => {
                self.default = Some(Default::Trait);
                return Ok(());
            }
            Value::Assigned(tokens) => tokens,
            Value::List(_) => {
                return Err(key.wrong_value("stands alone, or takes a value: `= 5`"));
            }
        };
        self.default = Some(match syn::parse2(tokens.clone()) {
            Ok(text) => Default::Text(text),
            Err(_) => Default::Expression(tokens.clone()),
        });
        match Literal::parse(tokens) {
            Some(literal) => self.limits.set_default(literal),
            None => Ok(()),
        }
    }
}

fn path_text(attribute: &Attribute) -> String {
    let segments: Vec<String> = attribute
        .path()
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    segments.join("::")
}
