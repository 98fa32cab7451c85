#[derive(serde::Deserialize)]
struct Place;

/// Plan a trip.
#[repertoire::tool]
fn plan(
    /// Where it goes.
    #[arg(schemars)]
    to: Place,
) {
    let _ = to;
}

fn main() {
    plan(Place);
}
