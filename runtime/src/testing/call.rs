//! One call of one tool, through all that a call passes in a run.

use std::{
    any::Any,
    fmt,
    future::IntoFuture,
    panic::Location,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::Value;

use super::{Called, Fakes, TestClock, fakes::known, plain::arguments_text};
use crate::{
    Repertoire, Toolset,
    agent::{Agent, AgentBuilder, Alone, Approval},
    cancel::Cancel,
    clock::Clock,
    conversation::{Conversation, ModelTurn, Session},
    maybe_send::BoxFuture,
    model::{Model, ModelError},
    once::OnceStore,
    protocol::{Capabilities, Deferral, Request},
    tool::{Tool, Toolbox},
    toolset::RuntimeTool,
};

/// Calls an annotated function as an agent would: its arguments are checked, the call is approved, the
/// tool's policy holds, the result is what the model would read.
///
/// The call is awaited, and needs no model. What it comes to is a [`Called`], also when it fails.
/// `arguments` are JSON; a JSON string is taken as the very text that a model wrote, so that
/// `call::<stock>("{not json")` tests what the model is told then.
///
/// ```
/// use repertoire::{testing, tool, tool::{ErrorKind, code}};
/// use serde_json::json;
///
/// struct Inventory(u32);
///
/// /// Look up available warehouse stock by product SKU.
/// #[tool]
/// async fn warehouse_stock(
///     /// Stock keeping unit, for example "A-1042".
///     sku: &str,
///     #[state] inventory: &Inventory,
/// ) -> u32 {
///     if sku == "A-1042" { inventory.0 } else { 0 }
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let called = testing::call::<warehouse_stock>(json!({"sku": "A-1042"}))
///     .state(Inventory(215))
///     .await;
/// assert_eq!(called.text(), "215");
///
/// let called = testing::call::<warehouse_stock>(json!({"sku": 7}))
///     .state(Inventory(215))
///     .await;
/// let error = called.error().unwrap();
/// assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, Some(code::ARGUMENTS)));
/// # });
/// ```
///
/// Hours pass in no time on a [`TestClock`]:
///
/// ```
/// use std::time::Duration;
/// use repertoire::{Clock, ToolError, testing, tool, tool::ErrorKind};
/// use serde_json::json;
///
/// /// Ask a service that is down.
/// #[tool(retries = 3)]
/// async fn ask() -> Result<String, ToolError> {
///     Err(ToolError::new(ErrorKind::Transient, "service down").with_code("E1001"))
/// }
///
/// # let test = testing::TestClock::new();
/// # test.block_on(async {
/// let clock = testing::TestClock::new();
/// let called = testing::call::<ask>(json!({})).clock(clock.clone()).await;
/// assert_eq!(called.text(), "E1001: service down");
/// assert_eq!(clock.now(), Duration::from_secs(1 + 2 + 4));
/// # });
/// ```
///
/// # Panics
/// When it is awaited and cannot be made: a `#[state]` or a tool that stands in is missing, a fake has
/// the name of no tool. All problems are named.
#[track_caller]
pub fn call<'a, T: Tool>(arguments: impl Into<Value>) -> Call<'a> {
    let tools = Toolset::new().with::<T>();
    let mut call = Call::new(T::SPEC.name, arguments.into()).repertoire(tools);
    if !T::SPEC.enabled {
        let name = T::SPEC.name;
        call.problem(format!(
            "tool `{name}` says `enabled = false`, so no agent offers it"
        ));
    }
    call
}

/// The same for a method of a toolbox, by the name of its tool. The value is given with
/// [`state`](Call::state).
///
/// ```
/// use repertoire::{testing, toolbox};
/// use serde_json::json;
///
/// struct Shelf(Vec<&'static str>);
///
/// #[toolbox]
/// impl Shelf {
///     /// Count the books.
///     #[tool]
///     fn count_books(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let called = testing::call_method::<Shelf>("count_books", json!({}))
///     .state(Shelf(vec!["Emma"]))
///     .await;
/// assert_eq!(called.text(), "1");
/// # });
/// ```
///
/// # Panics
/// As [`call`], and when the toolbox has no such tool.
#[track_caller]
pub fn call_method<'a, T: Toolbox>(tool: &str, arguments: impl Into<Value>) -> Call<'a> {
    let mut tools = Toolset::new();
    for registration in T::TOOLS {
        // The others are there for calls within the call; their state is in the same value.
        tools.push(registration);
    }
    call_in(tools, tool, arguments)
}

/// The same for a tool that is made at run time.
///
/// ```
/// use repertoire::{testing, toolset::RuntimeTool};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let tool = RuntimeTool::new("shout", "Says it louder.", schema, |arguments| async move {
///     Ok(arguments["text"].as_str().unwrap_or_default().to_uppercase().into())
/// });
/// # testing::TestClock::new().block_on(async {
/// assert_eq!(testing::call_tool(tool, json!({"text": "hear"})).await.text(), "HEAR");
/// # });
/// ```
///
/// # Panics
/// As [`call`], and when name, description or schema are wrong.
#[track_caller]
pub fn call_tool<'a>(tool: RuntimeTool, arguments: impl Into<Value>) -> Call<'a> {
    let name = tool.name().to_owned();
    Call::new(&name, arguments.into()).repertoire(Toolset::new().with_tool(tool))
}

/// The same for any tool of a [`Toolset`] or of [`linked!()`](crate::linked), with what the toolset
/// says of its policy.
///
/// ```
/// use repertoire::{Toolset, testing, tool, tool::code};
/// use serde_json::json;
///
/// /// Describe a product.
/// #[tool]
/// fn describe() -> String {
///     "blue".repeat(100)
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let tools = Toolset::new().with::<describe>();
/// let tools = tools.policy("describe", |policy| policy.max_output(8)).unwrap();
/// let called = testing::call_in(tools, "describe", json!({})).await;
/// assert!(called.text().starts_with("blueblue\n[cut"));
/// # });
/// ```
///
/// # Panics
/// As [`call`], and when there is no tool of that name.
#[track_caller]
pub fn call_in<'a>(
    repertoire: impl Into<Repertoire>,
    tool: &str,
    arguments: impl Into<Value>,
) -> Call<'a> {
    let repertoire = repertoire.into();
    let mut call = Call::new(tool, arguments.into());
    if !repertoire.tools().names().any(|name| name == tool) {
        let known = known(tool, repertoire.tools().names());
        call.problem(format!("there is no tool `{tool}`{known}"));
    }
    call.repertoire(repertoire)
}

/// A call of a tool, as [`call`] and its relatives describe it. It is made when it is awaited.
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
    fn new(tool: &str, arguments: Value) -> Self {
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

    /// More tools: those that stand in, and those that the tool itself calls.
    pub fn repertoire(mut self, repertoire: impl Into<Repertoire>) -> Self {
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

    fn problem(&mut self, problem: String) {
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("tool", &self.tool)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// The model behind a call, which only a tool that asks something ever needs.
#[derive(Default)]
struct Answers {
    model: Mutex<Option<Arc<dyn Model>>>,
}

impl Answers {
    fn set(&self, model: Arc<dyn Model>) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = Some(model);
    }

    fn get(&self) -> Option<Arc<dyn Model>> {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        model.clone()
    }
}

impl Model for Answers {
    fn capabilities(&self) -> Capabilities {
        // Deferred tools stay deferred whatever the model can do.
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async move {
            match self.get() {
                Some(model) => model.respond(request).await,
                None => Err(ModelError::other(
                    "the call under test has no model; give it one with `.model(...)`",
                )),
            }
        })
    }
}
