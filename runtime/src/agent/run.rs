//! The loop between a model and its tools.

use std::{collections::HashMap, fmt, pin::pin, sync::Arc};

use futures_util::future::{Either, select};
use tracing::Instrument;

use super::{
    Agent, Event, Reply, RunEvent, RunStream, Stop,
    approval::must_pause,
    final_answer::NUDGES,
    held::Held,
    hook, observe,
    open::{Beginning, open_calls, whole},
    spent::Spent,
    step::{cancelled, step},
    watch::Watcher,
};
use crate::{
    cancel::Cancel,
    context::Context,
    conversation::{Conversation, Item, ModelTurn, StopReason, ToolCall},
    error::{Error, Result},
};

/// A run that the program itself drives, from [`Agent::start`].
///
/// ```
/// use repertoire::{Agent, Conversation, Responses, Stop, testing::{Rule, Script}};
///
/// # async fn run() -> repertoire::Result<()> {
/// let agent = Agent::builder(Script::new(Responses::new("m")).rule(Rule::say("Hello."))).build()?;
/// let mut conversation = Conversation::new();
/// let mut run = agent.start(&mut conversation, "Hi");
/// while run.step().await?.is_none() {
///     println!("{} items so far", run.conversation().items().len());
/// }
/// assert_eq!(run.reply().stop(), Stop::Done);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing runs before `step`, `stream` or `finish`"]
pub struct Run<'a> {
    agent: Agent,
    conversation: Held<'a>,
    cancel: Cancel,
    watcher: Watcher,
    spent: Arc<Spent>,
    reply: Reply,
    /// How often the model was told to give its answer in the form that is wanted.
    nudges: usize,
    /// Whether the last response was given to the conversation as it is now.
    fresh: bool,
    /// Whether what the user said is saved.
    begun: bool,
    /// Calls of the last response, while nothing of them has begun.
    open: Option<(Vec<ToolCall>, StopReason)>,
    /// Why the run ends, which is not saved yet.
    ending: Option<Stop>,
    ended: Option<Stop>,
    observed: observe::Observed,
}

impl<'a> Run<'a> {
    pub(super) fn new(agent: &Agent, conversation: Held<'a>) -> Self {
        Self {
            agent: agent.clone(),
            observed: observe::Observed::new(&agent.inner, conversation.id()),
            conversation,
            cancel: Cancel::new(),
            watcher: Watcher::default(),
            spent: Spent::of(&agent.inner, None),
            reply: Reply::new(),
            nudges: 0,
            fresh: true,
            begun: false,
            open: None,
            ending: None,
            ended: None,
        }
    }

    /// The same run, which ends when this handle is used. Every call that has not ended then gets a
    /// result that says so.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// The same run within a call of another, whose limits hold for it too, and which is told of
    /// everything.
    pub(super) fn within(mut self, context: &Context, tool: &str) -> Self {
        self.spent = Spent::of(&self.agent.inner, Some(&context.step().spent));
        self.watcher = Watcher::within(context, tool);
        self
    }

    /// One response of the model and all calls in it. Returns why the run has ended, or nothing if
    /// it goes on. After the end, nothing more happens.
    ///
    /// # Errors
    /// As [`Agent::run`]. The step may be tried again.
    pub async fn step(&mut self) -> Result<Option<Stop>> {
        if self.ended.is_some() {
            return Ok(self.ended);
        }
        let span = self.observed.begin();
        let ended = self.next_to_end().instrument(span).await;
        self.observed.end(&ended, &self.reply);
        let outcome = match &ended {
            Ok(None) => return ended,
            Ok(Some(_)) => Ok(&self.reply),
            Err(error) => Err(error),
        };
        hook::each(&self.agent.inner, |hook| {
            hook.after_run(&self.conversation, outcome)
        });
        ended
    }

    /// One step, and the end of the run if it ends with it.
    async fn next_to_end(&mut self) -> Result<Option<Stop>> {
        // Where the end could not be saved, only that is tried again.
        let ending = match self.ending {
            Some(stop) => Some(stop),
            None => self.next().await?,
        };
        if let Some(stop) = ending {
            self.ending = Some(stop);
            self.reply.stop = stop;
            self.save().await?;
            self.ended = Some(stop);
        }
        Ok(self.ended)
    }

    /// Goes on to the end.
    ///
    /// # Errors
    /// As [`Agent::run`].
    pub async fn finish(mut self) -> Result<Reply> {
        while self.step().await?.is_none() {}
        Ok(self.reply)
    }

    /// Goes on to the end and tells what happens while it happens.
    pub fn stream(mut self) -> RunStream<'a> {
        let (watcher, events) = Watcher::new();
        self.watcher = watcher;
        RunStream::new(Box::pin(self.finish()), events)
    }

    /// What the run came to so far. Until it has ended, [`Reply::stop`] is [`Stop::MaxSteps`].
    #[must_use]
    pub fn reply(&self) -> &Reply {
        &self.reply
    }

    /// The conversation as it stands.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The conversation, to be changed between two steps.
    #[must_use]
    pub fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    /// One step, and why the run ends with it.
    async fn next(&mut self) -> Result<Option<Stop>> {
        let agent = Arc::clone(&self.agent.inner);
        if self.open.is_none() {
            self.open = open_calls(&self.conversation);
        }
        // Results stand right behind their calls: what has moved on meanwhile goes on without them.
        let is_last = matches!(self.conversation.items().last(), Some(Item::Model(_)));
        if self.open.is_some() && !is_last {
            self.open = None;
        }
        if self.open.is_none() {
            // A step that was given up in the middle: what had not ended is not begun anew.
            if self.conversation.has_open_calls() {
                self.conversation
                    .close_open_calls(&cancelled(&agent).to_string());
            }
            if let Some(stop) = self.answered_before() {
                return Ok(self.without_calls(stop));
            }
            if self.has_output() {
                return Ok(Some(Stop::Done));
            }
            if self.cancel.is_cancelled() {
                return Ok(Some(Stop::Cancelled));
            }
            if let Some(stop) = self.limit() {
                return Ok(Some(stop));
            }
            self.begin().await?;
            self.compact().await;
            if self.cancel.is_cancelled() {
                return Ok(Some(Stop::Cancelled));
            }
            let Some(turn) = self.turn().await? else {
                return Ok(Some(Stop::Cancelled));
            };
            self.reply.add(&turn);
            self.spent.responded(turn.usage());
            self.fresh = true;
            let calls: Vec<ToolCall> = turn.calls().cloned().collect();
            let stop = turn.stop();
            self.conversation.push(Item::Model(turn));
            if calls.is_empty() {
                return Ok(self.without_calls(stop));
            }
            self.open = Some((calls, stop));
        }
        let open = self.open.clone().unwrap_or((Vec::new(), StopReason::Other));
        let (calls, stop) = open;
        // A cancelled run asks nobody any more; every call then has a result that says so.
        let pauses = {
            let pauses = pin!(must_pause(
                &agent,
                &mut self.conversation,
                whole(&calls, stop)
            ));
            let pauses = select(self.cancel.cancelled(), pauses).await;
            matches!(pauses, Either::Right((true, _)))
        };
        if pauses {
            self.conversation.wait();
            self.open = None;
            return Ok(Some(Stop::AwaitingApproval));
        }
        // What the model wants stands on disk before anything of it happens, and no longer as something
        // that waits: whoever reads it after a crash must not begin it again.
        let decisions = {
            let beginning = Beginning::of(&mut self.conversation);
            self.agent.save(beginning.conversation).await?;
            beginning.begun()
        };
        self.open = None;
        self.spent.add_calls(calls.len());
        let shared = Shared {
            decisions,
            cancel: &self.cancel,
            spent: &self.spent,
            watcher: &self.watcher,
        };
        let step = step(&agent, &mut self.conversation, &calls, stop, shared).await;
        let (results, events): (Vec<_>, Vec<_>) = step.into_iter().unzip();
        self.reply.events.extend(events.into_iter().flatten());
        self.reply.usage += self.spent.take_usage();
        if let Some(answer) = &agent.final_answer {
            self.reply.output = answer.given(&calls, &results);
        }
        self.conversation.push(Item::Results(results));
        if self.cancel.is_cancelled() {
            return Ok(Some(Stop::Cancelled));
        }
        if self.reply.output.is_some() {
            return Ok(Some(Stop::Done));
        }
        self.save().await?;
        Ok(None)
    }

    /// How the conversation had ended, if it ended with an answer before this run has done anything.
    fn answered_before(&mut self) -> Option<StopReason> {
        let Some(Item::Model(turn)) = self.conversation.items().last() else {
            return None;
        };
        if self.reply.steps > 0 || self.nudges > 0 {
            return None;
        }
        self.reply.text = turn.text();
        Some(turn.stop()).filter(|stop| *stop != StopReason::Paused)
    }

    /// Whether the conversation had ended with an answer in the form that is wanted, before this run has
    /// done anything.
    fn has_output(&mut self) -> bool {
        let Some(answer) = &self.agent.inner.final_answer else {
            return false;
        };
        if self.reply.steps > 0 || self.nudges > 0 {
            return false;
        }
        if let [.., Item::Model(turn), Item::Results(results)] = self.conversation.items() {
            let calls: Vec<ToolCall> = turn.calls().cloned().collect();
            self.reply.output = answer.given(&calls, results);
            self.reply.text = turn.text();
        }
        self.reply.output.is_some()
    }

    /// What a response without calls means.
    fn without_calls(&mut self, stop: StopReason) -> Option<Stop> {
        match stop {
            StopReason::Paused => None,
            StopReason::MaxTokens => Some(Stop::MaxTokens),
            StopReason::Refused => Some(Stop::Refused),
            StopReason::Other => Some(Stop::Other),
            StopReason::End | StopReason::ToolCalls => {
                let agent = &self.agent.inner;
                let Some(answer) = &agent.final_answer else {
                    return Some(Stop::Done);
                };
                if self.nudges >= NUDGES {
                    return Some(Stop::NoOutput);
                }
                self.nudges += 1;
                let text = answer.nudge(&agent.texts);
                self.conversation.push_reminder(text);
                None
            }
        }
    }

    /// Makes the conversation short, if it is time. Once for each response: its length says nothing
    /// of the conversation that was made short after it.
    async fn compact(&mut self) {
        let agent = Arc::clone(&self.agent.inner);
        let Some(compaction) = &agent.compaction else {
            return;
        };
        if !self.fresh || !compaction.is_due(&self.conversation) {
            return;
        }
        self.fresh = false;
        let shortened = {
            let shorten = pin!(compaction.shorten(&agent, &mut self.conversation));
            match select(self.cancel.cancelled(), shorten).await {
                Either::Right((shortened, _)) => shortened,
                Either::Left(_) => return,
            }
        };
        let (shortened, usage) = shortened;
        self.reply.usage += usage;
        let event = match shortened {
            Ok(0) => return,
            Ok(items) => {
                self.spent.responded(usage);
                Event::Shortened { items }
            }
            Err(error) => Event::NotShortened { error },
        };
        agent.happened(self.conversation.id(), &event);
        self.watcher.happened(&event);
        self.reply.events.push(event);
    }

    /// One response, or nothing if the run was cancelled.
    async fn turn(&mut self) -> Result<Option<ModelTurn>> {
        let agent = &self.agent.inner;
        self.conversation.begin_without(|| agent.off());
        hook::each(agent, |hook| hook.before_request(&self.conversation));
        let request = self.agent.request(&self.conversation);
        let request = match &agent.final_answer {
            Some(answer) if self.nudges > 0 => request.with_options(answer.options()),
            _ => request,
        };
        let watcher = &self.watcher;
        let mut tell = |event| watcher.tell(RunEvent::Model(event));
        let response = match watcher.listens() {
            true => agent.model.respond_streaming(request, &mut tell),
            false => agent.model.respond(request),
        };
        let response = pin!(observe::response(agent, response));
        let mut turn = match select(response, self.cancel.cancelled()).await {
            Either::Left((turn, _)) => turn?,
            Either::Right(((), _)) => return Ok(None),
        };
        turn.separate_ids();
        if let Some(search) = agent.search_name() {
            turn.mark_searches(search);
        }
        turn.hide_secrets(|call| agent.secrets(call));
        hook::each(agent, |hook| hook.after_response(&turn));
        Ok(Some(turn))
    }

    /// The limit that was reached, if any.
    fn limit(&self) -> Option<Stop> {
        if self.reply.steps >= self.agent.inner.max_steps {
            return Some(Stop::MaxSteps);
        }
        self.spent.limit()
    }

    /// Saves, once, what the user said: a model that is asked and paid must not answer into the void.
    async fn begin(&mut self) -> Result<()> {
        if !self.begun {
            self.save().await?;
            self.begun = true;
        }
        Ok(())
    }

    async fn save(&self) -> Result<()> {
        self.agent.save(&self.conversation).await
    }
}

impl Agent {
    async fn save(&self, conversation: &Conversation) -> Result<()> {
        match &self.inner.store {
            Some(store) => store.save(conversation).await.map_err(Error::Store),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("conversation", &self.conversation.id())
            .field("steps", &self.reply.steps)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

/// What the steps of a run share.
pub(super) struct Shared<'a> {
    /// Which calls were approved or denied.
    pub(super) decisions: HashMap<String, bool>,
    pub(super) cancel: &'a Cancel,
    pub(super) spent: &'a Arc<Spent>,
    pub(super) watcher: &'a Watcher,
}
