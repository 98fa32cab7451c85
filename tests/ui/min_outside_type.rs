use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far it goes.
    #[arg(min = -1)]
    far: u8,
) {
    let _ = far;
}

fn main() {
    plan(1);
}
