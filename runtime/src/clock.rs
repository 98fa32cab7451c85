//! Time, as far as the SDK waits for it or measures it.

use std::time::Duration;

use crate::maybe_send::{BoxFuture, MaybeSend, MaybeSync};

/// Where time comes from: the system, or a test.
///
/// Timeouts, deadlines, the pauses between tries and the memory of `once` go by it.
/// [`testing::TestClock`](crate::testing::TestClock) lets hours pass in no time.
pub trait Clock: MaybeSend + MaybeSync + 'static {
    /// Time since some moment in the past. Never goes back.
    fn now(&self) -> Duration;

    /// Milliseconds since 1970, for what outlives the process.
    fn unix_millis(&self) -> u64;

    /// Ends when that much time has passed.
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()>;

    /// Whether time goes on by itself. Where it stands until everything waits, a thread that works is
    /// taken for one that never ends, and nothing is left to threads that need not be.
    #[doc(hidden)]
    fn goes_on(&self) -> bool {
        true
    }
}

/// The system's clock. Works in every executor.
///
/// Not there on `wasm32`, which has no clock of its own: give the agent one.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SystemClock {}

#[cfg(not(target_arch = "wasm32"))]
impl SystemClock {
    /// The system's clock.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Clock for SystemClock {
    fn now(&self) -> Duration {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }

    fn unix_millis(&self) -> u64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // Before 1970 and after the year 584 million there is nothing to remember.
        since.map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(futures_timer::Delay::new(time))
    }
}
