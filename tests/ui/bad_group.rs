use repertoire::tool;

/// Plan a trip.
#[tool(group = "on foot")]
fn plan() {}

fn main() {
    plan();
}
