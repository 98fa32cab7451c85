//! One call of a tool, as generated code receives it.

use super::{States, ToolError, code};
use crate::context::Context;

/// The arguments of one call and what the program gave to its tools.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Invocation<'a> {
    /// The arguments as the model wrote them: JSON text, not yet checked.
    pub arguments: &'a str,
    /// The values given with `.state(...)`.
    pub states: &'a States,
    /// Whether arguments that are not exactly as the schema says are refused, even where what was
    /// meant is beyond doubt (such as `"5"` for `5`).
    pub exact: bool,
    /// What the tool may know and do. None where a tool is called outside of an agent.
    pub context: Option<&'a Context>,
}

impl<'a> Invocation<'a> {
    /// A call with these arguments and values.
    #[must_use]
    pub fn new(arguments: &'a str, states: &'a States) -> Self {
        Self {
            arguments,
            states,
            exact: false,
            context: None,
        }
    }
}

/// The type of a `#[context]` parameter.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the context of a call",
    label = "expected `repertoire::Context`",
    note = "a value of the program is marked `#[state]`"
)]
pub trait CallContext {
    /// The context itself.
    fn of(context: &Context) -> &Self;
}

impl CallContext for Context {
    fn of(context: &Context) -> &Self {
        context
    }
}

/// The value of a `#[context]` parameter.
///
/// # Errors
///
/// When the tool is called outside of an agent.
pub fn context<'a, T: CallContext>(invocation: &Invocation<'a>) -> Result<&'a T, ToolError> {
    invocation.context.map(T::of).ok_or_else(|| {
        ToolError::failed("the tool needs a context, which only a call by an agent has")
            .with_code(code::NO_STATE)
    })
}
