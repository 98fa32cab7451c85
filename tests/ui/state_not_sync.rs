use repertoire::tool;

struct Map(std::cell::Cell<u8>);

/// Plan a trip.
#[tool]
fn plan(#[state] map: &Map) {
    map.0.set(1);
}

fn main() {
    plan(&Map(std::cell::Cell::new(0)));
}
