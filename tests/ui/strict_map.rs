use std::collections::HashMap;

#[derive(serde::Deserialize, repertoire::ToolSchema)]
struct Filter {
    /// By name.
    tags: Vec<HashMap<String, String>>,
}

/// Plan a trip.
#[repertoire::tool(strict)]
fn plan(
    /// Where it goes.
    to: &str,
    /// Which to take.
    filter: Filter,
) {
    let _ = (to, filter.tags);
}

fn main() {
    let _ = plan::SPEC;
}
