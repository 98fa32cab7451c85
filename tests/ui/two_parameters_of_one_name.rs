use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    to: &str,
    /// Where it starts.
    #[arg(rename = "to")]
    from: &str,
) {
    let _ = (from, to);
}

fn main() {
    plan("", "");
}
