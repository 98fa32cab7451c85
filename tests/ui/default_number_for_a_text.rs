use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(default = 5)]
    far: String,
) {
    drop(far);
}

fn main() {
    plan(String::new());
}
