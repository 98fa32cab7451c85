use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(&self) {}

fn main() {}
