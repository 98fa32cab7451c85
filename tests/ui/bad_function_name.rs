use repertoire::tool;

/// Plan a trip.
#[tool]
fn größe() {}

fn main() {
    größe();
}
