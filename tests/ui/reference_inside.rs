use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: Vec<&str>,
) -> String {
    to.concat()
}

fn main() {
    plan(vec![]);
}
