use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(#[state] name: &str) {
    let _ = name;
}

fn main() {
    plan("a");
}
