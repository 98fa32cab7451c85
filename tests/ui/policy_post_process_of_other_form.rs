use repertoire::tool;

fn other(text: String) -> String {
    text
}

/// Plan a trip.
#[tool(post_process = other)]
async fn plan(
    /// Where it goes.
    to: &str,
) {
    let _ = to;
}

fn main() {
    let _ = plan("");
}
