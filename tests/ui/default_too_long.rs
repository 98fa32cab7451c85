use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// How far it goes.
    #[arg(max_len = 1, default = "bbb")]
    far: &str,
) {
    let _ = far;
}

fn main() {
    plan("a");
}
