//! How a `#[tool]` function enters a toolset.

use super::{Invocation, ToolError, ToolOutput, ToolSpec};
use crate::maybe_send::BoxFuture;

/// Decodes the arguments, runs the function and encodes what it returns.
pub type CallFn = for<'a> fn(Invocation<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;

/// A tool and how to call it, as a constant.
///
/// ```
/// use repertoire::{Tool, tool};
///
/// /// Do nothing.
/// #[tool]
/// fn nothing() {}
///
/// assert_eq!(nothing::REGISTRATION.spec().name, "nothing");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    pub(crate) spec: &'static ToolSpec,
    pub(crate) call: CallFn,
}

impl Registration {
    /// What the tool is.
    #[must_use]
    pub const fn spec(&self) -> &'static ToolSpec {
        self.spec
    }

    /// How the tool is called.
    #[must_use]
    pub const fn call(&self) -> CallFn {
        self.call
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(spec: &'static ToolSpec, call: CallFn) -> Self {
        Self { spec, call }
    }
}

#[cfg(feature = "link")]
inventory::collect!(Registration);
