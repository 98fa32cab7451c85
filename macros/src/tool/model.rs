//! A tool as it is understood: names settled, docs read, parameters sorted into what the model sends
//! and what the program gives.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Ident, LitStr, Path, ReturnType, Type, ext::IdentExt};

pub(crate) use super::param_attr::Default;
use super::{
    attr::Attr,
    flags::Flags,
    function::{Function, Input, Pattern},
    kind::Kind,
    parameter,
    policy::Policy,
};
use crate::{diagnostics::Diagnostics, docs, externs, limits::Limits};

/// Text and the place it was written.
pub(crate) struct Located {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Everything expansion needs.
pub(crate) struct Tool {
    pub(crate) krate: TokenStream,
    /// Why the crate is not there, so that nothing of it can be named.
    pub(crate) no_crate: Option<syn::Error>,
    pub(crate) name: Located,
    /// The end of a sentence about a wrong name, where the name is the function's.
    pub(crate) rename_hint: &'static str,
    pub(crate) type_name: Ident,
    pub(crate) description: Located,
    /// Where the doc comment is computed.
    pub(crate) computed: Option<Span>,
    pub(crate) snippet: Option<Located>,
    pub(crate) guidelines: Vec<Located>,
    pub(crate) group: Option<Located>,
    pub(crate) toolset: Option<Located>,
    pub(crate) tags: Vec<Located>,
    pub(crate) version: Option<Located>,
    pub(crate) author: Option<Located>,
    pub(crate) flags: Flags,
    pub(crate) enabled: bool,
    pub(crate) unlinked: bool,
    /// Where it is said that keys which no parameter has are let through.
    pub(crate) keeps_unknown: Option<Span>,
    pub(crate) deprecated: Option<Deprecated>,
    pub(crate) max_schema: Option<(usize, Span)>,
    pub(crate) policy: Policy,
    pub(crate) fallback: Option<Path>,
    pub(crate) undocumented: bool,
    /// The advice that is not wanted.
    pub(crate) allowed: Vec<String>,
    /// Whether the attribute could not be read, so that what is missing may be in it.
    pub(crate) broken: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) cfgs: Vec<Attribute>,
    /// What is called with the parameters.
    pub(crate) callee: TokenStream,
    pub(crate) is_async: bool,
    pub(crate) output: ReturnType,
    /// Where the function's name stands.
    pub(crate) place: Span,
    /// Whether the function is deprecated for Rust code.
    pub(crate) is_deprecated_item: bool,
    /// What makes the function no tool at all: generics, `unsafe`.
    pub(crate) refused: Vec<(TokenStream, &'static str)>,
}

/// A tool that should no longer be used.
pub(crate) struct Deprecated {
    pub(crate) note: String,
    pub(crate) replaced_by: Option<Path>,
}

/// The type that a method belongs to.
pub(crate) struct Owner {
    pub(crate) ty: Type,
    /// What the names of its tools start with.
    pub(crate) prefix: String,
}

/// One parameter of the function.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) name: Located,
    pub(crate) description: String,
    /// Where the doc comment is computed.
    pub(crate) computed: Option<Span>,
    pub(crate) undocumented: bool,
    pub(crate) role: Role,
}

/// Where a parameter comes from.
pub(crate) enum Role {
    /// From the model.
    Argument(Box<Argument>),
    /// From the program.
    State(Box<Type>),
    /// From the call: what the tool may know and do.
    Context(Box<Type>),
}

/// A parameter that the model sends.
pub(crate) struct Argument {
    pub(crate) kind: Kind,
    pub(crate) default: Option<Default>,
    pub(crate) limits: Limits,
    pub(crate) secret: bool,
    /// Whether the schema is that of `schemars`.
    pub(crate) schemars: bool,
}

impl Tool {
    /// Understands the function, and takes from it the attributes that are ours.
    pub(crate) fn lower(
        attr: Attr,
        function: &mut Function,
        owner: Option<&Owner>,
        found: &mut Diagnostics,
    ) -> Tool {
        refuse_second(function, found);
        let span = function.ident.span();
        let docs = docs::read(&function.attributes);
        let locate = |text: String| Located { text, span };
        let given = |text: &Option<LitStr>| text.as_ref().map(Located::from);
        let parameters = function
            .inputs
            .iter_mut()
            .filter_map(|input| parameter::lower(input, owner, found))
            .collect();
        let name = given(&attr.name);
        Tool {
            krate: externs::path(attr.crate_path.as_ref()),
            no_crate: owner
                .is_none()
                .then(|| externs::problem(attr.crate_path.as_ref()))
                .flatten(),
            rename_hint: match name {
                Some(_) => "",
                None => "; give it another with `name = \"…\"`",
            },
            name: name.unwrap_or_else(|| {
                let prefix = owner.map_or("", |owner| owner.prefix.as_str());
                locate(format!("{prefix}{}", function.ident.unraw()))
            }),
            type_name: attr.type_name.unwrap_or_else(|| function.ident.clone()),
            description: given(&attr.description).unwrap_or_else(|| locate(docs.summary)),
            computed: docs.computed,
            snippet: given(&attr.snippet).or(docs.snippet.map(locate)),
            guidelines: match attr.guidelines {
                Some(texts) => texts.iter().map(Located::from).collect(),
                None => docs.guidelines.into_iter().map(locate).collect(),
            },
            group: given(&attr.group),
            toolset: given(&attr.toolset),
            tags: attr.tags.iter().map(Located::from).collect(),
            version: given(&attr.version),
            author: given(&attr.author),
            flags: attr.flags,
            enabled: attr.enabled,
            unlinked: attr.unlinked,
            keeps_unknown: attr.keeps_unknown,
            deprecated: attr.deprecated.map(|deprecated| Deprecated {
                note: deprecated.note.value(),
                replaced_by: deprecated.replaced_by,
            }),
            max_schema: attr.max_schema,
            policy: attr.policy,
            fallback: attr.fallback,
            undocumented: attr.undocumented,
            allowed: attr.allowed,
            broken: attr.broken,
            parameters,
            cfgs: attributes_named(function, "cfg").cloned().collect(),
            callee: match owner {
                Some(Owner { ty, .. }) => {
                    let method = &function.ident;
                    quote!(<#ty>::#method)
                }
                None => function.ident.to_token_stream(),
            },
            is_async: function.asyncness.is_some(),
            output: function.output.clone(),
            place: span,
            is_deprecated_item: attributes_named(function, "deprecated").next().is_some(),
            refused: refused(function),
        }
    }

    /// The parameters that the model sends.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Parameter, &Argument)> {
        self.parameters
            .iter()
            .filter_map(|parameter| match &parameter.role {
                Role::Argument(argument) => Some((parameter, &**argument)),
                Role::State(_) | Role::Context(_) => None,
            })
    }

    /// The types that the program gives.
    pub(crate) fn states(&self) -> impl Iterator<Item = &Type> {
        self.parameters
            .iter()
            .filter_map(|parameter| match &parameter.role {
                Role::State(ty) => Some(&**ty),
                Role::Argument(_) | Role::Context(_) => None,
            })
    }
}

impl From<&LitStr> for Located {
    fn from(text: &LitStr) -> Self {
        Located {
            text: text.value(),
            span: text.span(),
        }
    }
}

/// Takes off what makes the function a tool once more: each would register it.
fn refuse_second(function: &mut Function, found: &mut Diagnostics) {
    function.attributes.retain(|attribute| {
        let is_second = externs::is_tool(attribute.path());
        if is_second {
            found.at(
                attribute,
                "`#[tool]` is given twice; write all keys into one",
            );
        }
        !is_second
    });
}

fn attributes_named<'a>(
    function: &'a Function,
    name: &'static str,
) -> impl Iterator<Item = &'a Attribute> {
    function
        .attributes
        .iter()
        .filter(move |attribute| attribute.path().is_ident(name))
}

fn refused(function: &Function) -> Vec<(TokenStream, &'static str)> {
    let mut refused = Vec::new();
    for parameter in &function.generics.params {
        // A lifetime is no obstacle: the values live as long as the call.
        if !matches!(parameter, syn::GenericParam::Lifetime(_)) {
            refused.push((
                parameter.to_token_stream(),
                "a tool is not generic, since the model is sent one schema; write a function for each type",
            ));
        }
    }
    let receives = |input: &Input| matches!(input.pattern, Pattern::Receiver(_));
    if !function.has_body() && !function.inputs.iter().any(receives) {
        refused.push((
            function.ident.to_token_stream(),
            "a tool needs a body; in a trait, write `#[tool]` on the implementation",
        ));
    }
    if let ReturnType::Type(_, ty) = &function.output
        && let Type::Never(never) = super::kind::peel(ty)
    {
        refused.push((
            never.to_token_stream(),
            "a tool that never returns has nothing to tell the model; return `()`, or a `Result`",
        ));
    }
    if let Some(token) = &function.unsafety {
        refused.push((
            token.to_token_stream(),
            "a tool cannot be `unsafe`: nobody checks what a model sends",
        ));
    }
    refused
}
