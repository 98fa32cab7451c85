//! What a run shows to `tracing` and in numbers.

mod calls;
mod numbers;
mod said;
mod spans;
mod support;
