use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    #[state]
    #[arg(min = 1)]
    far: &u32,
) {
    let _ = far;
}

fn main() {
    plan(&1);
}
