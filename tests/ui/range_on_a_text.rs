use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(min = 1)]
    far: String,
) {
    drop(far);
}

fn main() {
    plan(String::new());
}
