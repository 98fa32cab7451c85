//! Looking on, and stepping in.

use std::sync::Arc;

use super::{Event, Inner, Reply, observe, panics::caught, pipeline::Call};
use crate::{
    conversation::{Conversation, ModelTurn, ToolCall, ToolResult},
    error::Error,
    maybe_send::{MaybeSend, MaybeSync},
    tool::{ErrorKind, ToolError, ToolOutput, code},
};

/// Sees what happens in every run of an agent, and can refuse a call.
///
/// All methods do nothing unless they are written. They are called in the middle of a run, so they
/// should be quick. One that panics is passed over, and a call that it was to decide on is refused.
///
/// A call is shown under the name of the tool that runs, however it was called: by the model, through
/// `call_tool`, by another tool, or in the place of one that failed. The values of parameters with
/// `#[arg(secret)]` are `[secret]` in it. The conversation and the responses are what they are, with
/// everything that the provider needs; their `Debug` shows no secret either.
///
/// ```
/// use repertoire::{agent::{Decision, Hook}, conversation::ToolCall};
///
/// /// Lets nothing be erased on a Friday.
/// struct NoFridays {
///     friday: bool,
/// }
///
/// impl Hook for NoFridays {
///     fn before_tool(&self, call: &ToolCall) -> Decision {
///         match call.name() {
///             "erase" if self.friday => Decision::Refuse("nothing is erased on a Friday".into()),
///             _ => Decision::Run,
///         }
///     }
/// }
/// ```
pub trait Hook: MaybeSend + MaybeSync + 'static {
    /// A request is about to be sent.
    fn before_request(&self, _conversation: &Conversation) {}

    /// The model has responded.
    fn after_response(&self, _turn: &ModelTurn) {}

    /// A tool is about to run, in this or another thread: called by the model, or by another tool in
    /// the model's call, whose identifier the call then has.
    fn before_tool(&self, _call: &ToolCall) -> Decision {
        Decision::Run
    }

    /// A call of a tool has its result. The result of a call that another tool made goes to that tool,
    /// as it is; the others go to the model.
    fn after_tool(&self, _call: &ToolCall, _result: &ToolResult) {}

    /// Something else happened: a try that failed, a search, a refused call, and so on, with the
    /// identifier of the conversation.
    fn on_event(&self, _conversation: &str, _event: &Event) {}

    /// A run has ended, with a reply or because it could not go on.
    fn after_run(&self, _conversation: &Conversation, _outcome: Result<&Reply, &Error>) {}
}

/// What a [`Hook`] says to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Let it run.
    Run,
    /// It does not run; the model is told this.
    Refuse(String),
}

/// A call as hooks see it.
pub(super) fn seen(call: &Call<'_>) -> ToolCall {
    call.context.tool_call(call.entry, call.arguments)
}

/// What came of a call that hooks may refuse.
pub(super) struct Called {
    pub(super) outcome: Result<ToolOutput, ToolError>,
    /// Whether a hook refused it.
    refused: bool,
}

impl Called {
    /// Tells of the call.
    pub(super) fn tell(&self, call: &Call<'_>) {
        let tool = call.entry.name.to_string();
        call.context.event(match &self.outcome {
            Err(why) if self.refused => Event::CallRefused {
                tool,
                reason: why.to_string(),
            },
            outcome => Event::ToolCalled {
                tool,
                failed: outcome.is_err(),
            },
        });
    }
}

/// A call that ended from outside.
impl From<ToolError> for Called {
    fn from(error: ToolError) -> Self {
        Self {
            outcome: Err(error),
            refused: false,
        }
    }
}

/// Carries out a call, unless a hook refuses it.
pub(super) async fn call(agent: &Arc<Inner>, call: Call<'_>) -> Called {
    call.context.keep_secrets(call.entry, call.arguments);
    if !agent.hooks.is_empty() {
        let seen = seen(&call);
        for hook in &agent.hooks {
            let why = match caught(|| hook.before_tool(&seen)) {
                Ok(Decision::Run) => continue,
                Ok(Decision::Refuse(why)) => why,
                Err(_) => "it could not be decided whether this may run".to_owned(),
            };
            agent.refused_by_hook(&call.entry.name);
            return Called {
                outcome: Err(ToolError::new(ErrorKind::Denied, why).with_code(code::DENIED)),
                refused: true,
            };
        }
    }
    Called {
        outcome: observe::call(agent, call).await,
        refused: false,
    }
}

/// The same for a call that another tool made, whose result the hooks see as that tool gets it.
pub(super) async fn nested(agent: &Arc<Inner>, made: Call<'_>) -> Called {
    let called = call(agent, made).await;
    if !agent.hooks.is_empty() {
        let seen = seen(&made);
        let result = ToolResult::from_outcome(&seen, called.outcome.clone());
        each(agent, |hook| hook.after_tool(&seen, &result));
    }
    called
}

/// Tells every hook something.
pub(super) fn each(agent: &Inner, tell: impl Fn(&dyn Hook)) {
    for hook in &agent.hooks {
        // The panic itself was written where panics are written.
        let _ = caught(|| tell(hook.as_ref()));
    }
}
