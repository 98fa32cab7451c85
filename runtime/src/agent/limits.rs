//! How much one run may use.

use std::time::Duration;

/// How much one run may use beside its number of steps. A limit is looked at before each response;
/// what has begun is ended.
///
/// ```
/// use repertoire::agent::Limits;
///
/// let limits = Limits::new().tokens(50_000).calls(100);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub(super) tokens: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) calls: Option<usize>,
}

impl Limits {
    /// No limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The most tokens, sent and received, of all responses together.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// The most time.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// The most calls of tools.
    #[must_use]
    pub fn calls(mut self, calls: usize) -> Self {
        self.calls = Some(calls);
        self
    }
}
