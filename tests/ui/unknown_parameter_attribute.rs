use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(#[stat] to: &String) -> String {
    to.clone()
}

fn main() {
    plan(&String::new());
}
