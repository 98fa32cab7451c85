//! One call of a tool, as generated code receives it.

use super::States;
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
