use repertoire::tool;

struct Nothing;

/// Plan a trip.
#[tool]
fn plan() -> Result<String, Nothing> {
    Err(Nothing)
}

fn main() {
    let _ = plan();
}
