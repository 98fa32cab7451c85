//! What a tool may know and do while it runs.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    agent::{Event, Inner, Spent, Watcher, nested},
    cancel::Cancel,
    conversation::{Session, SessionError, ToolCall},
    finite::to_text,
    secrets::{blot, blot_json, values},
    tool::{ErrorKind, Tool, ToolError, ToolOutput, code},
    toolset::Entry,
};

/// After so many events of one call, those of which there may be any number are told and not kept.
const MOST_EVENTS: usize = 1_000;

/// What a tool may know and do while it runs: the conversation's shared values, cancellation, other
/// tools, and a question to the model.
///
/// A tool takes it with `#[context] cx: &Context`.
#[derive(Clone)]
pub struct Context {
    step: Arc<Step>,
    call: Arc<CallState>,
    /// This call and those around it.
    link: Arc<Link>,
    /// Which try of this call it is.
    number: u32,
    /// When the call is given up, by the agent's clock.
    until: Option<Duration>,
}

/// What all calls of one step share.
pub(crate) struct Step {
    pub(crate) agent: Arc<Inner>,
    pub(crate) conversation: String,
    /// The deferred tools whose definitions the model had seen.
    pub(crate) loaded: HashSet<String>,
    pub(crate) session: Mutex<Session>,
    /// The thread that is changing a value of the session, and may not ask for it again meanwhile.
    pub(crate) changing: Mutex<Option<ThreadId>>,
    pub(crate) cancel: Cancel,
    pub(crate) spent: Arc<Spent>,
    pub(crate) watcher: Watcher,
    /// Which calls were approved or denied before the step ran.
    pub(crate) decisions: HashMap<String, bool>,
    /// Set when the step is over: a context that is kept longer can do nothing any more.
    pub(crate) ended: AtomicBool,
}

/// A call in the chain of calls that stand within each other.
struct Link {
    number: u64,
    depth: usize,
    /// The call around it, and which of its tries this one stands in.
    around: Option<(Arc<Link>, u32)>,
    /// How many tries of this call are over.
    over: AtomicU32,
    /// The values of its secret parameters.
    secrets: OnceLock<Vec<String>>,
    /// Whether something may have changed that cannot be called back: a call within, or a try.
    effect: AtomicBool,
}

impl Link {
    fn new(around: Option<(Arc<Self>, u32)>) -> Arc<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Arc::new(Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            depth: around.as_ref().map_or(0, |(around, _)| around.depth + 1),
            around,
            over: AtomicU32::new(0),
            secrets: OnceLock::new(),
            effect: AtomicBool::new(false),
        })
    }

    fn around(&self) -> Option<&Self> {
        self.around.as_ref().map(|(link, _)| link.as_ref())
    }

    /// Whether this try is over, or one around it.
    fn is_over(&self, number: u32) -> bool {
        let (mut link, mut number) = (self, number);
        loop {
            if link.over.load(Ordering::Acquire) != number {
                return true;
            }
            match &link.around {
                Some((around, of)) => (link, number) = (around, *of),
                None => return false,
            }
        }
    }
}

/// What the calls within one call share.
#[derive(Default)]
struct CallState {
    id: String,
    events: Mutex<Vec<Event>>,
}

impl Context {
    pub(crate) fn new(step: &Arc<Step>, call_id: &str) -> Self {
        Self {
            step: Arc::clone(step),
            call: Arc::new(CallState {
                id: call_id.to_owned(),
                events: Mutex::default(),
            }),
            link: Link::new(None),
            number: 0,
            until: None,
        }
    }

    /// The identifier of the conversation.
    #[must_use]
    pub fn conversation(&self) -> &str {
        &self.step.conversation
    }

    /// The identifier of the call that the model made; the same for all calls within it.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call.id
    }

    /// The handle that stops the run. A long computation looks at it from time to time; a future is
    /// dropped by itself.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.step.cancel
    }

    /// How much time is left before this call is given up, by the shortest of the time limits that
    /// its tool and the tools around it have. None where there is no limit.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        let clock = self.step.agent.clock()?;
        self.until.map(|until| until.saturating_sub(clock.now()))
    }

    /// A value that the tools of this conversation share.
    ///
    /// # Errors
    /// There is a value of that name, and it is of another type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, SessionError> {
        self.session(name)?.get(name)
    }

    /// Shares a value with the tools of this conversation. It is saved with the conversation.
    ///
    /// # Errors
    /// The value cannot be written as JSON (a number that is not finite cannot), all values together
    /// would be too large, or the run is over.
    pub fn set<T: Serialize>(&self, name: impl Into<String>, value: T) -> Result<(), SessionError> {
        let name = name.into();
        let mut session = self.session(&name)?;
        if self.has_ended() {
            return Err(SessionError::Ended(name));
        }
        session.set(name, value)
    }

    /// Changes a shared value in one go: what other calls do at the same time comes before or after.
    /// `change` gets the value as it is, or nothing, and should be quick: all other calls that want a
    /// shared value wait for it. It gets none itself; what it needs is asked for before.
    ///
    /// ```
    /// use repertoire::{Context, ToolError, tool};
    ///
    /// /// Count the visits.
    /// #[tool]
    /// fn visit(#[context] cx: &Context) -> Result<u32, ToolError> {
    ///     cx.update("visits", |visits: Option<u32>| visits.unwrap_or(0) + 1)
    ///         .map_err(ToolError::failed)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`get`](Self::get) and [`set`](Self::set), which fail within `change`. The value is then as it
    /// was.
    pub fn update<T, F>(&self, name: &str, change: F) -> Result<T, SessionError>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce(Option<T>) -> T,
    {
        let mut session = self.session(name)?;
        if self.has_ended() {
            return Err(SessionError::Ended(name.to_owned()));
        }
        let now = session.get(name)?;
        let value = {
            let _changing = Changing::begin(&self.step.changing);
            change(now)
        };
        session.set(name, &value)?;
        Ok(value)
    }

    /// Calls another tool of this agent by its name, as the model would: with its gate, its approval
    /// and its policy. The call shows among the events of the run.
    ///
    /// # Errors
    /// What the model would be told: no such tool, not loaded, wrong arguments, the tool's own
    /// failure, or too many calls within calls.
    pub async fn call(
        &self,
        tool: &str,
        arguments: impl Serialize,
    ) -> Result<ToolOutput, ToolError> {
        let arguments = to_text(&arguments).map_err(|error| {
            let message = format!("`{tool}` cannot be called with these arguments: {error}");
            ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS)
        })?;
        // What has no arguments is given none.
        let arguments = match arguments.as_str() {
            "null" => "{}",
            arguments => arguments,
        };
        nested(&self.step.agent, self, tool, arguments).await
    }

    /// Calls another tool of this agent by the type beside its function.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_tool<T: Tool>(
        &self,
        arguments: impl Serialize,
    ) -> Result<ToolOutput, ToolError> {
        self.call(T::SPEC.name, arguments).await
    }

    /// Lets the agent's model choose one of some options, and returns its place among them. The
    /// model sees the question and the options, and nothing of the conversation.
    ///
    /// # Errors
    /// There are no options, the model gave no answer, or none of the options twice.
    pub async fn choose(&self, question: &str, options: &[&str]) -> Result<usize, ToolError> {
        crate::agent::choose(self, question, options).await
    }

    /// Tells what the tool is doing, for whoever watches the run.
    pub fn progress(&self, message: impl Into<String>) {
        if self.has_ended() {
            return;
        }
        self.event(Event::Progress {
            call_id: self.call.id.clone(),
            message: message.into(),
        });
    }

    pub(crate) fn step(&self) -> &Step {
        &self.step
    }

    /// The step with all that its calls share, for a call that goes on.
    ///
    /// # Errors
    /// The run was cancelled, or the step is over.
    pub(crate) fn going_on(&self) -> Result<&Step, ToolError> {
        match self.is_over() {
            false => Ok(&self.step),
            true => Err(crate::agent::cancelled(&self.step.agent)),
        }
    }

    fn is_over(&self) -> bool {
        self.step.cancel.is_cancelled() || self.has_ended()
    }

    /// Whether the step is over, or the try that this context was made for.
    fn has_ended(&self) -> bool {
        self.step.ended.load(Ordering::Acquire) || self.link.is_over(self.number)
    }

    pub(crate) fn depth(&self) -> usize {
        self.link.depth
    }

    /// Remembers what came of a try of this call, or of a call within it.
    pub(crate) fn note_effect(&self, outcome: &Result<ToolOutput, ToolError>) {
        if !matches!(outcome, Err(error) if error.is_without_effect()) {
            self.link.effect.store(true, Ordering::Relaxed);
        }
    }

    /// The same for what a call within this one has remembered.
    pub(crate) fn note_effect_within(&self, inner: &Self) {
        if inner.had_effect() {
            self.link.effect.store(true, Ordering::Relaxed);
        }
    }

    /// Whether this call may have changed something.
    pub(crate) fn had_effect(&self) -> bool {
        self.link.effect.load(Ordering::Relaxed)
    }

    /// This call and those around it, this one last.
    pub(crate) fn chain(&self) -> Vec<u64> {
        let mut numbers = Vec::with_capacity(self.link.depth + 1);
        let mut link = Some(self.link.as_ref());
        while let Some(this) = link {
            numbers.push(this.number);
            link = this.around();
        }
        numbers.reverse();
        numbers
    }

    /// What was decided of the model's own call. A call within it is another question.
    pub(crate) fn decision(&self) -> Option<bool> {
        if self.depth() > 0 {
            return None;
        }
        self.step.decisions.get(&self.call.id).copied()
    }

    /// The same within a call of another tool.
    pub(crate) fn deeper(&self) -> Self {
        Self {
            link: Link::new(Some((Arc::clone(&self.link), self.number))),
            number: 0,
            ..self.clone()
        }
    }

    /// The same for what is tried now.
    pub(crate) fn renewed(&self) -> Self {
        Self {
            number: self.link.over.load(Ordering::Acquire),
            ..self.clone()
        }
    }

    /// Begins a try. With what this returns it ends: whoever keeps the context of the try can do
    /// nothing with it any more.
    pub(crate) fn begin_try(&self) -> Try<'_> {
        Try(&self.link)
    }

    /// The same with a time limit, unless there is a shorter one.
    pub(crate) fn within(&self, limit: Duration) -> Self {
        let mut within = self.clone();
        if let Some(clock) = self.step.agent.clock() {
            let until = clock.now().saturating_add(limit);
            within.until = Some(self.until.map_or(until, |earlier| earlier.min(until)));
        }
        within
    }

    pub(crate) fn event(&self, event: Event) {
        if self.step.ended.load(Ordering::Acquire) {
            return;
        }
        self.step.agent.happened(&self.step.conversation, &event);
        self.step.watcher.happened(&event);
        let mut events = lock(&self.call.events);
        if events.len() < MOST_EVENTS || !event.may_be_many() {
            events.push(event);
        }
    }

    pub(crate) fn take_events(&self) -> Vec<Event> {
        std::mem::take(&mut *lock(&self.call.events))
    }

    /// The call as approvers and hooks see it.
    pub(crate) fn tool_call(&self, entry: &Entry, arguments: &str) -> ToolCall {
        let arguments = self.shown(entry, arguments);
        ToolCall::new(&self.call.id, entry.name.as_ref(), arguments)
    }

    /// The arguments of this call to look at, without the secrets of the calls around it either.
    pub(crate) fn shown(&self, entry: &Entry, arguments: &str) -> String {
        let shown = entry.shown(arguments).into_owned();
        self.secrets_around()
            .fold(shown, |shown, secrets| blot_json(&shown, secrets))
    }

    /// A text without the secrets of the calls around this one.
    pub(crate) fn without_secrets_around(&self, text: &str) -> String {
        let text = text.to_owned();
        self.secrets_around()
            .fold(text, |text, secrets| blot(&text, secrets))
    }

    /// Remembers the secrets of this call, for the calls within it.
    pub(crate) fn keep_secrets(&self, entry: &Entry, arguments: &str) {
        if !entry.secrets.is_empty() {
            let keep = || values(arguments, &entry.secrets);
            self.link.secrets.get_or_init(keep);
        }
    }

    /// Whether a call around this one has secrets.
    pub(crate) fn is_within_secrets(&self) -> bool {
        self.secrets_around().next().is_some()
    }

    fn secrets_around(&self) -> impl Iterator<Item = &[String]> {
        let first = self.link.around();
        let around = std::iter::successors(first, |link| link.around());
        around.filter_map(|link| link.secrets.get().map(Vec::as_slice))
    }

    fn session(&self, name: &str) -> Result<MutexGuard<'_, Session>, SessionError> {
        if *lock(&self.step.changing) == Some(thread::current().id()) {
            return Err(SessionError::Changing(name.to_owned()));
        }
        Ok(lock(&self.step.session))
    }
}

/// One try of a call.
pub(crate) struct Try<'a>(&'a Link);

impl Drop for Try<'_> {
    fn drop(&mut self) {
        self.0.over.fetch_add(1, Ordering::Release);
    }
}

/// Somebody's code runs while the session is locked.
struct Changing<'a>(&'a Mutex<Option<ThreadId>>);

impl<'a> Changing<'a> {
    fn begin(thread: &'a Mutex<Option<ThreadId>>) -> Self {
        *lock(thread) = Some(thread::current().id());
        Self(thread)
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("conversation", &self.step.conversation)
            .field("call_id", &self.call.id)
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
