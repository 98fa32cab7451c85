//! Tools and skills for agents on language models.

#[doc(hidden)]
pub mod __private;
pub mod conversation;
mod maybe_send;
pub mod model;
pub mod protocol;
pub mod tool;

pub use conversation::Conversation;
pub use maybe_send::{BoxFuture, MaybeSend, MaybeSync};
pub use protocol::{Anthropic, Responses};
