//! An agent: a model, its tools and skills, and the loop between them.

mod alone;
mod approval;
mod builder;
mod builtin;
mod checks;
mod compaction;
mod dispatch;
mod event;
mod extension;
mod final_answer;
mod guidelines;
mod hook;
mod limits;
mod loaded;
mod nested;
mod once;
mod pipeline;
mod report;
mod run;
mod searcher;
mod spent;
mod step;
mod stream;
mod surface;
mod surface_text;
mod tool_search;
mod watch;

pub use approval::Approval;
pub use builder::AgentBuilder;
pub use compaction::Compaction;
pub use event::{Event, OutputError, Reply, Stop};
pub use extension::Extension;
pub use guidelines::{GuidelinePlacement, Guidelines};
pub use hook::{Decision, Hook};
pub use limits::Limits;
pub use loaded::Loaded;
pub use report::{Report, ReportPart};
pub use run::Run;
pub use stream::{RunEvent, RunStream};
pub use tool_search::{CatalogForm, CatalogPlacement, ToolSearch};

pub(crate) use alone::Alone;
pub(crate) use builtin::{Answer, Builtin, View, arguments, wrong_arguments};
pub(crate) use extension::Shape;
pub(crate) use nested::{choose, nested};
pub(crate) use spent::Spent;
pub(crate) use surface::{Section, Shown, Surface, SurfaceTool};
pub(crate) use watch::Watcher;

use std::sync::Arc;

use crate::{
    Texts,
    clock::Clock,
    conversation::{Conversation, ConversationStore, Item},
    model::Model,
    once::OnceStore,
    protocol::{Capabilities, Deferral, Definition, Request, RequestOptions, Reveal},
    skill::Skills,
    tool::States,
    toolset::Entry,
};

/// A model with tools and skills.
///
/// Cheap to clone; clones share everything. All state of a run is in its [`Conversation`], so one
/// agent serves many at once.
#[derive(Clone)]
pub struct Agent {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    model: Arc<dyn Model>,
    capabilities: Capabilities,
    options: RequestOptions,
    /// The same without a demand for tools.
    free_options: RequestOptions,
    /// The options of a question that a tool asks.
    choose_options: RequestOptions,
    /// The options of a request for a summary.
    summary_options: RequestOptions,
    compaction: Option<Compaction>,
    /// The tool for an answer in a form that the program names.
    final_answer: Option<Arc<final_answer::FinalAnswer>>,
    max_steps: usize,
    texts: Arc<Texts>,
    states: States,
    skills: Arc<Skills>,
    /// Tools that run a user's code, sorted by name.
    entries: Vec<Entry>,
    /// What the model is shown; made once, so that every request starts with the same bytes.
    shown: Shown,
    report: Report,
    approver: Option<Arc<approval::Approver>>,
    clock: Option<Arc<dyn Clock>>,
    once: Arc<dyn OnceStore>,
    running: once::Running,
    hooks: Vec<Box<dyn Hook>>,
    limits: Limits,
    store: Option<Arc<dyn ConversationStore>>,
    /// The most calls of one step that run at the same time.
    concurrency: usize,
}

impl Agent {
    /// Starts to describe an agent.
    pub fn builder(model: impl Model) -> AgentBuilder {
        AgentBuilder::new(Arc::new(model))
    }

    /// The next request of a conversation, for a program that encodes and sends it itself.
    #[must_use]
    pub fn request<'a>(&'a self, conversation: &'a Conversation) -> Request<'a> {
        let inner = &*self.inner;
        let request = Request::new(conversation.items())
            .with_system(&inner.shown.system)
            .with_tools(&inner.shown.tools)
            .with_options(self.options(conversation))
            .with_reveal(inner.capabilities.reveal)
            .with_texts(&inner.texts);
        match &inner.shown.search {
            Some(search) => request.with_deferred(search, &inner.shown.deferred),
            None => request,
        }
    }

    /// The options of the next request. A tool is demanded at the start of a run alone: with results
    /// in hand the model has to be free to answer, or the run would never end.
    fn options(&self, conversation: &Conversation) -> &RequestOptions {
        match conversation.items().last() {
            Some(Item::Results(_)) => &self.inner.free_options,
            _ => &self.inner.options,
        }
    }

    /// What the model is shown from the start and what that costs.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.inner.report
    }

    /// The skills the agent can read, and the ones that were skipped.
    #[must_use]
    pub fn skills(&self) -> &Skills {
        &self.inner.skills
    }
}

impl Inner {
    pub(crate) fn clock(&self) -> Option<&dyn Clock> {
        self.clock.as_deref()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries
            .binary_search_by(|entry| entry.name.as_ref().cmp(name))
            .ok()
            .and_then(|index| self.entries.get(index))
    }

    fn is_deferred(&self, name: &str) -> bool {
        self.shown.deferred.iter().any(|tool| tool.name() == name)
    }

    /// Whether loaded tools are called through `call_tool`.
    fn dispatches(&self) -> bool {
        dispatches(self.capabilities, &self.shown.deferred)
    }

    fn search_name(&self) -> Option<&str> {
        self.shown.search.as_ref().map(Definition::name)
    }
}

fn dispatches(capabilities: Capabilities, deferred: &[Definition]) -> bool {
    capabilities.deferral == Deferral::None
        && capabilities.reveal == Reveal::Dispatch
        && !deferred.is_empty()
}
