use repertoire::tool;

struct Trip;

/// Plan a trip.
#[tool]
async fn plan() -> Result<Vec<Trip>, std::fmt::Error> {
    Ok(vec![Trip])
}

fn main() {
    let _ = plan();
}
