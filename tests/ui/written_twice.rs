use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan() {}

/// Plan a trip.
#[tool]
fn plan() {}

fn main() {
    plan();
}
