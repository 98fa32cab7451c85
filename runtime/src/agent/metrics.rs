//! What an agent has done since it was built, in numbers.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde::Serialize;

use super::{Agent, Event, Latency, Stop};
use crate::{context::lock, conversation::Usage, tool::ErrorKind, toolset::Entry};

/// What an agent has done since it was built, in numbers; see [`Agent::metrics`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Metrics {
    /// The runs that have ended.
    pub runs: RunMetrics,
    /// The responses of the model.
    pub model: ModelMetrics,
    /// The calls of each tool that was called, the SDK's own among them.
    pub tools: BTreeMap<String, ToolMetrics>,
    /// The uses of each skill that was asked for.
    pub skills: BTreeMap<String, SkillMetrics>,
    /// The searches for tools.
    pub searches: SearchMetrics,
    /// Calls of tools that do not exist.
    pub unknown_calls: u64,
}

/// The runs of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunMetrics {
    /// How many ended with a reply, for whatever reason.
    pub ended: u64,
    /// Of these, how many ended before the model had given its answer: at a limit, cancelled, refused,
    /// waiting for approval.
    pub unfinished: u64,
    /// How many ended with an error. A run that goes on after one has not ended.
    pub failed: u64,
    /// How many were dropped in the middle.
    pub abandoned: u64,
    /// How long they took. Empty without a clock.
    pub latency: Latency,
}

/// The responses of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelMetrics {
    /// How many responses were asked for.
    pub calls: u64,
    /// How many of them did not come, because of an error.
    pub failed: u64,
    /// How many of them were given up before they came.
    pub cancelled: u64,
    /// The tokens of all responses.
    pub usage: Usage,
    /// How long the responses took that came. Empty without a clock.
    pub latency: Latency,
}

/// The calls of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolMetrics {
    /// The tool's own version.
    pub version: Option<String>,
    /// How many calls were carried out, with or without success.
    pub calls: u64,
    /// Of these, how many were made by other tools.
    pub nested: u64,
    /// How many calls failed, by the kind of the failure in `snake_case`.
    pub failures: BTreeMap<&'static str, u64>,
    /// How many calls were refused before anything ran: not loaded, switched off, cut off.
    pub refused: u64,
    /// How often a call was tried again.
    pub retries: u64,
    /// How often another tool took a call in its place.
    pub fallbacks: u64,
    /// How long the calls took that were carried out, all tries together. Empty without a clock.
    pub latency: Latency,
}

/// The uses of one skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SkillMetrics {
    /// How often the model asked for it or one of its files.
    pub calls: u64,
    /// Of these, how often it got the instructions.
    pub reads: u64,
    /// Of these, how often it got neither instructions nor file nor a pointer to them.
    pub failures: u64,
}

/// The searches for tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SearchMetrics {
    /// How many searches there were.
    pub calls: u64,
    /// How many queries they held.
    pub queries: u64,
    /// How many tools they loaded.
    pub loaded: u64,
    /// How many searches loaded nothing.
    pub empty: u64,
}

impl ToolMetrics {
    /// How many calls failed, of whatever kind.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }
}

impl Agent {
    /// What this agent and its clones have done since it was built, in numbers: a snapshot, which can
    /// be written as JSON. [`report`](Self::report) says what the model is shown and what that costs.
    ///
    /// It grows with the number of tools and skills, not with that of calls. Latencies go by the
    /// agent's clock. A sub-agent counts for itself.
    ///
    /// ```
    /// use repertoire::{Agent, Responses, testing::{Rule, Script}};
    ///
    /// # async fn run() -> repertoire::Result<()> {
    /// let agent = Agent::builder(Script::new(Responses::new("gpt-5.4")).rule(Rule::say("hello"))).build()?;
    /// agent.run("hello").await?;
    /// let metrics = agent.metrics();
    /// assert_eq!((metrics.runs.ended, metrics.model.calls), (1, 1));
    /// println!("{}", serde_json::to_string(&metrics).unwrap());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.inner.recorder.snapshot(&self.inner.entries)
    }
}

/// Where the numbers are gathered. Each tool has a lock of its own, held for a few additions.
pub(super) struct Recorder {
    runs: Mutex<RunMetrics>,
    model: Mutex<ModelMetrics>,
    /// In the order of the agent's tools.
    tools: Vec<Mutex<ToolMetrics>>,
    /// The tools of the SDK, which are few.
    builtins: Mutex<BTreeMap<String, ToolMetrics>>,
    /// Only skills that exist.
    skills: Mutex<BTreeMap<String, SkillMetrics>>,
    searches: Mutex<SearchMetrics>,
    unknown_calls: AtomicU64,
}

/// What a call came to.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    pub(super) failure: Option<ErrorKind>,
    pub(super) nested: bool,
    pub(super) time: Option<Duration>,
}

impl Recorder {
    pub(super) fn new(entries: &[Entry]) -> Self {
        let tools = entries.iter().map(|entry| {
            Mutex::new(ToolMetrics {
                version: entry.version.as_ref().map(ToString::to_string),
                ..ToolMetrics::default()
            })
        });
        Self {
            runs: Mutex::default(),
            model: Mutex::default(),
            tools: tools.collect(),
            builtins: Mutex::default(),
            skills: Mutex::default(),
            searches: Mutex::default(),
            unknown_calls: AtomicU64::new(0),
        }
    }

    fn snapshot(&self, entries: &[Entry]) -> Metrics {
        let mut tools = lock(&self.builtins).clone();
        for (entry, metrics) in entries.iter().zip(&self.tools) {
            let metrics = lock(metrics);
            if metrics.calls + metrics.refused > 0 {
                tools.insert(entry.name.to_string(), metrics.clone());
            }
        }
        Metrics {
            runs: *lock(&self.runs),
            model: *lock(&self.model),
            tools,
            skills: lock(&self.skills).clone(),
            searches: *lock(&self.searches),
            unknown_calls: self.unknown_calls.load(Ordering::Relaxed),
        }
    }

    /// A run has ended, with an error where there is no `stop`.
    pub(super) fn run(&self, stop: Option<Stop>, time: Option<Duration>) {
        let mut runs = lock(&self.runs);
        match stop {
            Some(stop) => {
                runs.ended += 1;
                runs.unfinished += u64::from(stop != Stop::Done);
            }
            None => runs.failed += 1,
        }
        if let Some(time) = time {
            runs.latency.add(time);
        }
    }

    /// A run was dropped in the middle.
    pub(super) fn abandoned(&self) {
        lock(&self.runs).abandoned += 1;
    }

    pub(super) fn model(&self, change: impl FnOnce(&mut ModelMetrics)) {
        change(&mut lock(&self.model));
    }

    pub(super) fn tool(&self, index: Option<usize>, change: impl FnOnce(&mut ToolMetrics)) {
        if let Some(tool) = index.and_then(|index| self.tools.get(index)) {
            change(&mut lock(tool));
        }
    }

    pub(super) fn builtin(&self, name: &str, ended: Ended) {
        let mut builtins = lock(&self.builtins);
        match builtins.get_mut(name) {
            Some(tool) => tool.ended(ended),
            None => builtins.entry(name.to_owned()).or_default().ended(ended),
        }
    }

    /// A skill that exists was asked for.
    pub(super) fn skill(&self, name: &str, read: bool, failed: bool) {
        let mut skills = lock(&self.skills);
        let skill = skills.entry(name.to_owned()).or_default();
        skill.calls += 1;
        skill.reads += u64::from(read);
        skill.failures += u64::from(failed);
    }

    /// A call was refused; there may be no such tool.
    pub(super) fn refused(&self, index: Option<usize>) {
        match index {
            Some(_) => self.tool(index, |tool| tool.refused += 1),
            None => {
                self.unknown_calls.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// What events say beside the calls themselves. `index` is the place of the tool.
    pub(super) fn event(&self, event: &Event, index: Option<usize>) {
        match event {
            Event::Retried { .. } => self.tool(index, |tool| tool.retries += 1),
            Event::FellBack { .. } => self.tool(index, |tool| tool.fallbacks += 1),
            Event::ToolsSearched { queries, loaded } => {
                let mut searches = lock(&self.searches);
                searches.calls += 1;
                searches.queries += queries.len() as u64;
                searches.loaded += loaded.len() as u64;
                searches.empty += u64::from(loaded.is_empty());
            }
            _ => {}
        }
    }
}

impl ToolMetrics {
    pub(super) fn ended(&mut self, ended: Ended) {
        self.calls += 1;
        self.nested += u64::from(ended.nested);
        if let Some(kind) = ended.failure {
            *self.failures.entry(kind.word()).or_default() += 1;
        }
        if let Some(time) = ended.time {
            self.latency.add(time);
        }
    }
}
