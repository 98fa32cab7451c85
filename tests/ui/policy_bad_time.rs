use repertoire::tool;

/// Plan a trip.
#[tool(timeout = "5 parsecs")]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
