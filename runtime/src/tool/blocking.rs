//! Functions that are not async: called at once, or on a thread of their own if they block.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_channel::oneshot;
use tracing::Span;

use super::{Invocation, ToolError, ToolOutput, code, places::Places};
use crate::{agent::panic_message, maybe_send::BoxFuture};

/// Decodes the arguments, runs the function and encodes what it returns.
pub(crate) type RunFn = for<'a> fn(Invocation<'a>) -> Result<ToolOutput, ToolError>;

/// Calls a function when the future is first polled.
pub fn at_once<'a>(
    run: RunFn,
    invocation: Invocation<'a>,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    Box::pin(async move { run(invocation) })
}

/// Calls a function where it is polled: there are no threads, and nothing else that could be held up.
#[cfg(target_arch = "wasm32")]
pub fn on_a_thread<'a>(
    run: RunFn,
    invocation: Invocation<'a>,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    at_once(run, invocation)
}

/// Calls a function on a thread of its own. The thread outlives a call that is given up, so it takes all
/// that it needs with it.
#[cfg(not(target_arch = "wasm32"))]
pub fn on_a_thread<'a>(
    run: RunFn,
    invocation: Invocation<'a>,
) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
    Box::pin(async move {
        let detached = invocation.detach();
        blocking(move || run(detached.attach())).await
    })
}

/// The most threads at once. A call that finds them all at work waits, and its time with it: a service
/// that hangs then costs threads, and not all there are.
const MOST_THREADS: usize = 512;

static THREADS: Places = Places::new(MOST_THREADS);

/// Runs a function that may block. If the future is dropped, the function still runs to its end.
///
/// # Errors
///
/// What the function fails with, or that it panicked.
pub(crate) async fn blocking<F>(function: F) -> Result<ToolOutput, ToolError>
where
    F: FnOnce() -> Result<ToolOutput, ToolError> + Send + 'static,
{
    // Threads cannot be started there, and nothing else runs that could be held up.
    if cfg!(target_family = "wasm") {
        return function();
    }
    let place = THREADS.take().await;
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
        drop(place);
        // Before whoever waits goes on: their span may end at once.
        drop(span);
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
