use repertoire::tool;

/// Plan a trip.
#[tool]
#[tool(deferred)]
fn plan() {}

fn main() {
    plan();
}
