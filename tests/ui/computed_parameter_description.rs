/// Plan a trip.
#[repertoire::tool]
fn plan(
    #[doc = concat!("Where", " it goes.")]
    to: &str,
) {
    let _ = to;
}

fn main() {
    plan("");
}
