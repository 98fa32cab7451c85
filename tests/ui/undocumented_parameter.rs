use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it starts.
    from: &str,
    to: &str,
) -> String {
    format!("{from} to {to}")
}

fn main() {
    plan("a", "b");
}
