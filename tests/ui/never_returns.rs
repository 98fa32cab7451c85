#![deny(warnings)]

/// Plan a trip.
#[repertoire::tool]
fn plan() -> ! {
    panic!()
}

fn main() {
    plan();
}
