/// Plan a trip.
#[repertoire::tool(strict)]
fn plan(
    /// Where it goes.
    to: Option<(f64, f64)>,
) {
    let _ = to;
}

fn main() {
    let _ = plan::SPEC;
}
