use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan<const STOPS: usize>(
    /// Where it goes.
    to: [u8; STOPS],
) -> usize {
    to.len()
}

fn main() {
    plan([1]);
}
