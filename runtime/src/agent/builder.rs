//! How an agent is put together.

use std::{any::Any, future::Future, sync::Arc};

use serde::de::DeserializeOwned;

use super::{
    Agent, Approval, Compaction, Extension, Guidelines, Hook, Inner, Limits, Report, ResultFormat,
    ToolSearch,
    approval::Approver,
    checks::{
        check_entries, check_limits, check_options, check_policies, check_reserved, check_shown,
    },
    compaction,
    cost::Cost,
    dispatches,
    final_answer::FinalAnswer,
    metrics::Recorder,
    nested,
    offers::{Blueprint, Offers},
    switches::Switches,
};
use crate::{
    Texts,
    clock::Clock,
    conversation::{ConversationStore, ToolCall},
    error::{BuildError, Result},
    maybe_send::{MaybeSend, MaybeSync},
    model::Model,
    once::{MemoryOnce, OnceStore},
    protocol::{RequestOptions, Reveal, ToolChoice},
    repertoire::Repertoire,
    skill::SkillCatalog,
    testing::Fakes,
    tool::{States, ToolSchema},
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
    clock: Option<Arc<dyn Clock>>,
    once: Arc<dyn OnceStore>,
    concurrency: usize,
    hooks: Vec<Box<dyn Hook>>,
    limits: Limits,
    result_format: ResultFormat,
    store: Option<Arc<dyn ConversationStore>>,
    trace_content: bool,
    final_answer: Option<FinalAnswer>,
    compaction: Option<Compaction>,
    fakes: Fakes,
}

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
            clock: system_clock(),
            once: Arc::new(MemoryOnce::new()),
            concurrency: usize::MAX,
            hooks: Vec::new(),
            limits: Limits::new(),
            result_format: ResultFormat::default(),
            store: None,
            trace_content: false,
            final_answer: None,
            compaction: None,
            fakes: Fakes::new(),
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

    /// Token limit, sampling and tool choice. A tool that is demanded is demanded at the start of
    /// a run; afterwards the model decides.
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
    /// a policy. The answer is a `bool` or an [`Approval`]. Without it no such call runs, and the
    /// model is told so.
    ///
    /// The call stands under the name of the tool that would run, and the values of parameters with
    /// `#[arg(secret)]` are `[secret]` in it.
    pub fn approve<F, Fut>(mut self, ask: F) -> Self
    where
        F: Fn(ToolCall) -> Fut + MaybeSend + MaybeSync + 'static,
        Fut: Future<Output: Into<Approval>> + MaybeSend + 'static,
    {
        self.approver = Some(Arc::new(move |call| {
            let answer = ask(call);
            Box::pin(async move { answer.await.into() })
        }));
        self
    }

    /// Where time comes from. Default: the system; on `wasm32` there is no default.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Where calls of `once` tools are remembered. Default: 10,000 calls in this agent, forgotten
    /// with it.
    pub fn once_store(mut self, store: impl OnceStore) -> Self {
        self.once = Arc::new(store);
        self
    }

    /// Someone who looks on and can refuse calls. May be called several times.
    pub fn hook(mut self, hook: impl Hook) -> Self {
        self.hooks.push(Box::new(hook));
        self
    }

    /// How much one run may use. Default: no limit but that on steps.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The form in which the model reads what tools return. Default: [`ResultFormat::Plain`].
    pub fn result_format(mut self, format: ResultFormat) -> Self {
        self.result_format = format;
        self
    }

    /// Where conversations are saved: before the model is asked, before the calls of a step begin, after
    /// every step and at the end of a run. Default: nowhere.
    pub fn store(mut self, store: impl ConversationStore) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Whether the spans of [`tracing`](https://docs.rs/tracing) hold what is said: the arguments and
    /// results of calls, the responses of the model, the words of errors and searches. Default: no.
    /// Arguments with `#[arg(secret)]` are left out either way; what a person says or a tool returns
    /// stands there as it is.
    pub fn trace_content(mut self, yes: bool) -> Self {
        self.trace_content = yes;
        self
    }

    /// The form in which the model gives its answer; [`Reply::output`](crate::Reply::output) has it.
    ///
    /// The model gets a tool for it, whose arguments are checked as those of any tool: a problem
    /// goes back to the model. The run ends with the first answer that fits. A model that answers in
    /// words is told so twice; then the run ends with [`Stop::NoOutput`](crate::Stop::NoOutput).
    ///
    /// ```
    /// use repertoire::{Agent, Responses, ToolSchema, testing::{Rule, Script}};
    ///
    /// /// How a product is liked.
    /// #[derive(serde::Deserialize, ToolSchema)]
    /// struct Verdict {
    ///     /// From 1 to 5.
    ///     stars: u8,
    /// }
    ///
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// let model = Script::new(Responses::new("m"))
    ///     .rule(Rule::call("final_answer", serde_json::json!({"stars": 4})));
    /// let agent = Agent::builder(model).output::<Verdict>().build()?;
    /// let verdict: Verdict = agent.run("How is it?").await?.output()?;
    /// assert_eq!(verdict.stars, 4);
    /// # Ok(())
    /// # }
    /// ```
    pub fn output<T: ToolSchema + DeserializeOwned>(mut self) -> Self {
        self.final_answer = Some(FinalAnswer::new::<T>());
        self
    }

    /// When and how a long conversation is made short. Default: never.
    pub fn compaction(mut self, compaction: Compaction) -> Self {
        self.compaction = Some(compaction);
        self
    }

    /// The most calls of one step that run at the same time, at least 1. Default: all.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Puts other bodies in the place of some tools' own, for a test. May be called several times.
    pub fn fakes(mut self, fakes: &Fakes) -> Self {
        self.fakes.add(fakes);
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
        let mut entries = tools.into_sorted();
        self.fakes.put_into(&mut entries, &mut problems);
        let mut capabilities = self.model.capabilities();
        if let Some(reveal) = self.reveal {
            capabilities = capabilities.with_reveal(reveal);
        }
        check_entries(&entries, &self.states, &mut problems);
        check_policies(&entries, self.clock.is_some(), &mut problems);
        check_limits(&self.limits, self.clock.is_some(), &mut problems);

        let texts = Arc::new(self.texts);
        let blueprint = Blueprint {
            texts: Arc::clone(&texts),
            capabilities,
            skills: Arc::new(skills),
            instructions: self.instructions,
            final_answer: self
                .final_answer
                .map(|answer| answer.named(&texts, &self.options)),
            extensions: self.extensions.unwrap_or_else(|| {
                vec![
                    SkillCatalog::new().into(),
                    ToolSearch::new().into(),
                    Guidelines::new().into(),
                ]
            }),
        };
        // Everything is looked at, also what is switched off for now.
        let (all, skills, surface_problems) = blueprint.shape(&entries, &[]);
        problems.extend(surface_problems);
        let mut reserved: Vec<String> = all.builtins.iter().map(|(name, _)| name.clone()).collect();
        let dispatches = dispatches(capabilities, &all.deferred);
        if dispatches {
            reserved.push(texts.call_tool.to_string());
        }
        let search_name = all.search.as_ref().map(|search| search.name().to_owned());
        check_reserved(&entries, &reserved, &mut problems);
        check_shown(&all, &entries, &mut problems);
        let switches = Switches::new(&entries);
        let off: Vec<String> = entries
            .iter()
            .filter(|entry| !entry.enabled)
            .map(|entry| entry.name.to_string())
            .collect();
        let shown = if off.is_empty() {
            all
        } else {
            blueprint.shape(&entries, &off).0
        };
        check_options(&self.options, &shown, &mut problems);
        if !problems.is_empty() {
            return Err(BuildError::new(problems).into());
        }
        let cost = Cost {
            model: &*self.model,
            reveal: capabilities.reveal,
            texts: &texts,
        };
        let report = Report::new(&shown, &skills, &entries, &cost);
        Ok(Agent {
            inner: Arc::new(Inner {
                model: self.model,
                capabilities,
                free_options: free(&self.options),
                choose_options: nested::choose_options(&self.options),
                final_answer: blueprint.final_answer.clone(),
                summary_options: compaction::summary_options(&self.options),
                compaction: self.compaction,
                options: self.options,
                max_steps: self.max_steps,
                texts,
                states: self.states,
                skills,
                switches,
                offers: Offers::new(blueprint, off, shown),
                search_name,
                dispatches,
                report,
                recorder: Recorder::new(&entries),
                entries,
                trace_content: self.trace_content,
                approver: self.approver,
                clock: self.clock,
                once: self.once,
                concurrency: self.concurrency,
                hooks: self.hooks,
                limits: self.limits,
                result_format: self.result_format,
                store: self.store,
            }),
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn system_clock() -> Option<Arc<dyn Clock>> {
    Some(Arc::new(crate::clock::SystemClock::new()))
}

#[cfg(target_arch = "wasm32")]
fn system_clock() -> Option<Arc<dyn Clock>> {
    None
}

/// The options once the model has called what it was told to.
fn free(options: &RequestOptions) -> RequestOptions {
    let mut free = options.clone();
    if matches!(free.tool_choice, ToolChoice::Required | ToolChoice::Tool(_)) {
        free.tool_choice = ToolChoice::Auto;
    }
    free
}
