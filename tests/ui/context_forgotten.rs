use repertoire::{Context, tool};

/// Plan a trip.
#[tool]
fn plan(
    /// The call.
    cx: &Context,
) {
    let _ = cx;
}

fn main() {
    let _ = plan;
}
