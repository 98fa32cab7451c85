//! Tools: functions that a model may call.

pub(crate) mod args;
pub(crate) mod blocking;
pub(crate) mod call;
pub mod code;
#[cfg(not(target_arch = "wasm32"))]
mod detached;
mod error;
mod error_from;
pub(crate) mod foreign;
mod output;
pub(crate) mod output_schema;
mod places;
pub(crate) mod policy;
mod registration;
pub(crate) mod returns;
pub(crate) mod schema;
mod spec;
pub(crate) mod state;

pub(crate) use repertoire_skillmd::nearest;

pub use args::{MAX_ARGUMENT_BYTES, MAX_ARGUMENT_DEPTH};
pub use call::Invocation;
pub use error::{ErrorKind, ToolError};
pub(crate) use output::text_of;
pub use output::{Part, ToolOutput};
pub use policy::{Backoff, Once, Policy};
pub use registration::{CallFn, Registration};
pub use schema::{Schema, ToolSchema};
pub use spec::{Deprecation, ForeignSchema, StateType, ToolSpec};
pub use state::States;

use crate::maybe_send::{MaybeSend, MaybeSync};

/// The type beside a `#[tool]` function: what the function is, and how it is called.
///
/// `#[tool]` writes the implementation; nothing else should.
///
/// ```
/// use repertoire::{Tool, tool};
///
/// /// Do nothing.
/// #[tool]
/// fn nothing() {}
///
/// fn name_of<T: Tool>() -> &'static str {
///     T::SPEC.name
/// }
/// assert_eq!(name_of::<nothing>(), "nothing");
/// ```
#[diagnostic::on_unimplemented(
    message = "this names no tool",
    label = "expected a function with `#[tool]`, or the type beside it",
    note = "where `#[tool(type = Name)]` names that type otherwise, its name is meant"
)]
pub trait Tool: MaybeSend + MaybeSync + 'static {
    /// The schema of the arguments, before it is text.
    #[doc(hidden)]
    const ARGUMENTS: Schema;
    /// Everything about the tool that is known when the program is compiled.
    const SPEC: ToolSpec;
    /// How the tool enters a toolset.
    const REGISTRATION: &'static Registration;
}

/// A type whose methods are tools.
///
/// ```
/// use repertoire::{tool::Toolbox, toolbox};
///
/// struct Shelf(Vec<String>);
///
/// #[toolbox]
/// impl Shelf {
///     /// Count the books.
///     #[tool]
///     fn count_books(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// assert_eq!(Shelf::TOOLS[0].spec().name, "count_books");
/// ```
///
/// `#[toolbox]` writes the implementation; nothing else should. A value of the type has to be given to
/// the agent as state.
pub trait Toolbox: 'static {
    /// The tools, in the order of the methods.
    const TOOLS: &'static [&'static Registration];
}
