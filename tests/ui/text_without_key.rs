use repertoire::tool;

#[tool("Plan a trip.")]
fn plan() {}

fn main() {
    plan();
}
