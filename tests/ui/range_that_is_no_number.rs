use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(min = "one")]
    far: u32,
) {
    drop(far);
}

fn main() {
    plan(1);
}
