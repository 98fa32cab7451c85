//! Work in progress.

pub mod search;
