//! Looking on, and stepping in.

use crate::{
    conversation::{Conversation, ModelTurn, ToolCall, ToolResult},
    maybe_send::{MaybeSend, MaybeSync},
};

/// Sees what happens in every run of an agent, and can refuse a call.
///
/// All methods do nothing unless they are written. They are called in the middle of a run, so they
/// should be quick.
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

    /// A tool is about to run, in this or another thread.
    fn before_tool(&self, _call: &ToolCall) -> Decision {
        Decision::Run
    }

    /// A call of a tool has its result.
    fn after_tool(&self, _call: &ToolCall, _result: &ToolResult) {}
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
