use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far it goes.
    #[arg(pattern = "^a$", default = "b")]
    far: &str,
) {
    let _ = far;
}

fn main() {
    plan("a");
}
