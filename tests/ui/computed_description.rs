#[doc = concat!("Plan", " a trip.")]
#[repertoire::tool]
fn plan() {}

fn main() {
    plan();
}
