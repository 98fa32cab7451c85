//! How a tool is run: how long, how often, and what if it fails.

use std::time::Duration;

use super::ToolOutput;

/// How a tool is run. Without any of it a call is one try without a limit of time.
///
/// `#[tool]` sets it, and [`Toolset::policy`](crate::Toolset::policy) changes it where the program is
/// deployed.
///
/// ```
/// use std::time::Duration;
/// use repertoire::tool::Policy;
///
/// let policy = Policy::new().timeout(Duration::from_secs(5)).retries(3);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Policy {
    /// The most time of one try. Default: none.
    pub timeout: Option<Duration>,
    /// The most time of all tries, the pauses between them, and the wait for a turn where only one call
    /// runs at a time. Default: none.
    pub deadline: Option<Duration>,
    /// How many more tries follow a passing fault, if the tool is `repeatable`. Default: 0.
    pub retries: u32,
    /// The pauses between tries. Default: 1 s, 2 s, 4 s and so on up to 60 s.
    pub backoff: Backoff,
    /// Whether running twice does no more than running once. Default: no. Naming `retries`
    /// means yes.
    pub repeatable: bool,
    /// Whether a call with the same key runs only once, and within what time. Default: no.
    ///
    /// A [`ToolError`](super::ToolError) of kind `Transient`, `Invalid`, `Denied` or `NotFound` that the
    /// tool itself makes says that nothing happened, and the call may be made again, unless a call within it or an earlier try may have done something.
    /// After any other failure it may not.
    pub once: Option<Once>,
    /// What is done to an output before the model gets it, be it the tool's own or that of the tool that
    /// stood in for it. A tool that calls this one gets the output as it is. Default: nothing.
    pub post_process: Option<fn(ToolOutput) -> ToolOutput>,
    /// The most bytes of text the model gets of one result. A tool that calls this one gets all of it.
    /// Default: 100,000.
    pub max_output: usize,
}

/// The pauses between tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backoff {
    /// The first pause. Each later one is twice as long.
    pub first: Duration,
    /// No pause is longer.
    pub longest: Duration,
}

/// What makes two calls the same, and for how long that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Once {
    /// The arguments that make a call the same in every conversation. Default: none, which takes
    /// the conversation and all arguments, as does a call that has none of them.
    pub key: &'static [&'static str],
    /// How long a result is remembered. Default: 24 hours.
    pub within: Duration,
}

impl Policy {
    /// One try without limits.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            timeout: None,
            deadline: None,
            retries: 0,
            backoff: Backoff::new(Duration::from_secs(1), Duration::from_secs(60)),
            repeatable: false,
            once: None,
            post_process: None,
            max_output: 100_000,
        }
    }

    /// The most time of one try.
    #[must_use]
    pub const fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// The most time of all tries, the pauses between them, and the wait for a turn.
    #[must_use]
    pub const fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// How many more tries follow a passing fault (an error of kind
    /// [`Transient`](super::ErrorKind::Transient) or [`Timeout`](super::ErrorKind::Timeout)). More
    /// than none says that the tool may run again.
    #[must_use]
    pub const fn retries(mut self, more: u32) -> Self {
        self.retries = more;
        self.repeatable |= more > 0;
        self
    }

    /// The first and the longest pause between tries; each is twice as long as the one before.
    #[must_use]
    pub const fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff = Backoff::new(first, longest);
        self
    }

    /// Whether running twice does no more than running once.
    #[must_use]
    pub const fn repeatable(mut self, yes: bool) -> Self {
        self.repeatable = yes;
        self
    }

    /// A call that was made before gives the earlier result and does not run.
    #[must_use]
    pub const fn once(mut self, once: Once) -> Self {
        self.once = Some(once);
        self
    }

    /// What is done to an output before the model gets it.
    #[must_use]
    pub const fn post_process(mut self, change: fn(ToolOutput) -> ToolOutput) -> Self {
        self.post_process = Some(change);
        self
    }

    /// The most bytes of text the model gets of one result.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Whether carrying it out needs a clock.
    pub(crate) const fn needs_clock(&self) -> bool {
        self.timeout.is_some() || self.deadline.is_some() || self.retries > 0 || self.once.is_some()
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

impl Backoff {
    /// Pauses that start with one length and double up to another.
    #[must_use]
    pub const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest }
    }

    /// The pause after a number of failed tries, which is at least 1.
    #[must_use]
    pub fn pause(&self, failed: u32) -> Duration {
        let doubled = 2_u32.checked_pow(failed.saturating_sub(1));
        let pause = doubled.and_then(|factor| self.first.checked_mul(factor));
        pause.unwrap_or(self.longest).min(self.longest)
    }
}

impl Once {
    /// The same conversation and the same arguments make the same call, for 24 hours.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            key: &[],
            within: Duration::from_secs(24 * 60 * 60),
        }
    }

    /// These arguments make the same call, in whatever conversation.
    #[must_use]
    pub const fn key(mut self, arguments: &'static [&'static str]) -> Self {
        self.key = arguments;
        self
    }

    /// How long a result is remembered.
    #[must_use]
    pub const fn within(mut self, time: Duration) -> Self {
        self.within = time;
        self
    }
}

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}

/// A function that `post_process` names. Method lookup takes [`Fits`] where it is of the right form,
/// and [`Misfits`], which reports it in our words, where it is not.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Named<F>(pub F);

/// The right form.
#[doc(hidden)]
pub trait Fits {
    /// Calls the function.
    fn repertoire_apply(self, output: ToolOutput) -> ToolOutput;
}

impl<F: FnOnce(ToolOutput) -> ToolOutput> Fits for Named<F> {
    fn repertoire_apply(self, output: ToolOutput) -> ToolOutput {
        (self.0)(output)
    }
}

/// Any other form.
#[doc(hidden)]
pub trait Misfits {
    /// The function.
    type Function;
    /// Does nothing, and is never called.
    fn repertoire_apply(self, output: ToolOutput) -> ToolOutput
    where
        Self: Sized,
        Self::Function: PostProcess,
    {
        output
    }
}

impl<F> Misfits for &Named<F> {
    type Function = F;
}

/// What nothing implements.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`post_process` takes a function from `ToolOutput` to `ToolOutput`",
    label = "this is a `{Self}`"
)]
pub trait PostProcess {}

#[cfg(test)]
mod tests {
    use super::{Backoff, Duration};

    #[test]
    fn pauses_double_and_end_at_the_longest() {
        let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(5));
        let pauses: Vec<u64> = (0..5)
            .map(|failed| backoff.pause(failed).as_secs())
            .collect();
        assert_eq!(pauses, [1, 1, 2, 4, 5]);
        assert_eq!(backoff.pause(u32::MAX).as_secs(), 5);
    }
}
