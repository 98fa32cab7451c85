//! Tests of agents without a model: a scripted model that reads what is really sent.

mod act;
mod anthropic;
mod chat;
mod clock;
mod gemini;
mod ollama;
mod plain;
mod responses;
mod rule;
mod script;
mod seen;

pub use act::Act;
pub use clock::TestClock;
pub use rule::Rule;
pub use script::{Script, ScriptError, Scriptable};
pub use seen::{Seen, SeenCall, SeenResult, SeenTool};
