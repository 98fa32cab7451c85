use repertoire::tool;

/// Plan a trip.
#[tool(name = "a", deferred, name = "b")]
fn plan() {}

fn main() {
    plan();
}
