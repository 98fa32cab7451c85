use repertoire::tool;

/// Plan a trip.
#[tool = "plan"]
fn plan() {}

fn main() {
    plan();
}
