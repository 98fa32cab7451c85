//! Places for threads: so many at once, and the next one waits.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_channel::oneshot;

/// Places of which a number can be taken.
pub(super) struct Places(Mutex<State>);

struct State {
    free: usize,
    waiting: VecDeque<oneshot::Sender<Place>>,
}

/// A place that is taken until this is dropped.
pub(super) struct Place(&'static Places);

impl Places {
    pub(super) const fn new(free: usize) -> Self {
        Places(Mutex::new(State {
            free,
            waiting: VecDeque::new(),
        }))
    }

    /// Takes a place, or waits for one. Who came first is served first.
    pub(super) async fn take(&'static self) -> Place {
        let receiver = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return Place(self);
            }
            let (sender, receiver) = oneshot::channel();
            state.waiting.push_back(sender);
            receiver
        };
        match receiver.await {
            Ok(place) => place,
            // A sender that waits is never dropped; were it, one more thread would do no harm.
            Err(_) => Place(self),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let places = self.0;
        let mut state = places.state();
        while let Some(next) = state.waiting.pop_front() {
            // Who has given up is passed over.
            if !next.is_canceled() {
                drop(state);
                // If it gives up just now, the place comes back and is dropped here, once more.
                drop(next.send(Place(places)));
                return;
            }
        }
        state.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::{FutureExt, future::poll_immediate};

    use super::Places;

    #[test]
    fn the_next_one_waits_and_who_gives_up_is_passed_over() {
        static PLACES: Places = Places::new(2);
        let first = PLACES.take().now_or_never().unwrap();
        let second = PLACES.take().now_or_never().unwrap();
        let mut gives_up = Box::pin(PLACES.take());
        assert!(
            poll_immediate(&mut gives_up)
                .now_or_never()
                .unwrap()
                .is_none()
        );
        let mut waits = pin!(PLACES.take());
        assert!(
            poll_immediate(waits.as_mut())
                .now_or_never()
                .unwrap()
                .is_none()
        );
        drop(gives_up);
        drop(first);
        let third = waits.now_or_never().unwrap();
        assert!(PLACES.take().now_or_never().is_none());
        drop((second, third));
        // Both are free again, though one that waited was dropped before it was served.
        let (one, two) = (PLACES.take().now_or_never(), PLACES.take().now_or_never());
        assert!(one.is_some() && two.is_some());
    }
}
