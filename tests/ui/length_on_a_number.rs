use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(max_len = 3)]
    far: u32,
) {
    drop(far);
}

fn main() {
    plan(1);
}
