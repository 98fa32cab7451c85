use repertoire::{ToolSchema, tool};

/// A place.
#[derive(ToolSchema)]
struct Place {
    /// Its name.
    name: String,
}

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: &[Place],
) -> String {
    to.iter().map(|place| place.name.as_str()).collect()
}

fn main() {
    plan(&[Place { name: String::new() }]);
}
