/// Plan a trip.
#[repertoire::tool]
fn plan(
    #[doc = include_str!("computed_description.txt")]
    to: &str,
) {
    let _ = to;
}

fn main() {
    plan("");
}
