//! Stopping a run from outside.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

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
    waiting: Mutex<Vec<Waker>>,
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
        let waiting = std::mem::take(
            &mut *self
                .shared
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        for waker in waiting {
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
        }
    }
}

struct Cancelled {
    shared: Arc<Shared>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut waiting = self
            .shared
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Looked at under the lock, so that no call of `cancel` comes between the two.
        if self.shared.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        if !waiting.iter().any(|known| known.will_wake(context.waker())) {
            waiting.push(context.waker().clone());
        }
        Poll::Pending
    }
}
