//! Cases that the traps do not have, each with the verdict that was decided for it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

#[path = "../support/mod.rs"]
mod support;

mod cases;
mod frame;
mod name;
mod place;
mod tool;
mod yaml;
