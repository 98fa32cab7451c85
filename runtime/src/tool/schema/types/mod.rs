//! The schemas of types of the standard library, as serde reads them.

mod crates;
mod lists;
mod maps;
mod scalars;
mod wrappers;
