//! A call that can be taken to another thread.

use super::{Invocation, States};
use crate::context::Context;

/// A call that borrows nothing. Not to be printed: secrets may be among the arguments.
pub(super) struct Detached {
    arguments: String,
    states: States,
    exact: bool,
    context: Option<Context>,
}

impl Invocation<'_> {
    /// The same call, borrowing nothing.
    pub(super) fn detach(&self) -> Detached {
        Detached {
            arguments: self.arguments.to_owned(),
            states: self.states.clone(),
            exact: self.exact,
            context: self.context.cloned(),
        }
    }
}

impl Detached {
    /// The call as it was.
    pub(super) fn attach(&self) -> Invocation<'_> {
        let mut invocation = Invocation::new(&self.arguments, &self.states);
        invocation.exact = self.exact;
        invocation.context = self.context.as_ref();
        invocation
    }
}
