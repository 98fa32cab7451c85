use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    #[cfg(unix)]
    /// Where it goes.
    #[cfg_attr(all(), arg(mx = 5))]
    to: u8,
    #[cfg(any())]
    /// Where it starts.
    from: NoType,
) {
    let _ = to;
}

fn main() {
    plan(1);
}
