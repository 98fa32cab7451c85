use repertoire::tool;

/// Plan a trip.
#[tool(deprecated)]
fn plan() {}

fn main() {
    plan();
}
