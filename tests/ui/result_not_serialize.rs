use repertoire::tool;

struct Trip;

/// Plan a trip.
#[tool]
fn plan() -> Trip {
    Trip
}

fn main() {
    plan();
}
