use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: impl Into<String>,
) -> String {
    to.into()
}

fn main() {
    plan("b");
}
