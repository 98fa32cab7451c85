use repertoire::tool;

/// Plan a trip.
#[tool]
unsafe fn plan() {}

fn main() {}
