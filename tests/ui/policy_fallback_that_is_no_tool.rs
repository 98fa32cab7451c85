use repertoire::tool;

fn other() {}

/// Plan a trip.
#[tool(fallback = other)]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
