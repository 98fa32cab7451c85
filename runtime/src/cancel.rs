//! Stopping a run from outside.

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use crate::context::lock;

/// A handle that stops a run: every call that has not ended gets a result that says so, and the
/// conversation stays whole.
///
/// Clones are one handle. Dropping it stops nothing.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
}

/// Who waits, each under a number of its own.
#[derive(Debug, Default)]
struct Waiting {
    wakers: HashMap<u64, Waker>,
    numbers: u64,
}

impl Cancel {
    /// A handle that has not been used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops whatever goes by this handle, now and later.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Release);
        let waiting = std::mem::take(&mut lock(&self.shared.waiting).wakers);
        for waker in waiting.into_values() {
            waker.wake();
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Acquire)
    }

    /// Ends when [`cancel`](Self::cancel) is called.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        Cancelled {
            shared: Arc::clone(&self.shared),
            number: None,
        }
    }
}

struct Cancelled {
    shared: Arc<Shared>,
    /// The number under which this waits.
    number: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut waiting = lock(&this.shared.waiting);
        // Looked at under the lock, so that no call of `cancel` comes between the two.
        if this.shared.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        let number = *this.number.get_or_insert_with(|| {
            waiting.numbers += 1;
            waiting.numbers
        });
        match waiting.wakers.get_mut(&number) {
            Some(waker) => waker.clone_from(context.waker()),
            None => {
                waiting.wakers.insert(number, context.waker().clone());
            }
        }
        Poll::Pending
    }
}

impl Drop for Cancelled {
    /// Who does not wait any more is not remembered.
    fn drop(&mut self) {
        if let Some(number) = self.number {
            lock(&self.shared.waiting).wakers.remove(&number);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::{Cancel, lock};

    #[test]
    fn nobody_is_remembered_who_does_not_wait() {
        let cancel = Cancel::new();
        let mut waits = Box::pin(cancel.cancelled());
        for _ in 0..100 {
            assert!(cancel.cancelled().now_or_never().is_none());
            assert!(waits.as_mut().now_or_never().is_none());
        }
        assert_eq!(lock(&cancel.shared.waiting).wakers.len(), 1);
        cancel.cancel();
        assert!(waits.now_or_never().is_some());
        assert!(cancel.cancelled().now_or_never().is_some());
    }
}
