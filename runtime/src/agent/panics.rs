//! A user's code that panics must not take a run with it.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use futures_util::FutureExt;

/// Runs a user's code; a panic is its message.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_message(panic.as_ref()))
}

/// The same for a future, which is made within too.
pub(super) async fn caught_async<T, F: Future<Output = T>>(
    make: impl FnOnce() -> F,
) -> Result<T, String> {
    let run = AssertUnwindSafe(async { make().await });
    let outcome = run.catch_unwind().await;
    outcome.map_err(|panic| panic_message(panic.as_ref()))
}

pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned()
}
