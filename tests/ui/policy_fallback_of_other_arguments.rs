use repertoire::tool;

/// Plan another trip.
#[tool]
fn other(
    /// How many people.
    people: u8,
) {
    let _ = people;
}

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
