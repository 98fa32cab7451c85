//! Whether OpenAI's strict mode can say a schema, judged by the compiler for `#[tool(strict)]` and when
//! an agent is built for tools made at run time. One walk over the text does both.

mod judge;
mod misfit;
#[cfg(test)]
mod tests;

pub(crate) use judge::misfit;
pub use misfit::assert_strict;
