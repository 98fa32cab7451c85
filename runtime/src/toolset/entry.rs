//! One tool of a toolset, and how it is called.

use std::{any::TypeId, borrow::Cow, fmt, sync::Arc};

use serde_json::{Map, Value};

use crate::{
    context::Context,
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    schema_check,
    secrets::redact,
    tool::{
        CallFn, Invocation, Policy, Registration, StateType, ToolError, ToolOutput, args, foreign,
        schema::strict::misfit,
    },
};

/// One tool of a toolset.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) schema: Cow<'static, str>,
    pub(crate) snippet: Option<Cow<'static, str>>,
    pub(crate) guidelines: Vec<Cow<'static, str>>,
    pub(crate) deferred: bool,
    /// Whether the tool is switched on when the agent is built.
    pub(crate) enabled: bool,
    pub(crate) group: Option<Cow<'static, str>>,
    pub(crate) tags: Vec<Cow<'static, str>>,
    pub(crate) version: Option<Cow<'static, str>>,
    pub(crate) author: Option<Cow<'static, str>>,
    pub(crate) deprecated: Option<Deprecated>,
    /// The parameters whose values nothing may show.
    pub(crate) secrets: Vec<Cow<'static, str>>,
    pub(crate) needs_approval: bool,
    pub(crate) strict: bool,
    pub(crate) policy: Policy,
    pub(crate) fallback: Option<Cow<'static, str>>,
    pub(crate) serial: bool,
    pub(crate) blocking: bool,
    pub(crate) read_only: bool,
    /// Whether arguments are taken only exactly as the schema says.
    pub(crate) exact: bool,
    pub(crate) states: &'static [StateType],
    /// `file:line`, for messages.
    pub(crate) place: String,
    pub(crate) handler: Handler,
}

/// Why a tool should no longer be used, and which one took its place.
#[derive(Clone, Debug)]
pub(crate) struct Deprecated {
    pub(crate) note: Cow<'static, str>,
    pub(crate) replaced_by: Option<Cow<'static, str>>,
}

/// What runs when a tool is called.
#[derive(Clone)]
pub(crate) enum Handler {
    Function(CallFn),
    Closure(Arc<Closure>),
}

#[cfg(not(target_arch = "wasm32"))]
pub(super) type Closure = dyn Fn(serde_json::Value, Option<Context>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>
    + Send
    + Sync;
#[cfg(target_arch = "wasm32")]
pub(super) type Closure =
    dyn Fn(serde_json::Value, Option<Context>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>;

impl Entry {
    pub(crate) fn from_registration(registration: &'static Registration) -> Self {
        let spec = registration.spec;
        Self {
            name: Cow::Borrowed(spec.name),
            description: Cow::Borrowed(spec.description),
            schema: foreign::whole(spec.schema, spec.foreign),
            snippet: spec.snippet.map(Cow::Borrowed),
            guidelines: spec.guidelines.iter().copied().map(Cow::Borrowed).collect(),
            deferred: spec.deferred,
            enabled: spec.enabled,
            group: spec.group.map(Cow::Borrowed),
            tags: spec.tags.iter().copied().map(Cow::Borrowed).collect(),
            version: spec.version.map(Cow::Borrowed),
            author: spec.author.map(Cow::Borrowed),
            deprecated: spec.deprecated.map(|deprecated| Deprecated {
                note: Cow::Borrowed(deprecated.note),
                replaced_by: deprecated.replaced_by.map(Cow::Borrowed),
            }),
            secrets: spec.secrets.iter().copied().map(Cow::Borrowed).collect(),
            needs_approval: spec.requires_approval || spec.destructive,
            strict: spec.strict,
            policy: spec.policy,
            fallback: spec.fallback.map(Cow::Borrowed),
            serial: spec.serial,
            blocking: spec.blocking,
            read_only: spec.read_only,
            exact: spec.strict,
            states: spec.states,
            place: format!("{}:{}", spec.file, spec.line),
            handler: Handler::Function(registration.call),
        }
    }

    /// Puts another body in the place of the tool's own. It needs no state; all else stays.
    pub(crate) fn set_body(
        &mut self,
        body: impl Fn(serde_json::Value) -> Result<ToolOutput, ToolError>
        + MaybeSend
        + MaybeSync
        + 'static,
    ) {
        self.states = &[];
        self.handler = Handler::Closure(Arc::new(move |arguments, _| {
            let outcome = body(arguments);
            Box::pin(std::future::ready(outcome))
        }));
    }

    /// What is wrong with the tool by itself.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let name = &self.name;
        let place = &self.place;
        let bad_name = !is_portable_name(name);
        let group = self
            .group
            .as_deref()
            .filter(|group| !is_portable_name(group));
        // A constant is what a macro has written.
        let bad_schema = match &self.schema {
            Cow::Borrowed(_) => None,
            Cow::Owned(schema) => schema_check::problem(schema),
        };
        [
            bad_name.then(|| {
                format!(
                    "tool `{name}` ({place}): a name is 1 to 64 of `a-z A-Z 0-9 _ -` and starts \
                     with a letter or `_`, so that every provider takes it"
                )
            }),
            self.description.trim().is_empty().then(|| {
                format!("tool `{name}` ({place}): the description is empty; say what it does")
            }),
            group.map(|group| {
                format!(
                    "tool `{name}` ({place}) is in the group `{}`: a group is 1 to 64 of \
                     `a-z A-Z 0-9 _ -` and starts with a letter or `_`, so that it can be a \
                     namespace",
                    crate::catalog::one_line(group)
                )
            }),
            bad_schema
                .or_else(|| not_strict(self.strict, &self.schema))
                .map(|problem| format!("tool `{name}` ({place}): {problem}")),
        ]
        .into_iter()
        .flatten()
    }

    /// Checks arguments against the schema, and returns them as they fit it.
    pub(crate) fn check(&self, arguments: &str) -> Result<serde_json::Value, ToolError> {
        let (schema, exact) = (&self.schema, self.exact);
        let blind = |error| args::without_secrets(error, arguments, schema, exact, &self.secrets);
        args::check(arguments, schema, exact).map_err(blind)
    }

    /// The arguments of a call to look at: without secrets, and without members that the tool does not
    /// know, since one of them may be a secret under a misspelt name.
    pub(crate) fn shown<'a>(&self, arguments: &'a str) -> Cow<'a, str> {
        match self.secrets.is_empty() {
            true => Cow::Borrowed(arguments),
            false => redact(arguments, &self.hidden(arguments)),
        }
    }

    /// The names of the members that are not shown.
    pub(crate) fn hidden(&self, arguments: &str) -> Vec<String> {
        let mut hidden: Vec<String> = self.secrets.iter().map(ToString::to_string).collect();
        if !hidden.is_empty() {
            let schema: Value = serde_json::from_str(&self.schema).unwrap_or_default();
            let unknown = |name: &String| schema["properties"].get(name).is_none();
            hidden.extend(members(arguments).filter(unknown));
        }
        hidden
    }

    /// The types that the tool needs as state and `has` lacks.
    pub(crate) fn missing_states(
        &self,
        has: impl Fn(TypeId) -> bool,
    ) -> impl Iterator<Item = &'static StateType> {
        self.states.iter().filter(move |state| !has((state.id)()))
    }

    /// Whether the tool may still do something after its call was given up.
    pub(crate) fn may_go_on(&self) -> bool {
        self.blocking && !self.read_only
    }

    /// Runs the tool.
    pub(crate) fn call<'a>(
        &'a self,
        invocation: Invocation<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        match &self.handler {
            Handler::Function(call) => call(invocation),
            Handler::Closure(run) => match self.check(invocation.arguments) {
                Ok(arguments) => run(arguments, invocation.context.cloned()),
                Err(error) => Box::pin(std::future::ready(Err(error))),
            },
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("deferred", &self.deferred)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// The names of the members of an object.
pub(crate) fn members(arguments: &str) -> impl Iterator<Item = String> {
    let object: Option<Map<String, Value>> = serde_json::from_str(arguments).ok();
    object.into_iter().flatten().map(|(name, _)| name)
}

/// What keeps a tool from being strict that says it is.
fn not_strict(strict: bool, schema: &str) -> Option<String> {
    let misfit = strict.then(|| misfit(schema)).flatten()?;
    Some(format!("{misfit}; change the schema, or take `strict` off"))
}

/// Whether all providers take the name.
pub(crate) fn is_portable_name(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    starts_well && name.len() <= 64 && name.chars().all(plain)
}
