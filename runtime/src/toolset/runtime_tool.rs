//! Tools that are described when the program runs.

use std::{borrow::Cow, future::Future, sync::Arc};

use super::{
    Deprecated, Entry,
    entry::{Closure, Handler},
};
use crate::{
    context::Context,
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    tool::{Policy, ToolError, ToolOutput},
};

/// A tool that is described when the program runs: a name, a JSON schema and a closure.
#[derive(Clone, Debug)]
pub struct RuntimeTool {
    entry: Entry,
}

impl RuntimeTool {
    pub(crate) fn name(&self) -> &str {
        &self.entry.name
    }

    pub(super) fn into_entry(self) -> Entry {
        self.entry
    }

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
        let mut schema = schema.clone();
        if let Some(members) = schema.as_object_mut()
            && members.get("type").is_some_and(|kind| kind == "object")
        {
            // A tool without arguments often says no more than that; providers want to read `{}`.
            members
                .entry("properties")
                .or_insert_with(|| serde_json::Map::new().into());
        }
        Self {
            entry: Entry {
                name: Cow::Owned(name),
                description: Cow::Owned(description),
                schema: Cow::Owned(schema.to_string()),
                snippet: None,
                guidelines: Vec::new(),
                deferred: false,
                enabled: true,
                group: None,
                tags: Vec::new(),
                version: None,
                author: None,
                deprecated: None,
                secrets: Vec::new(),
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

    /// The same tool with one more word to select it by.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.entry.tags.push(Cow::Owned(tag.into()));
        self
    }

    /// The same tool with a version of its own, for the trace and the metrics.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.entry.version = Some(Cow::Owned(version.into()));
        self
    }

    /// The same tool, which should no longer be used. Calls still work; the model is told why not to
    /// make them, and which tool to use instead.
    #[must_use]
    pub fn deprecated(mut self, note: impl Into<String>, replaced_by: Option<&str>) -> Self {
        self.entry.deprecated = Some(Deprecated {
            note: Cow::Owned(note.into()),
            replaced_by: replaced_by.map(|tool| Cow::Owned(tool.to_owned())),
        });
        self
    }

    /// The same tool, one of whose parameters is a secret: its value is shown in no log, no trace and
    /// no error. The conversation keeps it, since the provider needs it.
    #[must_use]
    pub fn secret(mut self, parameter: impl Into<String>) -> Self {
        self.entry.secrets.push(Cow::Owned(parameter.into()));
        self
    }

    /// The same tool, switched off until [`Agent::tools`](crate::Agent::tools) switches it on.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.entry.enabled = false;
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
    /// without such a mode is sent the schema without it. Arguments are taken only exactly as the schema
    /// says, as with `#[tool(strict)]`.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.entry.strict = true;
        self.entry.exact = true;
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

    /// The same tool, which changes nothing. Where a tool that happens once has called it and then
    /// failed, that one may happen again.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.entry.read_only = true;
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
