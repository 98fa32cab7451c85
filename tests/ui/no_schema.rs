use repertoire::tool;

#[derive(serde::Deserialize)]
struct Place {
    name: String,
}

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: Place,
) -> String {
    to.name
}

fn main() {
    plan(Place { name: String::new() });
}
