use repertoire::tool;

/// Plan a trip.
#[tool(max_schema = "8 pages")]
fn plan() {}

fn main() {
    plan();
}
