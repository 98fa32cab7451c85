use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    #[serde(default)]
    to: String,
) -> String {
    to
}

fn main() {
    plan(String::new());
}
