//! Tools and skills for agents on language models.

#[doc(hidden)]
pub mod __private;
mod maybe_send;
pub mod tool;

pub use maybe_send::{BoxFuture, MaybeSend, MaybeSync};
