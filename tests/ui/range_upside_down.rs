use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(min = 5, max = 1)]
    far: u32,
) {
    drop(far);
}

fn main() {
    plan(1);
}
