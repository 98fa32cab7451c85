use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: &mut String,
) {
    to.clear();
}

fn main() {
    plan(&mut String::new());
}
