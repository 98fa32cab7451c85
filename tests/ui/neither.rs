use repertoire::tool;

struct Place {
    name: String,
}

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: Option<Place>,
) -> String {
    to.map(|place| place.name).unwrap_or_default()
}

fn main() {
    plan(Some(Place { name: String::new() }));
}
