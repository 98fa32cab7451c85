use repertoire::tool;

/// Plan a trip.
#[tool(deffered)]
fn plan() {}

fn main() {
    plan();
}
