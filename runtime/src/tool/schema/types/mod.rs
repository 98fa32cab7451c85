//! The schemas of types of the standard library, as serde reads them.

mod lists;
mod maps;
mod scalars;
mod wrappers;
