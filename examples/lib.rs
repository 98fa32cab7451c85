//! Examples; run one with `cargo run --example NAME`.
