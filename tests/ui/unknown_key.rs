use repertoire::tool;

/// Plan a trip.
#[tool(colour = "red")]
fn plan() {}

fn main() {
    plan();
}
