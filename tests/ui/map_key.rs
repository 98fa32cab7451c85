use std::collections::HashMap;

use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: HashMap<(u8, u8), String>,
) {
    drop(to);
}

fn main() {
    plan(HashMap::new());
}
