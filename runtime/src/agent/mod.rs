//! An agent: a model, its tools and skills, and the loop between them.

mod alone;
mod approval;
mod builder;
mod builtin;
mod checks;
mod compaction;
mod cost;
mod dispatch;
mod event;
mod extension;
mod final_answer;
mod guidelines;
mod held;
mod hook;
mod latency;
mod limits;
mod loaded;
mod metrics;
mod nested;
mod observe;
mod offers;
mod once;
mod open;
mod panics;
mod pipeline;
mod ranking;
mod report;
mod result_format;
mod run;
mod runs;
mod searcher;
mod spent;
mod step;
mod stream;
mod sub_agent;
mod surface;
mod surface_text;
mod switches;
mod tool_search;
mod trace;
mod turns;
mod watch;

pub use approval::Approval;
pub use builder::AgentBuilder;
pub use compaction::Compaction;
pub use event::{Event, OutputError, Reply, Stop};
pub use extension::Extension;
pub use guidelines::{GuidelinePlacement, Guidelines};
pub use hook::{Decision, Hook};
pub use latency::Latency;
pub use limits::Limits;
pub use loaded::Loaded;
pub use metrics::{Metrics, ModelMetrics, RunMetrics, SearchMetrics, SkillMetrics, ToolMetrics};
pub use report::{Report, ReportPart};
pub use result_format::ResultFormat;
pub use run::Run;
pub use stream::{RunEvent, RunStream};
pub use switches::AgentTools;
pub use tool_search::{CatalogForm, CatalogPlacement, ToolSearch};

pub(crate) use alone::Alone;
pub(crate) use builtin::{Answer, Builtin, Text, View, arguments, read_apart, wrong_arguments};
pub(crate) use extension::Shape;
#[doc(hidden)]
pub use nested::repeated;
pub(crate) use nested::{choose, nested};
pub(crate) use panics::panic_message;
pub(crate) use spent::Spent;
pub(crate) use step::cancelled;
pub(crate) use surface::{Section, Shown, Surface, SurfaceTool};
pub(crate) use watch::Watcher;

use std::{fmt, sync::Arc};

use crate::{
    Texts,
    clock::Clock,
    conversation::{Conversation, ConversationStore, Item},
    model::Model,
    once::OnceStore,
    protocol::{Capabilities, Deferral, Definition, Request, RequestOptions, Reveal, ToolChoice},
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
    /// Which of them are on.
    switches: switches::Switches,
    /// What the model is shown; made once, so that every request starts with the same bytes.
    offers: offers::Offers,
    /// The name of the tool that finds deferred tools, if there is anything to find.
    search_name: Option<String>,
    /// Whether loaded tools are called through `call_tool`.
    dispatches: bool,
    report: Report,
    /// What has happened since, in numbers.
    recorder: metrics::Recorder,
    /// Whether what is said may be traced.
    trace_content: bool,
    approver: Option<Arc<approval::Approver>>,
    clock: Option<Arc<dyn Clock>>,
    once: Arc<dyn OnceStore>,
    hooks: Vec<Box<dyn Hook>>,
    limits: Limits,
    result_format: ResultFormat,
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
        let shown = inner.shown(conversation);
        let request = Request::new(conversation.items())
            .with_system(&shown.system)
            .with_tools(&shown.tools)
            .with_options(self.options(conversation, shown))
            .with_reveal(inner.capabilities.reveal)
            .with_texts(&inner.texts);
        match &shown.search {
            Some(search) => request.with_deferred(search, &shown.deferred),
            None => request,
        }
    }

    /// The options of the next request. A tool is demanded at the start of a run alone: with results
    /// in hand the model has to be free to answer, or the run would never end. A tool that is not in
    /// sight is not demanded either: the provider would refuse the request.
    fn options(&self, conversation: &Conversation, shown: &Shown) -> &RequestOptions {
        let inner = &self.inner;
        let in_sight = match &inner.options.tool_choice {
            ToolChoice::Tool(name) => shown.tools.iter().any(|tool| tool.name() == name),
            ToolChoice::Required => !shown.tools.is_empty() || shown.search.is_some(),
            _ => true,
        };
        match conversation.items().last() {
            Some(Item::Results(_)) => &inner.free_options,
            _ if !in_sight => &inner.free_options,
            _ => &inner.options,
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

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("model", &self.inner.model.model())
            .field("tools", &self.inner.entries.len())
            .field("skills", &self.inner.skills.len())
            .finish_non_exhaustive()
    }
}

impl Inner {
    pub(crate) fn clock(&self) -> Option<&dyn Clock> {
        self.clock.as_deref()
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.entries
            .binary_search_by(|entry| entry.name.as_ref().cmp(name))
            .ok()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(self.index(name)?)
    }

    /// What a conversation is shown: what it was shown when it began, or what there is now.
    fn shown(&self, conversation: &Conversation) -> &Shown {
        let mut without = conversation
            .without()
            .map_or_else(|| self.off(), <[String]>::to_vec);
        // Another agent may have begun the conversation.
        without.retain(|name| self.index(name).is_some());
        without.sort();
        self.offers.without(&without, &self.entries)
    }

    fn is_deferred(&self, entry: &Entry) -> bool {
        self.search_name.is_some() && entry.deferred
    }

    fn search_name(&self) -> Option<&str> {
        self.search_name.as_deref()
    }
}

fn dispatches(capabilities: Capabilities, deferred: &[Definition]) -> bool {
    capabilities.deferral == Deferral::None
        && capabilities.reveal == Reveal::Dispatch
        && !deferred.is_empty()
}
