//! The schema of a tool in the words that each provider knows.
//!
//! The canonical schema is rewritten once for each provider and the text kept, so that a request
//! copies it. What a provider has no word for goes into the description, where the model reads it;
//! the arguments are checked against the whole schema at the call in any case.

mod anthropic_strict;
mod fold;
mod form;
mod inline;
mod loose;
mod node;
mod openai_strict;

use std::sync::{Arc, OnceLock};

use node::Node;
use serde_json::value::RawValue;

/// A provider's way to say a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// JSON Schema as it is: OpenAI without `strict`, Anthropic, most Chat hosts.
    Plain,
    /// OpenAI with `strict`: every member required, no open objects.
    OpenAiStrict,
    /// Anthropic with `strict`: a grammar is compiled, so no recursion and no bounds.
    AnthropicStrict,
    /// Gemini's `parametersJsonSchema`: no references.
    Gemini,
    /// Ollama: seven words, and what they do not say is dropped in silence.
    Ollama,
}

/// How many dialects there are.
const COUNT: usize = 5;

/// How often a type may stand within itself where references have to be written out. What lies
/// deeper is described in words.
pub(crate) const RECURSION: usize = 2;

/// A schema in a dialect.
#[derive(Debug)]
pub(crate) struct Fitted {
    /// The text to send. `None`: the canonical one.
    schema: Option<Box<RawValue>>,
    /// Whether the tool can be called strictly.
    pub(crate) strict: bool,
    /// The innermost place that keeps it from that, where a strict mode was asked for.
    pub(crate) misfit: Option<String>,
    /// Members that may be left out, all levels together.
    pub(crate) optional: usize,
    /// Members that may be of several types, all levels together.
    pub(crate) unions: usize,
}

impl Fitted {
    pub(crate) fn schema<'a>(&'a self, canonical: &'a RawValue) -> &'a RawValue {
        self.schema.as_deref().unwrap_or(canonical)
    }
}

/// The schema in every dialect that was asked for so far, or what keeps it from being said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rendered([OnceLock<Result<Arc<Fitted>, String>>; COUNT]);

impl Rendered {
    pub(crate) fn get(&self, dialect: Dialect, canonical: &RawValue) -> Result<&Fitted, &str> {
        // The dialects are numbered from 0 to COUNT - 1.
        let fitted = self.0[dialect as usize].get_or_init(|| fit(dialect, canonical.get()));
        match fitted {
            Ok(fitted) => Ok(fitted),
            Err(problem) => Err(problem),
        }
    }
}

fn fit(dialect: Dialect, canonical: &str) -> Result<Arc<Fitted>, String> {
    let root: Node = serde_json::from_str(canonical)
        .map_err(|error| format!("the schema cannot be read: {error}"))?;
    check_root(&root)?;
    if let Some(problem) = form::misshapen(&root, "$") {
        return Err(format!("the schema cannot be sent: {problem}"));
    }
    if dialect != Dialect::Plain
        && let written_out = matches!(dialect, Dialect::Gemini | Dialect::Ollama)
        && let Some((place, what)) = unsayable(&root, "$", written_out)
    {
        return Err(format!(
            "`{place}` of the schema has {what}, which this provider has no words for; say it in \
             one of them"
        ));
    }
    // Some templates and some providers fail on a missing list of members.
    let mut root = root;
    let bare = root.get("properties").is_none();
    if bare {
        root.set("properties", Node::Object(Vec::new()));
    }
    let plain = Fitted {
        schema: if bare { Some(raw(&root)?) } else { None },
        strict: false,
        misfit: None,
        optional: 0,
        unions: 0,
    };
    // A grammar names no member that is not there.
    let anthropic =
        |node: &Node| anthropic_strict::rewrite(node).filter(|_| form::requires_members(node));
    let fitted = match dialect {
        Dialect::Plain => plain,
        Dialect::OpenAiStrict => {
            match strict(&root, &root, openai_strict::rewrite).filter(|_| !bare) {
                Some(schema) => Fitted {
                    schema: Some(raw(&schema)?),
                    strict: true,
                    ..plain
                },
                None => Fitted {
                    misfit: Some(misfit(&root, "$", &|node| {
                        strict(node, &root, openai_strict::rewrite).is_some()
                    })),
                    ..plain
                },
            }
        }
        Dialect::AnthropicStrict => match strict(&root, &root, anthropic).filter(|_| !bare) {
            Some((schema, counts)) => Fitted {
                schema: Some(raw(&schema)?),
                strict: true,
                misfit: None,
                optional: counts.optional,
                unions: counts.unions,
            },
            None => Fitted {
                misfit: Some(misfit(&root, "$", &|node| {
                    strict(node, &root, anthropic).is_some()
                })),
                ..plain
            },
        },
        Dialect::Gemini => Fitted {
            schema: Some(raw(&loose::gemini(&inline::inline(&root)?)?)?),
            ..plain
        },
        Dialect::Ollama => Fitted {
            schema: Some(raw(&loose::ollama(&inline::inline(&root)?)?)?),
            ..plain
        },
    };
    Ok(Arc::new(fitted))
}

/// A part of a schema in a strict mode, which knows references to definitions alone.
fn strict<T>(node: &Node, root: &Node, rewrite: impl Fn(&Node) -> Option<T>) -> Option<T> {
    form::refers_well(node, root)
        .then(|| rewrite(node))
        .flatten()
}

/// The innermost place of a schema that does not fit, as `$.list[].map`.
fn misfit(schema: &Node, place: &str, fits: &dyn Fn(&Node) -> bool) -> String {
    let inner = |key: &str| schema.get(key).map_or(&[][..], Node::members);
    let properties = inner("properties").iter();
    let properties = properties.map(|(name, node)| (format!("{place}.{name}"), node));
    let definitions = inner("$defs").iter().chain(inner("definitions"));
    let definitions = definitions.map(|(name, node)| (format!("#/$defs/{name}"), node));
    let items = schema.get("items").map(|node| (format!("{place}[]"), node));
    let options = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key));
    let options = options.flat_map(|options| options.entries().iter());
    let options = options.map(|node| (place.to_owned(), node));
    let parts = properties.chain(items).chain(options).chain(definitions);
    let mut wrong = parts.filter(|(_, node)| !fits(node));
    wrong.next().map_or_else(
        || place.to_owned(),
        |(place, node)| misfit(node, &place, fits),
    )
}

/// What a place says in two ways at once, of which a rewriting would lose one in silence.
fn unsayable(node: &Node, place: &str, written_out: bool) -> Option<(String, &'static str)> {
    let has = |key: &str| node.get(key).is_some();
    let members = has("properties") || has("anyOf") || has("oneOf");
    let what = if has("anyOf") && has("oneOf") {
        Some("`anyOf` beside `oneOf`")
    } else if written_out && has("allOf") && members {
        Some("`allOf` beside members or a choice")
    } else if written_out && has("$ref") && (members || has("allOf")) {
        Some("`$ref` beside members or a choice")
    } else {
        None
    };
    if let Some(what) = what {
        return Some((place.to_owned(), what));
    }
    let named = |key: &'static str| {
        let members = node.get(key).map_or(&[][..], Node::members).iter();
        members.map(move |(name, inner)| {
            let place = match key {
                "properties" => format!("{place}.{name}"),
                _ => format!("#/{key}/{name}"),
            };
            (place, inner)
        })
    };
    let listed = |key: &'static str| {
        let entries = node.get(key).map_or(&[][..], Node::entries).iter();
        entries.map(|inner| (place.to_owned(), inner))
    };
    let single = |key: &'static str| node.get(key).map(|inner| (format!("{place}[]"), inner));
    let named = ["properties", "$defs", "definitions"]
        .into_iter()
        .flat_map(named);
    let listed = ["anyOf", "oneOf", "allOf", "prefixItems"]
        .into_iter()
        .flat_map(listed);
    let single = ["items", "additionalProperties"]
        .into_iter()
        .filter_map(single);
    let mut inner = named.chain(listed).chain(single);
    inner.find_map(|(place, inner)| unsayable(inner, &place, written_out))
}

fn raw(node: &Node) -> Result<Box<RawValue>, String> {
    serde_json::value::to_raw_value(node).map_err(|error| error.to_string())
}

/// The root of a tool's arguments is a plain object everywhere; one tool that breaks this makes
/// every request fail.
fn check_root(root: &Node) -> Result<(), String> {
    if root.get("type").and_then(Node::as_str) != Some("object") {
        return Err(
            "the root of the schema must have `\"type\": \"object\"`; put other types into a \
             property"
                .to_owned(),
        );
    }
    let combined = [
        "oneOf", "anyOf", "allOf", "not", "$ref", "enum", "const", "if",
    ];
    match combined.iter().find(|key| root.get(key).is_some()) {
        Some(key) => Err(format!(
            "the root of the schema must not have `{key}`, which providers refuse there; put it \
             into a property"
        )),
        None => Ok(()),
    }
}
