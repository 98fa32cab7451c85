//! The memory of calls that must not run twice.

mod memory;

use std::fmt;

pub use memory::MemoryOnce;

use crate::{
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    tool::ToolOutput,
};

/// Remembers which calls of `once` tools were made and what they came to.
///
/// The order is always [`begin`](Self::begin), the effect, [`finish`](Self::finish). A process that
/// ends between the two leaves an intent without a result, and from then on the call is known to
/// have perhaps run.
pub trait OnceStore: MaybeSend + MaybeSync + 'static {
    /// Writes down that a call is about to run, unless it is known already. Both happen as one, also
    /// when several processes share a store.
    fn begin<'a>(
        &'a self,
        key: &'a str,
        now_millis: u64,
        keep_until_millis: u64,
    ) -> BoxFuture<'a, Result<Begun, OnceError>>;

    /// Writes down what a call came to.
    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a ToolOutput,
    ) -> BoxFuture<'a, Result<(), OnceError>>;

    /// Forgets a call that is known to have had no effect, so that it may be made again.
    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), OnceError>>;

    /// A number that handles to one store share, so that equal calls of several agents wait for each
    /// other. Default: the address of the handle, which is right where handles are not copied.
    fn identity(&self) -> usize {
        std::ptr::from_ref(self).cast::<()>() as usize
    }
}

impl<S: OnceStore + ?Sized> OnceStore for std::sync::Arc<S> {
    fn begin<'a>(
        &'a self,
        key: &'a str,
        now_millis: u64,
        keep_until_millis: u64,
    ) -> BoxFuture<'a, Result<Begun, OnceError>> {
        (**self).begin(key, now_millis, keep_until_millis)
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a ToolOutput,
    ) -> BoxFuture<'a, Result<(), OnceError>> {
        (**self).finish(key, output)
    }

    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), OnceError>> {
        (**self).forget(key)
    }

    fn identity(&self) -> usize {
        (**self).identity()
    }
}

/// What is known of a call when it is about to run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Begun {
    /// Nothing; the intent is written down now.
    New,
    /// It ran, and this came of it.
    Done(ToolOutput),
    /// It was about to run, and no result was written down.
    Unfinished,
}

/// The store could not be read or written. The call does not run.
#[derive(Debug)]
pub struct OnceError(Box<dyn std::error::Error + Send + Sync>);

impl OnceError {
    /// An error of a store.
    #[must_use]
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for OnceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the memory of calls cannot be used: {}", self.0)
    }
}

impl std::error::Error for OnceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.0.as_ref())
    }
}
