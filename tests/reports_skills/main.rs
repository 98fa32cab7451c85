//! What users of other libraries ran into with skills. Each test is named after public reports (project
//! and number) and shows that it cannot happen here.

mod loaded;
mod shown;
#[path = "../skills/support.rs"]
#[allow(dead_code, reason = "the tests of skills use the rest")]
mod support;
