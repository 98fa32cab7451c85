use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(pattern = "(a")]
    far: String,
) {
    drop(far);
}

fn main() {
    plan(String::new());
}
