//! Shared helpers of the integration tests.

extern crate repertoire as another_name;

#[path = "tools/hostile.rs"]
pub mod hostile;
