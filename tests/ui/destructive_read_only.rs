use repertoire::tool;

/// Plan a trip.
#[tool(read_only, destructive)]
fn plan() {}

fn main() {
    plan();
}
