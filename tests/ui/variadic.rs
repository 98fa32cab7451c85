use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(x: ...) {}

fn main() {}
