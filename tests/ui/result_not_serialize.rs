use repertoire::tool;

struct Trip;

/// Plan a trip.
#[tool]
fn plan() -> Trip {
    Trip
}

/// Plan a trip.
#[tool]
async fn plan_again() -> Result<Vec<Trip>, std::fmt::Error> {
    Ok(vec![Trip])
}

fn main() {
    plan();
    let _ = plan_again();
}
