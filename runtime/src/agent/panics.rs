//! A user's code that panics must not take a run with it.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::FutureExt;

use crate::maybe_send::BoxFuture;

/// Runs a user's code; a panic is its message.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(panic_message)
}

/// The same for a future, which is made within too.
pub(super) async fn caught_async<T, F: Future<Output = T>>(
    make: impl FnOnce() -> F,
) -> Result<T, String> {
    let run = AssertUnwindSafe(async { make().await });
    let outcome = run.catch_unwind().await;
    outcome.map_err(panic_message)
}

/// What somebody's code panicked with, in words.
pub(crate) fn panic_message(panic: Box<dyn Any + Send>) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned();
    discard(panic);
    message
}

/// Drops something of somebody else's, which may panic at that.
fn discard<T>(thing: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(thing))) {
        // It may panic as well when it is dropped, and so on.
        std::mem::forget(panic);
    }
}

/// A future of somebody's code. What panics when it is given up is passed over.
pub(super) struct Careful<'a, T>(Option<BoxFuture<'a, T>>);

impl<'a, T> Careful<'a, T> {
    pub(super) fn new(future: BoxFuture<'a, T>) -> Self {
        Self(Some(future))
    }
}

impl<T> Future for Careful<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        match &mut self.0 {
            Some(future) => future.as_mut().poll(context),
            // Only `drop` takes it away.
            None => Poll::Pending,
        }
    }
}

impl<T> Drop for Careful<'_, T> {
    fn drop(&mut self) {
        discard(self.0.take());
    }
}
