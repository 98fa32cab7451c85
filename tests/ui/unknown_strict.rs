use repertoire::tool;

/// Plan a trip.
#[tool(strict, unknown = "keep")]
fn plan() {}

fn main() {
    plan();
}
