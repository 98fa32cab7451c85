use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    #[arg(renamed = "goal")]
    to: String,
) -> String {
    to
}

fn main() {
    plan(String::new());
}
