use repertoire::tool;

/// Plan a trip.
#[tool(retries = "3")]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
