//! What is said of a call before it is made, and the making.

use std::{any::Any, fmt, future::IntoFuture, panic::Location, sync::Arc};

use serde::Serialize;
use serde_json::Value;

use super::answers::Answers;
use crate::{
    Repertoire,
    agent::{Agent, AgentBuilder, Alone, Approval},
    cancel::Cancel,
    clock::Clock,
    conversation::{Conversation, Session},
    maybe_send::BoxFuture,
    model::Model,
    once::OnceStore,
    testing::{Called, Fakes, TestClock, plain::arguments_text},
};

/// A call of a tool, as [`call`](fn@super::call) and its relatives describe it. It is made when it is awaited.
#[must_use = "a call is made when it is awaited"]
pub struct Call<'a> {
    tool: String,
    arguments: String,
    agent: AgentBuilder,
    model: Arc<Answers>,
    conversation: Option<&'a mut Conversation>,
    session: Session,
    loaded: Option<Vec<String>>,
    cancel: Cancel,
    driven: Option<TestClock>,
    problems: Vec<String>,
    place: &'static Location<'static>,
}

impl<'a> Call<'a> {
    #[track_caller]
    pub(super) fn new(tool: &str, arguments: Value) -> Self {
        let model = Arc::new(Answers::default());
        Self {
            tool: tool.to_owned(),
            arguments: arguments_text(&arguments),
            agent: Agent::builder(Arc::clone(&model)),
            model,
            conversation: None,
            session: Session::default(),
            loaded: None,
            cancel: Cancel::new(),
            driven: None,
            problems: Vec::new(),
            place: Location::caller(),
        }
    }

    /// A value for the `#[state]` parameters of its type.
    pub fn state<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.agent = self.agent.state(value);
        self
    }

    /// Where time comes from. Default: the system.
    ///
    /// A [`TestClock`] is driven by the call: its time passes whenever the tool waits for time and
    /// for nothing that other tasks of the executor do. A tool that waits for another thread or for
    /// the network is better tested on the system's clock.
    pub fn clock<C: Clock>(mut self, clock: C) -> Self {
        let any: &dyn Any = &clock;
        self.driven = any.downcast_ref::<TestClock>().cloned();
        self.agent = self.agent.clock(clock);
        self
    }

    /// The answer to the question whether the call may run, and to the same question about calls
    /// within it. Default: nobody answers, so a tool that requires approval does not run.
    /// [`Approval::Later`] is no here, since a call by itself cannot pause.
    pub fn approve(mut self, answer: impl Into<Approval>) -> Self {
        let answer = answer.into();
        self.agent = self.agent.approve(move |_| std::future::ready(answer));
        self
    }

    /// A value that the tools of the conversation share, as
    /// [`Context::set`](crate::Context::set) would have left it.
    pub fn session<T: Serialize>(mut self, name: &str, value: T) -> Self {
        if let Err(error) = self.session.set(name, value) {
            self.problem(error.to_string());
        }
        self
    }

    /// The conversation that the call belongs to: its identifier and its shared values, which the
    /// call may change. Default: a new one.
    pub fn conversation(mut self, conversation: &'a mut Conversation) -> Self {
        self.conversation = Some(conversation);
        self
    }

    /// The deferred tools that the model has found so far. Default: all.
    pub fn loaded<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.loaded = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// More tools: those that stand in, and those that the tool itself calls. Their state is needed
    /// only when they are called.
    pub fn repertoire(mut self, repertoire: impl Into<Repertoire>) -> Self {
        let repertoire = repertoire.into().for_tool(&self.tool);
        self.agent = self.agent.repertoire(repertoire);
        self
    }

    /// Other bodies for tools, most often those that the tool calls.
    pub fn fakes(mut self, fakes: &Fakes) -> Self {
        self.agent = self.agent.fakes(fakes);
        self
    }

    /// Where calls of `once` tools are remembered. A test that makes a call twice gives both the
    /// same one, in an `Arc`. Default: a new one.
    pub fn once_store(mut self, store: impl OnceStore) -> Self {
        self.agent = self.agent.once_store(store);
        self
    }

    /// Who answers [`Context::choose`](crate::Context::choose). Default: nobody, which is an error.
    pub fn model(self, model: impl Model) -> Self {
        self.model.set(Arc::new(model));
        self
    }

    /// The handle that stops the call.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    pub(super) fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    async fn run(mut self) -> Called {
        let agent = match self.agent.build() {
            Ok(agent) => Some(agent),
            Err(crate::Error::Build(error)) => {
                self.problems.extend(error.problems().iter().cloned());
                None
            }
            Err(error) => {
                self.problems.push(error.to_string());
                None
            }
        };
        let Some(agent) = agent.filter(|_| self.problems.is_empty()) else {
            panic!(
                "the call of `{}` at {} cannot be made:\n- {}",
                self.tool,
                self.place,
                self.problems.join("\n- ")
            );
        };
        let mut own = Conversation::new();
        let conversation = self.conversation.unwrap_or(&mut own);
        conversation.session_mut().extend(self.session);
        let call = Alone {
            tool: &self.tool,
            arguments: &self.arguments,
            loaded: self.loaded.as_deref(),
            cancel: &self.cancel,
        };
        let run = agent.call_alone(conversation, call);
        let (outcome, events) = match &self.driven {
            Some(clock) => clock.drive(run).await,
            None => run.await,
        };
        Called {
            text: match &outcome {
                Ok(output) => output.to_text(),
                Err(error) => error.to_string(),
            },
            outcome,
            events,
            session: conversation.session().clone(),
        }
    }
}

impl<'a> IntoFuture for Call<'a> {
    type Output = Called;
    type IntoFuture = BoxFuture<'a, Called>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl fmt::Debug for Call<'_> {
    /// Does not show the arguments, among which secrets may be.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
