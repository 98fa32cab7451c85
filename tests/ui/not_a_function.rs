use repertoire::tool;

/// Plan a trip.
#[tool]
struct Plan;

fn main() {
    let _ = Plan;
}
