use repertoire::tool;

/// Plan a trip.
#[tool(backoff(first = "10s", longest = "1s"))]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
