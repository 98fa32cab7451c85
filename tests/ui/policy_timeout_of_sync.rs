use repertoire::tool;

/// Plan a trip.
#[tool(timeout = "5s")]
fn plan() {}

fn main() {
    plan();
}
