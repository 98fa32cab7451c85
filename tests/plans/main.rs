//! Whatever tools do and whenever a run is cancelled: exactly one result a call, in call order;
//! nothing runs twice that must not; nothing is left behind.

mod checks;
mod model;
mod runs;
#[cfg(target_os = "linux")]
mod threads;
mod tools;
mod world;
