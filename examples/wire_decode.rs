//! Decodes recorded exchanges with providers and says what came of each.
//!
//! ```text
//! cargo run --example wire_decode -- DIR [--json]
//! ```
//!
//! `DIR` holds files `{"exchanges": [{"uri", "status", "request", "response"}]}`; a response that is
//! a string is a stream as it came. With `--json`, one line for each turn in neutral form.

#[path = "wire/exchange.rs"]
mod exchange;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::ExitCode,
};

use exchange::{Exchange, Recorded};
use repertoire::protocol::ProtocolError;
use serde_json::json;

#[derive(Default)]
struct Row {
    files: BTreeSet<String>,
    exchanges: usize,
    bodies: usize,
    streams: usize,
    decoded: usize,
    refused: BTreeMap<String, usize>,
}

/// A short reason, so that refusals of one kind are counted together.
fn reason(exchange: &Exchange, error: &ProtocolError) -> String {
    match error {
        ProtocolError::Provider { code, .. } => format!(
            "provider error {} {}",
            exchange.status,
            code.as_deref().unwrap_or("without code")
        ),
        ProtocolError::Stream { .. } => "stream broke off".to_owned(),
        ProtocolError::Decode { .. } => "not of the protocol".to_owned(),
        other => other.to_string(),
    }
}

const USAGE: &str = "usage: wire_decode DIR [--json]";

fn run(folder: &str, as_json: bool) -> std::io::Result<()> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let exchanges = exchange::read(Path::new(folder)).map_err(|error| {
        std::io::Error::new(error.kind(), format!("`{folder}` cannot be read: {error}"))
    })?;
    if exchanges.is_empty() {
        let what = format!("there is no file with `exchanges` in `{folder}`");
        return Err(std::io::Error::other(what));
    }
    for exchange in exchanges {
        let Some(api) = exchange.api() else {
            let row = rows.entry("other").or_default();
            row.files.insert(exchange.file);
            row.exchanges += 1;
            continue;
        };
        let row = rows.entry(api.name()).or_default();
        row.files.insert(exchange.file.clone());
        row.exchanges += 1;
        match exchange.response {
            Recorded::Body(_) => row.bodies += 1,
            Recorded::Stream(_) => row.streams += 1,
        }
        match exchange.decode(api.protocol().as_ref()) {
            Ok(turn) => {
                row.decoded += 1;
                if as_json {
                    let line = json!({
                        "file": exchange.file, "exchange": exchange.number, "api": api.name(),
                        "turn": {
                            "parts": turn.parts(), "stop": turn.stop(), "usage": turn.usage(),
                        },
                    });
                    println!("{line}");
                }
            }
            Err(error) => *row.refused.entry(reason(&exchange, &error)).or_default() += 1,
        }
    }
    if as_json {
        return Ok(());
    }
    println!(
        "{:<10} {:>6} {:>10} {:>7} {:>8} {:>8} {:>8}",
        "api", "files", "exchanges", "bodies", "streams", "decoded", "refused"
    );
    for (api, row) in &rows {
        println!(
            "{api:<10} {:>6} {:>10} {:>7} {:>8} {:>8} {:>8}",
            row.files.len(),
            row.exchanges,
            row.bodies,
            row.streams,
            row.decoded,
            row.refused.values().sum::<usize>()
        );
        for (reason, count) in &row.refused {
            println!("           {count:>6} {reason}");
        }
    }
    println!("\n`other` is what is no request to a model: files, stores, MCP.");
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [folder] if !folder.starts_with('-') => run(folder, false),
        [folder, "--json"] => run(folder, true),
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(std::io::Error::other(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
