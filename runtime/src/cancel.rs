//! Stopping a run from outside.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
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
    waiting: Mutex<Waiting>,
}

/// Whom to wake. A handle may outlive many runs, so whoever no longer waits is taken out.
#[derive(Debug, Default)]
struct Waiting {
    wakers: BTreeMap<u64, Waker>,
    /// The number of the next one.
    next: u64,
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        let wakers = std::mem::take(&mut self.shared.waiting().wakers);
        for waker in wakers.into_values() {
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
    /// Under which number it waits.
    number: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let mut waiting = this.shared.waiting();
        // Looked at under the lock, so that no call of `cancel` comes between the two.
        if this.shared.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        let number = *this.number.get_or_insert_with(|| {
            waiting.next += 1;
            waiting.next
        });
        let known = waiting.wakers.get(&number);
        let earlier = if known.is_some_and(|known| known.will_wake(context.waker())) {
            None
        } else {
            waiting.wakers.insert(number, context.waker().clone())
        };
        drop(waiting);
        // A waker may run code of others when it is dropped, and then not under the lock.
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let waker = self.shared.waiting().wakers.remove(&number);
            drop(waker);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future, pin::pin, task::Context};

    use super::{Cancel, Waker};

    #[test]
    fn a_handle_that_lives_long_forgets_who_no_longer_waits() {
        let cancel = Cancel::new();
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..100 {
            let mut waits = pin!(cancel.cancelled());
            for _ in 0..2 {
                assert!(waits.as_mut().poll(&mut context).is_pending());
            }
            assert_eq!(cancel.shared.waiting().wakers.len(), 1);
        }
        assert!(cancel.shared.waiting().wakers.is_empty());
        let mut waits = pin!(cancel.cancelled());
        assert!(waits.as_mut().poll(&mut context).is_pending());
        cancel.cancel();
        assert!(waits.as_mut().poll(&mut context).is_ready());
    }
}
