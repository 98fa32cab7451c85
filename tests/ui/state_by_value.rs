use repertoire::tool;

struct Map;

/// Plan a trip.
#[tool]
fn plan(#[state] map: Map) {
    drop(map);
}

fn main() {
    plan(Map);
}
