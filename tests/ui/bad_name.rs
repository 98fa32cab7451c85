use repertoire::tool;

/// Plan a trip.
#[tool(name = "plan trip")]
fn plan() {}

fn main() {
    plan();
}
