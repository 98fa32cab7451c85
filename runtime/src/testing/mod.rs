//! Tests without a model.
//!
//! - [`call`](fn@call) makes one call of one tool, through the check of its arguments, approval, policy and all.
//! - [`Script`] plays the model of a whole run and reads what is really sent; [`Fakes`] puts other
//!   bodies in the place of the tools' own.
//! - [`assert_surface!`](crate::assert_surface) compares what a model is shown with a file that was
//!   reviewed.
//! - [`TestClock`] lets hours pass in no time.

mod act;
mod anthropic;
mod call;
mod called;
mod chat;
mod clock;
mod fakes;
mod gemini;
mod ollama;
mod plain;
mod responses;
mod rule;
mod script;
mod seen;
mod surface;

pub use act::Act;
pub use call::{Call, call, call_in, call_method, call_tool};
pub use called::Called;
pub use clock::TestClock;
pub use fakes::{FakeOutput, Fakes};
pub use rule::Rule;
pub use script::{Script, ScriptError, Scriptable};
pub use seen::{Seen, SeenCall, SeenResult, SeenTool};
pub use surface::{SurfaceError, assert_surface_at, check_surface, write_surface};
