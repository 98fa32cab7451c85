struct Trip;

/// Plan a trip.
#[repertoire::tool]
fn plan() -> Result<u8, std::vec::Vec<Trip>> {
    Err(vec![Trip])
}

fn main() {
    let _ = plan();
}
