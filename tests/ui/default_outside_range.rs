use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(default = 0, min = 1)]
    far: u32,
) {
    drop(far);
}

fn main() {
    plan(1);
}
