//! What goes over the wire, against recorded traffic, the providers' own types and known mistakes.

mod acts;
mod additional;
mod clients;
mod convert;
mod guards;
mod hosts;
mod http;
mod images;
mod matrix;
mod odd;
mod odd_schemas;
mod odd_streams;
mod recordings;
mod replay;
mod server;
mod streams;
mod strict;
mod survive;
mod traps;

#[path = "../../examples/wire/exchange.rs"]
#[allow(dead_code, missing_docs)]
pub mod exchange;

use std::path::PathBuf;

/// The folder of shared test data, or nothing where it is not there; then says so.
pub fn shared(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("REPERTOIRE_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        PathBuf::from,
    );
    if folder.join("wire/recordings").is_dir() {
        return Some(folder);
    }
    println!("skipped: {test}: REPERTOIRE_SHARED not found");
    None
}

/// All recorded exchanges.
pub fn recorded(test: &str) -> Vec<exchange::Exchange> {
    shared(test).map_or_else(Vec::new, |shared| {
        exchange::read(&shared.join("wire/recordings")).unwrap()
    })
}
