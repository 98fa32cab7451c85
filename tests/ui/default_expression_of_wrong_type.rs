use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far.
    #[arg(default = vec![1])]
    far: u32,
) {
    drop(far);
}

fn main() {
    plan(1);
}
