use repertoire::tool;

/// Plan a trip.
#[tool(unknown = "drop")]
fn plan() {}

fn main() {
    plan();
}
