//! The tools of one agent.

use std::{any::TypeId, borrow::Cow, fmt, future::Future, sync::Arc};

use crate::{
    context::Context,
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    schema_check,
    tool::{
        CallFn, ErrorKind, Invocation, Policy, Registration, StateType, Tool, ToolError,
        ToolOutput, args, foreign, schema::strict::misfit,
    },
};

/// The tools of one agent: annotated functions and tools made at run time.
///
/// A toolset is a list; that names are unique is checked when the agent is built, so that all
/// clashes are reported together.
///
/// ```
/// use repertoire::{Toolset, toolset::RuntimeTool};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let tool = RuntimeTool::new("shout", "Says it louder.", schema, |arguments| async move {
///     Ok(arguments["text"].as_str().unwrap_or_default().to_uppercase().into())
/// });
/// let tools = Toolset::new().with_tool(tool);
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["shout"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Toolset {
    entries: Vec<Entry>,
}

impl Toolset {
    /// No tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same toolset and an annotated function, named by the type beside it:
    /// `Toolset::new().with::<warehouse_stock>()`.
    #[must_use]
    pub fn with<T: Tool>(mut self) -> Self {
        self.add(T::REGISTRATION);
        self
    }

    /// The same toolset and a tool made at run time.
    #[must_use]
    pub fn with_tool(mut self, tool: RuntimeTool) -> Self {
        self.entries.push(tool.entry);
        self
    }

    /// The same toolset and all tools of another.
    #[must_use]
    pub fn with_toolset(mut self, other: Self) -> Self {
        self.entries.extend(other.entries);
        self
    }

    /// The same toolset, where one tool is run in another way than it says itself.
    ///
    /// # Errors
    /// There is no tool of that name.
    pub fn policy(
        mut self,
        tool: &str,
        change: impl FnOnce(Policy) -> Policy,
    ) -> Result<Self, ToolError> {
        match self.entries.iter_mut().find(|entry| entry.name == tool) {
            Some(entry) => {
                entry.policy = change(entry.policy);
                Ok(self)
            }
            None => Err(ToolError::new(
                ErrorKind::NotFound,
                format!("the toolset has no tool `{tool}` to set a policy for"),
            )),
        }
    }

    /// The names of the tools, in the order they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_ref())
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a function, unless it says itself that it is not offered.
    pub(crate) fn add(&mut self, registration: &'static Registration) {
        if registration.spec().enabled {
            self.entries.push(Entry::from_registration(registration));
        }
    }

    /// The tools sorted by name, since the order in which a linker lists them is not stable.
    pub(crate) fn into_sorted(self) -> Vec<Entry> {
        let mut entries = self.entries;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }
}

/// A tool that is described when the program runs: a name, a JSON schema and a closure.
#[derive(Clone, Debug)]
pub struct RuntimeTool {
    entry: Entry,
}

impl RuntimeTool {
    /// A tool from a name, a description, the JSON schema of its arguments and what it does.
    ///
    /// The closure receives the arguments as a JSON object that fits the schema. A problem with name, description or schema is reported when the agent is built.
    #[track_caller]
    pub fn new<F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: serde_json::Value,
        run: F,
    ) -> Self
    where
        F: Fn(serde_json::Value) -> Fut + MaybeSend + MaybeSync + 'static,
        Fut: Future<Output = Result<ToolOutput, ToolError>> + MaybeSend + 'static,
    {
        let run = move |arguments, _| -> BoxFuture<'static, _> { Box::pin(run(arguments)) };
        Self::from_closure(name.into(), description.into(), &schema, Arc::new(run))
    }

    /// The same for a closure that also takes the [`Context`] of its call.
    #[track_caller]
    pub fn with_context<F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: serde_json::Value,
        run: F,
    ) -> Self
    where
        F: Fn(serde_json::Value, Context) -> Fut + MaybeSend + MaybeSync + 'static,
        Fut: Future<Output = Result<ToolOutput, ToolError>> + MaybeSend + 'static,
    {
        let run = move |arguments, context| -> BoxFuture<'static, _> {
            match context {
                Some(context) => Box::pin(run(arguments, context)),
                None => Box::pin(std::future::ready(Err(ToolError::failed(
                    "this tool runs within an agent only",
                )))),
            }
        };
        Self::from_closure(name.into(), description.into(), &schema, Arc::new(run))
    }

    #[track_caller]
    fn from_closure(
        name: String,
        description: String,
        schema: &serde_json::Value,
        run: Arc<Closure>,
    ) -> Self {
        let caller = std::panic::Location::caller();
        Self {
            entry: Entry {
                name: Cow::Owned(name),
                description: Cow::Owned(description),
                schema: Cow::Owned(schema.to_string()),
                snippet: None,
                guidelines: Vec::new(),
                deferred: false,
                group: None,
                needs_approval: false,
                strict: false,
                policy: Policy::new(),
                fallback: None,
                serial: false,
                blocking: false,
                read_only: false,
                exact: false,
                states: &[],
                place: format!("{}:{}", caller.file(), caller.line()),
                handler: Handler::Closure(run),
            },
        }
    }

    /// The same tool, kept out of sight until the model searches for it.
    #[must_use]
    pub fn deferred(mut self) -> Self {
        self.entry.deferred = true;
        self
    }

    /// The same tool in a group.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.entry.group = Some(Cow::Owned(group.into()));
        self
    }

    /// The same tool, of which each call has to be approved
    /// ([`AgentBuilder::approve`](crate::agent::AgentBuilder::approve)).
    #[must_use]
    pub fn requires_approval(mut self) -> Self {
        self.entry.needs_approval = true;
        self
    }

    /// The same tool, whose arguments the provider shall hold to the schema while the model writes
    /// them. Where OpenAI's strict mode cannot say the schema, the agent cannot be built; a provider
    /// without such a mode is sent the schema without it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.entry.strict = true;
        self
    }

    /// The same tool, run in another way.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.entry.policy = policy;
        self
    }

    /// The same tool, with another that takes its calls when it fails.
    #[must_use]
    pub fn fallback(mut self, tool: impl Into<String>) -> Self {
        self.entry.fallback = Some(Cow::Owned(tool.into()));
        self
    }

    /// The same tool, of which only one call runs at a time.
    #[must_use]
    pub fn serial(mut self) -> Self {
        self.entry.serial = true;
        self
    }

    /// The same tool with one line that shows how it is used.
    #[must_use]
    pub fn snippet(mut self, snippet: impl Into<String>) -> Self {
        self.entry.snippet = Some(Cow::Owned(snippet.into()));
        self
    }

    /// The same tool with one more rule of use.
    #[must_use]
    pub fn guideline(mut self, guideline: impl Into<String>) -> Self {
        self.entry.guidelines.push(Cow::Owned(guideline.into()));
        self
    }
}

/// One tool of a toolset.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) schema: Cow<'static, str>,
    pub(crate) snippet: Option<Cow<'static, str>>,
    pub(crate) guidelines: Vec<Cow<'static, str>>,
    pub(crate) deferred: bool,
    pub(crate) group: Option<Cow<'static, str>>,
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

/// What runs when a tool is called.
#[derive(Clone)]
pub(crate) enum Handler {
    Function(CallFn),
    Closure(Arc<Closure>),
}

#[cfg(not(target_arch = "wasm32"))]
type Closure = dyn Fn(serde_json::Value, Option<Context>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>
    + Send
    + Sync;
#[cfg(target_arch = "wasm32")]
type Closure =
    dyn Fn(serde_json::Value, Option<Context>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>;

impl Entry {
    fn from_registration(registration: &'static Registration) -> Self {
        let spec = registration.spec;
        Self {
            name: Cow::Borrowed(spec.name),
            description: Cow::Borrowed(spec.description),
            schema: foreign::whole(spec.schema, spec.foreign),
            snippet: spec.snippet.map(Cow::Borrowed),
            guidelines: spec.guidelines.iter().copied().map(Cow::Borrowed).collect(),
            deferred: spec.deferred,
            group: spec.group.map(Cow::Borrowed),
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

    /// What is wrong with the tool by itself.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let name = &self.name;
        let place = &self.place;
        let bad_name = !is_portable_name(name);
        let bad_schema = schema_check::problem(&self.schema);
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
            bad_schema
                .or_else(|| not_strict(self.strict, &self.schema))
                .map(|problem| format!("tool `{name}` ({place}): {problem}")),
        ]
        .into_iter()
        .flatten()
    }

    /// The types that the tool needs as state and `has` lacks.
    pub(crate) fn missing_states(
        &self,
        has: impl Fn(TypeId) -> bool,
    ) -> impl Iterator<Item = &'static StateType> {
        self.states.iter().filter(move |state| !has((state.id)()))
    }

    /// Runs the tool.
    pub(crate) fn call<'a>(
        &'a self,
        invocation: Invocation<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        match &self.handler {
            Handler::Function(call) => call(invocation),
            Handler::Closure(run) => {
                match args::check(invocation.arguments, &self.schema, invocation.exact) {
                    Ok(arguments) => run(arguments, invocation.context.cloned()),
                    Err(error) => Box::pin(std::future::ready(Err(error))),
                }
            }
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
