//! A clock that a test drives.

use std::{
    future::{Future, IntoFuture, poll_fn},
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use crate::{clock::Clock, maybe_send::BoxFuture};

/// How often a future that waits gives way to others before time passes for it.
const PATIENCE: u8 = 16;

/// A clock on which time passes when everything else waits.
///
/// ```
/// use std::time::Duration;
/// use repertoire::{Clock, testing::TestClock};
///
/// let clock = TestClock::new();
/// clock.block_on(clock.sleep(Duration::from_secs(3600)));
/// assert_eq!(clock.now(), Duration::from_secs(3600));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TestClock {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    now: Duration,
    /// When to wake whom, each under a number of its own.
    sleepers: Vec<(Duration, u64, Waker)>,
    /// How many numbers were given.
    numbers: u64,
}

impl TestClock {
    /// A clock that stands at zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a future to its end. Whenever it waits for nothing but time, time jumps to the next
    /// moment that something waits for.
    ///
    /// # Panics
    /// The future waits for something that can never come: no time is waited for, and nothing in
    /// this thread can wake it.
    pub fn block_on<F: IntoFuture>(&self, future: F) -> F::Output {
        let mut future = pin!(future.into_future());
        let woken = Arc::new(Flag::default());
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            if woken.take() {
                continue;
            }
            assert!(
                self.jump(),
                "the future waits for something that never comes"
            );
        }
    }

    /// Lets time pass for a future within any executor: whenever it waits for time, and neither it
    /// nor what runs beside it has anything else to do.
    pub(super) async fn drive<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let woken = Arc::new(Flag::default());
        let waker = Waker::from(Arc::clone(&woken));
        let mut idle = 0;
        poll_fn(move |context| {
            woken.tell(context.waker());
            // What was woken before this poll is served by it.
            woken.take();
            let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
            if polled.is_ready() || woken.take() {
                idle = 0;
            } else if idle < PATIENCE {
                idle += 1;
                context.waker().wake_by_ref();
            } else {
                idle = 0;
                self.jump();
            }
            polled
        })
        .await
    }

    /// Lets time pass. Whoever waits for a moment until then is woken.
    pub fn advance(&self, time: Duration) {
        let now = self.now().saturating_add(time);
        self.set(now);
    }

    /// Goes to the next moment that something waits for, if there is one.
    fn jump(&self) -> bool {
        let next = self.lock().sleepers.iter().map(|(until, ..)| *until).min();
        if let Some(next) = next {
            self.set(next);
        }
        next.is_some()
    }

    fn set(&self, now: Duration) {
        let mut state = self.lock();
        state.now = state.now.max(now);
        let now = state.now;
        let (due, later) = state
            .sleepers
            .drain(..)
            .partition(|(until, ..)| *until <= now);
        state.sleepers = later;
        drop(state);
        let due: Vec<(Duration, u64, Waker)> = due;
        for (.., waker) in due {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for TestClock {
    fn goes_on(&self) -> bool {
        false
    }

    fn now(&self) -> Duration {
        self.lock().now
    }

    fn unix_millis(&self) -> u64 {
        u64::try_from(self.now().as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        let until = self.now().saturating_add(time);
        Box::pin(Sleep {
            clock: self.clone(),
            until,
            number: None,
        })
    }
}

struct Sleep {
    clock: TestClock,
    until: Duration,
    /// Among the sleepers, once it waits.
    number: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let mut state = this.clock.lock();
        if state.now >= this.until {
            return Poll::Ready(());
        }
        let waker = context.waker();
        let number = *this.number.get_or_insert_with(|| {
            state.numbers += 1;
            state.numbers
        });
        match state.sleepers.iter_mut().find(|(_, of, _)| *of == number) {
            Some((.., known)) => known.clone_from(waker),
            None => state.sleepers.push((this.until, number, waker.clone())),
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    /// Nobody waits for this moment any more.
    fn drop(&mut self) {
        let Some(number) = self.number else {
            return;
        };
        let mut state = self.clock.lock();
        let place = state.sleepers.iter().position(|(_, of, _)| *of == number);
        let gone = place.map(|place| state.sleepers.swap_remove(place));
        drop(state);
        drop(gone);
    }
}

/// Whether a future was woken, and whom else to tell.
#[derive(Default)]
struct Flag {
    woken: AtomicBool,
    outer: Mutex<Option<Waker>>,
}

impl Flag {
    fn take(&self) -> bool {
        self.woken.swap(false, Ordering::AcqRel)
    }

    fn tell(&self, outer: &Waker) {
        let mut told = self.outer.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.as_ref().is_some_and(|told| told.will_wake(outer)) {
            *told = Some(outer.clone());
        }
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        let told = self.outer.lock().unwrap_or_else(PoisonError::into_inner);
        let outer = told.clone();
        // Not under the lock: an executor may poll at once.
        drop(told);
        if let Some(outer) = outer {
            outer.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Waker},
        time::Duration,
    };

    use super::TestClock;
    use crate::clock::Clock;

    #[test]
    fn time_does_not_jump_to_a_moment_that_nobody_waits_for() {
        let clock = TestClock::new();
        let mut short = clock.sleep(Duration::from_secs(1));
        let mut context = Context::from_waker(Waker::noop());
        assert!(short.as_mut().poll(&mut context).is_pending());
        drop(short);
        let mut long = pin!(clock.sleep(Duration::from_secs(60)));
        assert!(long.as_mut().poll(&mut context).is_pending());
        assert!(clock.jump());
        assert_eq!(clock.now(), Duration::from_secs(60));
        assert!(long.as_mut().poll(&mut context).is_ready());
        assert!(!clock.jump());
    }

    #[test]
    fn time_ends_where_it_cannot_be_told() {
        let clock = TestClock::new();
        clock.advance(Duration::from_secs(1));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Duration::MAX);
    }
}
