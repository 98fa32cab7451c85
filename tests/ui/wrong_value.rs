use repertoire::tool;

/// Plan a trip.
#[tool(name = 5)]
fn plan() {}

/// Plan another trip.
#[tool(deferred = "yes")]
fn replan() {}

/// Plan a third trip.
#[tool(guidelines)]
fn unplan() {}

fn main() {
    plan();
    replan();
    unplan();
}
