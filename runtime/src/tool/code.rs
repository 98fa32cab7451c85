//! The codes of this crate's own errors. Codes of applications should not start with `R0`.
//!
//! | code | meaning |
//! |---|---|
//! | `R0001` | the arguments of a call do not fit the tool's schema |
//! | `R0002` | no tool has that name |
//! | `R0003` | the tool is not loaded: it has to be searched for first |
//! | `R0004` | the program did not give what the tool takes by `#[state]` or `#[context]` |
//! | `R0005` | the result of the tool cannot be written as JSON |
//! | `R0006` | the call was not approved, or is not allowed |
//! | `R0007` | the call took longer than it may |
//! | `R0008` | the run was cancelled |
//! | `R0009` | the call may or may not have had its effect |
//! | `R0010` | the tool panicked |
//! | `R0011` | the tool is switched off |
//!
//! ```
//! use repertoire::{ToolError, tool::code};
//!
//! fn is_wrong_call(error: &ToolError) -> bool {
//!     error.code() == Some(code::ARGUMENTS)
//! }
//! assert!(!is_wrong_call(&ToolError::failed("no luck")));
//! ```

/// The arguments of a call do not fit the tool's schema.
pub const ARGUMENTS: &str = "R0001";
/// No tool has that name.
pub const NO_SUCH_TOOL: &str = "R0002";
/// The tool is not loaded: it has to be searched for first.
pub const NOT_LOADED: &str = "R0003";
/// The program did not give what the tool takes by `#[state]` or `#[context]`.
pub const NO_STATE: &str = "R0004";
/// The result of the tool cannot be written as JSON.
pub const RESULT: &str = "R0005";
/// The call was not approved, or is not allowed.
pub const DENIED: &str = "R0006";
/// The call took longer than it may.
pub const TIMEOUT: &str = "R0007";
/// The run was cancelled.
pub const CANCELLED: &str = "R0008";
/// The call may or may not have had its effect.
pub const UNKNOWN: &str = "R0009";
/// The tool panicked.
pub const PANICKED: &str = "R0010";
/// The tool is switched off.
pub const SWITCHED_OFF: &str = "R0011";
