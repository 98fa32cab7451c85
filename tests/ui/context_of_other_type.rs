use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(#[context] cx: &String) {
    let _ = cx;
}

fn main() {
    let _ = plan;
}
