use repertoire::tool;

/// Plan a trip.
#[tool(once(keys = to))]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
