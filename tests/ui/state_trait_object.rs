use repertoire::tool;

trait Map: Send + Sync {}

/// Plan a trip.
#[tool]
fn plan(#[state] map: &dyn Map) {
    let _ = map;
}

fn main() {}
