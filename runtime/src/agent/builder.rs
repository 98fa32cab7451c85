//! How an agent is put together.

use std::{any::Any, collections::BTreeMap, future::Future, sync::Arc};

use serde_json::json;

use super::{
    Agent, Extension, Guidelines, Inner, Report, Section, Surface, ToolSearch, dispatches,
    surface::SurfaceTool,
};
use crate::{
    Texts,
    conversation::ToolCall,
    error::{BuildError, Result},
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    model::Model,
    protocol::{RequestOptions, Reveal},
    repertoire::Repertoire,
    skill::SkillCatalog,
    texts::fill,
    tool::States,
    toolset::Entry,
};

/// The most steps of one run unless the builder says otherwise.
const DEFAULT_MAX_STEPS: usize = 36;

/// Describes an agent. Nothing is checked before [`build`](Self::build).
#[must_use = "an agent is made by `build`"]
pub struct AgentBuilder {
    model: Arc<dyn Model>,
    repertoire: Repertoire,
    instructions: String,
    texts: Texts,
    states: States,
    options: RequestOptions,
    reveal: Option<Reveal>,
    max_steps: usize,
    extensions: Option<Vec<Box<dyn Extension>>>,
    approver: Option<Arc<Approver>>,
}

/// Says whether a call may run.
#[cfg(not(target_arch = "wasm32"))]
pub(super) type Approver = dyn Fn(ToolCall) -> BoxFuture<'static, bool> + Send + Sync;
/// Says whether a call may run.
#[cfg(target_arch = "wasm32")]
pub(super) type Approver = dyn Fn(ToolCall) -> BoxFuture<'static, bool>;

impl AgentBuilder {
    pub(super) fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            repertoire: Repertoire::new(),
            instructions: String::new(),
            texts: Texts::default(),
            states: States::new(),
            options: RequestOptions::default(),
            reveal: None,
            max_steps: DEFAULT_MAX_STEPS,
            extensions: None,
            approver: None,
        }
    }

    /// Adds tools and skills: [`linked!()`](crate::linked), a [`Toolset`](crate::Toolset),
    /// [`Skills`](crate::Skills) or a [`Repertoire`] of both. May be called several times.
    pub fn repertoire(mut self, repertoire: impl Into<Repertoire>) -> Self {
        self.repertoire = self.repertoire.merge(repertoire.into());
        self
    }

    /// What the model is told before everything else. Default: nothing.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = text.into();
        self
    }

    /// A value for the `#[state]` parameters of its type.
    pub fn state<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// The sentences that the SDK says to the model.
    pub fn texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// Token limit, sampling and tool choice for every request.
    pub fn options(mut self, options: RequestOptions) -> Self {
        self.options = options;
        self
    }

    /// How found tools are shown where the provider has no way of its own. Default: as the model
    /// says, which is [`Reveal::Append`] unless it was told otherwise.
    pub fn reveal(mut self, reveal: Reveal) -> Self {
        self.reveal = Some(reveal);
        self
    }

    /// The most steps of one run; a step is one response and the calls in it. Default: 36.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
        self
    }

    /// Who decides whether a call of a tool that requires approval may run: a question to a person,
    /// a policy. Without it no such call runs, and the model is told so.
    pub fn approve<F, Fut>(mut self, ask: F) -> Self
    where
        F: Fn(ToolCall) -> Fut + MaybeSend + MaybeSync + 'static,
        Fut: Future<Output = bool> + MaybeSend + 'static,
    {
        self.approver = Some(Arc::new(move |call| Box::pin(ask(call))));
        self
    }

    /// Replaces the default extensions, which are [`SkillCatalog`], [`ToolSearch`] and
    /// [`Guidelines`] in this order.
    pub fn extensions(mut self, extensions: impl IntoIterator<Item = Box<dyn Extension>>) -> Self {
        self.extensions = Some(extensions.into_iter().collect());
        self
    }

    /// Puts the agent together and checks everything that can be checked before a model is asked.
    ///
    /// # Errors
    /// All problems at once: two tools of one name, a bad name or schema, a `#[state]` without a
    /// value, a name that the SDK uses itself, nothing linked where something was expected.
    pub fn build(self) -> Result<Agent> {
        let mut problems = self.repertoire.problems().to_vec();
        let (tools, skills) = self.repertoire.into_parts();
        let entries = tools.into_sorted();
        let mut capabilities = self.model.capabilities();
        if let Some(reveal) = self.reveal {
            capabilities = capabilities.with_reveal(reveal);
        }
        check_entries(&entries, &self.states, &mut problems);

        let texts = Arc::new(self.texts);
        let mut surface = Surface {
            texts: Arc::clone(&texts),
            capabilities,
            skills: Arc::new(skills),
            sections: Vec::new(),
            tools: entries.iter().map(SurfaceTool::from_entry).collect(),
            deferred_described: false,
            search_catalog: String::new(),
            problems: Vec::new(),
        };
        if !self.instructions.trim().is_empty() {
            surface.sections.push(Section {
                part: "instructions",
                count: 1,
                text: self.instructions,
            });
        }
        let extensions = self.extensions.unwrap_or_else(|| {
            vec![
                SkillCatalog::new().into(),
                ToolSearch::new().into(),
                Guidelines::new().into(),
            ]
        });
        for extension in &extensions {
            extension.declare(&mut surface);
        }
        // An extension may have hidden skills; what is hidden does not exist for this agent.
        let skills = Arc::clone(&surface.skills);
        surface.show_all_unless_searchable();
        for extension in &extensions {
            extension.describe(&mut surface);
        }
        surface.describe_deferred_rules();
        let (mut shown, surface_problems) = surface.finish();
        problems.extend(surface_problems);
        let mut reserved: Vec<String> = shown
            .builtins
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        if dispatches(capabilities, &shown.deferred) {
            reserved.push(texts.call_tool.to_string());
            match call_tool(&texts) {
                Ok(definition) => shown.tools.push(definition),
                Err(problem) => problems.push(problem),
            }
        }
        check_reserved(&entries, &reserved, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::new(problems).into());
        }
        let report = Report::new(&shown, &skills, &entries);
        Ok(Agent {
            inner: Arc::new(Inner {
                model: self.model,
                capabilities,
                options: self.options,
                max_steps: self.max_steps,
                texts,
                states: self.states,
                skills,
                entries,
                shown,
                report,
                approver: self.approver,
            }),
        })
    }
}

/// What is wrong with the tools by themselves and with each other.
fn check_entries(entries: &[Entry], states: &States, problems: &mut Vec<String>) {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        places.entry(&entry.name).or_default().push(&entry.place);
        problems.extend(entry.problems());
        for state in entry.missing_states(|id| states.contains(id)) {
            problems.push(format!(
                "tool `{}` ({}) takes `#[state]` of type `{}`, and the agent has no such value; \
                 add `.state(...)`",
                entry.name, entry.place, state.name
            ));
        }
    }
    for (name, places) in places {
        if places.len() > 1 {
            problems.push(format!(
                "{} tools are named `{name}`: {}; rename all but one, or give each agent its own \
                 toolset",
                places.len(),
                places.join(", ")
            ));
        }
    }
}

/// A user's tool must not stand in for one of the SDK's.
fn check_reserved(entries: &[Entry], reserved: &[String], problems: &mut Vec<String>) {
    for entry in entries {
        if reserved.iter().any(|name| *name == entry.name) {
            problems.push(format!(
                "tool `{}` ({}) has the name of a tool that the SDK adds; rename it, or give the \
                 SDK's tool another name with `texts`",
                entry.name, entry.place
            ));
        }
    }
}

/// The tool through which loaded tools are called where a request's tools must not change.
fn call_tool(texts: &Texts) -> Result<crate::protocol::Definition, String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "arguments": {"type": "object", "additionalProperties": true},
        },
        "required": ["name", "arguments"],
        "additionalProperties": false,
    });
    let description = fill(
        &texts.call_tool_description,
        &[("search", &texts.search_tool)],
    );
    crate::protocol::Definition::new(texts.call_tool.as_ref(), description, schema.to_string())
        .map_err(|error| error.to_string())
}
