//! Time limits and retries.

use std::time::Duration;

/// How long each stage of a call may take. Each can be changed by itself:
///
/// ```
/// use std::time::Duration;
/// use repertoire::{Responses, model::{Http, Timeouts}};
///
/// let mut timeouts = Timeouts::default();
/// timeouts.total = Duration::from_secs(120);
/// let model = Http::new(Responses::new("gpt-5.4")).timeouts(timeouts);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// Until a connection is made. Default: 10 seconds.
    pub connect: Duration,
    /// From the request to the head of the answer, which comes late where an answer is not
    /// streamed. Default: 10 minutes.
    pub first_byte: Duration,
    /// Between two pieces of the answer. Default: 2 minutes.
    pub idle: Duration,
    /// For everything, retries included. Default: 30 minutes.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            total: Duration::from_secs(1800),
        }
    }
}

/// When a failed call is made again: after status 408, 409, 429, 5xx, an error within an answer
/// whose code means the same, and lost connections, unless the provider says otherwise, and never
/// when a part of the answer was already told.
///
/// ```
/// use repertoire::model::Retries;
///
/// let mut retries = Retries::default();
/// retries.most = 5;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// The most tries after the first. Default: 3.
    pub most: u32,
    /// The wait before the first of them, doubled each time, less up to a quarter by chance.
    /// Default: 500 ms.
    pub first_wait: Duration,
    /// The longest wait. A provider that asks for more is not asked again. Default: 60 seconds.
    pub longest_wait: Duration,
    /// The longest sum of waits. Default: 2 minutes.
    pub budget: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            most: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            budget: Duration::from_secs(120),
        }
    }
}

impl Retries {
    /// No retries.
    #[must_use]
    pub fn none() -> Self {
        Self {
            most: 0,
            ..Self::default()
        }
    }
}
