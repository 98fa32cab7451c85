use repertoire::tool;

/// Plan a trip.
#[tool(description = " ")]
fn plan() {}

fn main() {
    plan();
}
