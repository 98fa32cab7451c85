use repertoire::tool;

/// Plan a trip.
#[tool(blocking)]
async fn plan() {}

fn main() {
    let _ = plan();
}
