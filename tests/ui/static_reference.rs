use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: &'static str,
) -> usize {
    to.len()
}

fn main() {
    plan("a");
}
