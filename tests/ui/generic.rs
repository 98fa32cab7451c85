use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan<T: Into<String>>(
    /// Where it goes.
    to: T,
) -> String {
    to.into()
}

fn main() {
    plan("b");
}
