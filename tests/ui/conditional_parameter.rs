use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    #[cfg(unix)]
    to: String,
) {
    drop(to);
}

fn main() {
    plan(String::new());
}
