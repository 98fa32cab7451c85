use repertoire::tool;

/// Plan a trip.
#[tool(max_schema = 50)]
fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    plan("");
}
