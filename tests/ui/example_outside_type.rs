use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far it goes.
    #[arg(example = 256)]
    far: Option<u8>,
) {
    let _ = far;
}

fn main() {
    plan(None);
}
