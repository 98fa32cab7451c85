//! A tool as it is understood: names settled, docs read, parameters sorted into what the model sends
//! and what the program gives.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Ident, LitStr, Type, ext::IdentExt};

use super::{
    attr::Attr,
    function::{Function, Input, Pattern},
    kind::{Kind, peel},
    param_attr::ParamAttr,
};
use crate::{diagnostics::Diagnostics, docs};

/// Text and the place it was written.
pub(crate) struct Located {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Everything expansion needs.
pub(crate) struct Tool {
    pub(crate) krate: TokenStream,
    pub(crate) name: Located,
    /// The end of a sentence about a wrong name, where the name is the function's.
    pub(crate) rename_hint: &'static str,
    pub(crate) type_name: Ident,
    pub(crate) description: Located,
    pub(crate) snippet: Option<Located>,
    pub(crate) guidelines: Vec<Located>,
    pub(crate) deferred: bool,
    pub(crate) toolset: Option<Located>,
    pub(crate) unlinked: bool,
    pub(crate) undocumented: bool,
    /// Whether the attribute could not be read, so that what is missing may be in it.
    pub(crate) broken: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) cfgs: Vec<Attribute>,
    /// What makes the function no tool at all: generics, `unsafe`.
    pub(crate) refused: Vec<(TokenStream, &'static str)>,
}

/// One parameter of the function.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) name: Located,
    pub(crate) description: String,
    pub(crate) undocumented: bool,
    pub(crate) role: Role,
}

/// Where a parameter comes from.
pub(crate) enum Role {
    /// From the model.
    Argument(Kind),
    /// From the program.
    State(Type),
}

impl Tool {
    /// Understands the function, and takes from it the attributes that are ours.
    pub(crate) fn lower(attr: Attr, function: &mut Function, found: &mut Diagnostics) -> Tool {
        let span = function.ident.span();
        let docs = docs::read(&function.attributes);
        let locate = |text: String| Located { text, span };
        let parameters = function
            .inputs
            .iter_mut()
            .filter_map(|input| lower_input(input, found))
            .collect();
        Tool {
            krate: attr
                .crate_path
                .map_or_else(|| quote!(::repertoire), |path| path.to_token_stream()),
            name: attr
                .name
                .as_ref()
                .map_or_else(|| locate(function.ident.unraw().to_string()), Located::from),
            rename_hint: match attr.name {
                Some(_) => "",
                None => "; give it another with `name = \"…\"`",
            },
            type_name: attr.type_name.unwrap_or_else(|| function.ident.clone()),
            description: attr
                .description
                .as_ref()
                .map_or_else(|| locate(docs.summary), Located::from),
            snippet: attr
                .snippet
                .as_ref()
                .map(Located::from)
                .or(docs.snippet.map(locate)),
            guidelines: match attr.guidelines {
                Some(texts) => texts.iter().map(Located::from).collect(),
                None => docs.guidelines.into_iter().map(locate).collect(),
            },
            deferred: attr.deferred,
            toolset: attr.toolset.as_ref().map(Located::from),
            unlinked: attr.unlinked,
            undocumented: attr.undocumented,
            broken: attr.broken,
            parameters,
            cfgs: function
                .attributes
                .iter()
                .filter(|attribute| attribute.path().is_ident("cfg"))
                .cloned()
                .collect(),
            refused: refused(function),
        }
    }

    /// The parameters that the model sends.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Parameter, &Kind)> {
        self.parameters
            .iter()
            .filter_map(|parameter| match &parameter.role {
                Role::Argument(kind) => Some((parameter, kind)),
                Role::State(_) => None,
            })
    }

    /// The types that the program gives.
    pub(crate) fn states(&self) -> impl Iterator<Item = &Type> {
        self.parameters
            .iter()
            .filter_map(|parameter| match &parameter.role {
                Role::State(ty) => Some(ty),
                Role::Argument(_) => None,
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
    if let Some(token) = &function.unsafety {
        refused.push((
            token.to_token_stream(),
            "a tool cannot be `unsafe`: nobody checks what a model sends",
        ));
    }
    refused
}

fn lower_input(input: &mut Input, found: &mut Diagnostics) -> Option<Parameter> {
    let attr = ParamAttr::take(&mut input.attributes, found);
    let ident = match &input.pattern {
        Pattern::Name(ident) => ident.clone(),
        Pattern::Receiver(tokens) => {
            found.at(
                tokens,
                "`#[tool]` on a method: write `#[toolbox]` on the `impl` block, which makes `self` state",
            );
            return None;
        }
        Pattern::Other(tokens) => {
            found.at(
                tokens,
                "a parameter needs a plain name, which the model is told; take it apart in the body",
            );
            return None;
        }
    };
    let Some(ty) = &input.ty else {
        found.at(&ident, "a parameter needs a type");
        return None;
    };
    let role = match attr.state {
        true => Role::State(state_type(ty, found)?),
        false => match Kind::of(ty) {
            Ok(kind) => Role::Argument(kind),
            Err(refused) => {
                found.at(refused.tokens, refused.message);
                return None;
            }
        },
    };
    let name = attr.rename.as_ref().map_or_else(
        || Located {
            text: ident.unraw().to_string(),
            span: ident.span(),
        },
        Located::from,
    );
    Some(Parameter {
        ident,
        name,
        description: attr.description,
        undocumented: attr.undocumented,
        role,
    })
}

fn state_type(ty: &Type, found: &mut Diagnostics) -> Option<Type> {
    let Type::Reference(reference) = peel(ty) else {
        found.at(
            ty,
            "state is shared by all calls; take it by reference: `&T`",
        );
        return None;
    };
    if reference.mutability.is_some() {
        found.at(
            ty,
            "state is shared by all calls and cannot be `&mut`; put a `Mutex` inside it",
        );
        return None;
    }
    if let Type::TraitObject(object) = peel(&reference.elem) {
        found.at(
            object,
            "state is found by its type, which must be concrete; take `&Arc<dyn …>`",
        );
        return None;
    }
    Some((*reference.elem).clone())
}
