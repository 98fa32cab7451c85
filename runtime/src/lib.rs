//! Tools and skills for agents on language models.

#[doc(hidden)]
pub mod __private;
pub mod agent;
mod cancel;
mod catalog;
mod clock;
mod context;
pub mod conversation;
mod error;
#[cfg(feature = "link")]
mod linked;
mod maybe_send;
pub mod model;
pub mod once;
pub mod protocol;
mod repertoire;
mod schema_check;
pub mod search;
pub mod skill;
pub mod testing;
mod texts;
mod tokens;
pub mod tool;
pub mod toolset;

pub use agent::{Agent, Event, Reply, Stop};
pub use cancel::Cancel;
pub use clock::Clock;
#[cfg(not(target_arch = "wasm32"))]
pub use clock::SystemClock;
pub use context::Context;
pub use conversation::Conversation;
pub use error::{BuildError, Error, Result};
pub use maybe_send::{BoxFuture, MaybeSend, MaybeSync};
pub use protocol::{Anthropic, Chat, Gemini, Ollama, Responses};
pub use repertoire::Repertoire;
pub use repertoire_macros::{ToolSchema, skills, tool, toolbox};
pub use skill::Skills;
pub use texts::Texts;
pub use tokens::estimate_tokens;
pub use tool::{Tool, ToolError, ToolOutput, ToolSchema, ToolSpec};
pub use toolset::Toolset;
