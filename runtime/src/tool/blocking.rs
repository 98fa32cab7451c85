//! Functions that block: each call has a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_channel::oneshot;
use tracing::Span;

use super::{Invocation, States, ToolError, ToolOutput, code};
use crate::{agent::panic_message, context::Context};

/// A call that borrows nothing. Not to be printed: secrets may be among the arguments.
#[allow(missing_debug_implementations)]
pub struct Detached {
    arguments: String,
    states: States,
    exact: bool,
    context: Option<Context>,
}

impl Invocation<'_> {
    /// The same call, borrowing nothing.
    #[doc(hidden)]
    #[must_use]
    pub fn detach(&self) -> Detached {
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
    #[must_use]
    pub fn attach(&self) -> Invocation<'_> {
        let mut invocation = Invocation::new(&self.arguments, &self.states);
        invocation.exact = self.exact;
        invocation.context = self.context.as_ref();
        invocation
    }
}

/// Runs a function that may block. If the future is dropped, the function still runs to its end.
///
/// # Errors
///
/// What the function fails with, or that it panicked.
pub async fn blocking<F>(function: F) -> Result<ToolOutput, ToolError>
where
    F: FnOnce() -> Result<ToolOutput, ToolError> + Send + 'static,
{
    // Threads cannot be started there, and nothing else runs that could be held up.
    if cfg!(target_family = "wasm") {
        return function();
    }
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("tool".to_owned());
    // The trace goes on in the other thread.
    let span = Span::current();
    let started = thread.spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| span.in_scope(function)));
        let outcome = outcome.unwrap_or_else(|panic| {
            let message = format!("the tool panicked: {}", panic_message(panic));
            Err(ToolError::failed(message).with_code(code::PANICKED))
        });
        // Nobody may be waiting any more.
        let _ = sender.send(outcome);
    });
    if let Err(error) = started {
        return Err(ToolError::failed(format_args!(
            "no thread could be started for the tool: {error}"
        )));
    }
    // The sender is never dropped without a word, unless the thread was killed.
    receiver
        .await
        .unwrap_or_else(|_| Err(ToolError::failed("the tool panicked").with_code(code::PANICKED)))
}
