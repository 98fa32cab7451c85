use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    (x, y): (f64, f64),
) -> String {
    format!("{x} {y}")
}

fn main() {
    plan((1.0, 2.0));
}
