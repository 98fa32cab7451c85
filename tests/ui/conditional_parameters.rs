#![deny(warnings)]

use repertoire::tool;

/// Plan a trip.
#[tool(allow(undocumented))]
fn plan(#[cfg(any())] from: u8, to: u8) -> u8 {
    to
}

fn main() {
    plan(1);
}
