use repertoire::{ToolSchema, tool};
use serde::Deserialize;

#[derive(Deserialize, ToolSchema)]
struct Place<'a> {
    /// Its name.
    name: &'a str,
}

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: Place<'_>,
) -> String {
    to.name.to_owned()
}

fn main() {}
