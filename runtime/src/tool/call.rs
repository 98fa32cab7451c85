//! One call of a tool, as generated code receives it.

use std::fmt;

use super::{States, ToolError, code};
use crate::context::Context;

/// The arguments of one call and what the program gave to its tools.
///
/// ```
/// use repertoire::{Tool, tool, tool::{Invocation, States}};
///
/// /// Double a number.
/// #[tool]
/// fn double(
///     /// The number.
///     number: i64,
/// ) -> i64 {
///     number * 2
/// }
///
/// # futures_executor(async {
/// let states = States::new();
/// let call = double::REGISTRATION.call();
/// let output = call(Invocation::new(r#"{"number": 21}"#, &states)).await.unwrap();
/// assert_eq!(output.to_text(), "42");
/// # });
/// # fn futures_executor<F: Future<Output = ()>>(future: F) {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     assert!(std::pin::pin!(future).poll(&mut context).is_ready());
/// # }
/// ```
#[derive(Clone, Copy)]
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

impl fmt::Debug for Invocation<'_> {
    /// Says how long the arguments are and not what they hold: secrets may be among them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation")
            .field("argument_bytes", &self.arguments.len())
            .field("exact", &self.exact)
            .finish_non_exhaustive()
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
