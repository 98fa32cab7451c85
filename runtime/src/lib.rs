//! Tools and skills for agents on language models.

#[doc(hidden)]
pub mod __private;
mod maybe_send;
pub mod tool;

pub use maybe_send::{BoxFuture, MaybeSend, MaybeSync};
pub use repertoire_macros::{ToolSchema, tool};
pub use tool::{Tool, ToolError, ToolOutput, ToolSchema, ToolSpec};
