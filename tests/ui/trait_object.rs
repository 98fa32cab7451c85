use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: Box<dyn std::fmt::Display>,
) -> String {
    to.to_string()
}

fn main() {
    plan(Box::new(1));
}
