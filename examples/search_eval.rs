//! Ranks tools for the queries of retrieval data sets, for scoring.
//!
//! `cargo run --release -p repertoire-examples --example search_eval -- DATA OUT`
//!
//! DATA holds a folder for each set, with `tools.jsonl` (`id`, `name`, `description`,
//! `parameters`) and `queries.jsonl` (`id`, `query`, `relevant`). OUT receives one `SET.jsonl`
//! each, a line for each query: `{"query_id": "…", "ranked": ["tool id", …]}`, the best first.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use repertoire::search::{Document, Index};
use serde::Deserialize;
use serde_json::{Value, json};

/// How many tools a ranking names.
const LIMIT: usize = 10;

#[derive(Deserialize)]
struct Tool {
    id: String,
    name: String,
    description: Option<String>,
    #[serde(default)]
    parameters: Value,
}

#[derive(Deserialize)]
struct Query {
    id: String,
    query: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, out] = arguments.as_slice() else {
        return Err("usage: search_eval DATA OUT".into());
    };
    fs::create_dir_all(out)?;
    let mut folders: Vec<_> = fs::read_dir(data)?.collect::<Result<_, _>>()?;
    folders.retain(|folder| folder.path().join("tools.jsonl").is_file());
    folders.sort_by_key(|folder| folder.file_name());
    for folder in folders {
        let name = folder
            .file_name()
            .into_string()
            .map_err(|_| "a folder name is not UTF-8")?;
        let ranked = rank(
            &folder.path(),
            &Path::new(out).join(format!("{name}.jsonl")),
        )?;
        writeln!(std::io::stderr(), "{name}: {ranked} queries")?;
    }
    Ok(())
}

fn rank(set: &Path, out: &Path) -> Result<usize, Box<dyn Error>> {
    let tools: Vec<Tool> = read(&set.join("tools.jsonl"))?;
    let queries: Vec<Query> = read(&set.join("queries.jsonl"))?;
    let index = Index::new(tools.iter().map(|tool| {
        Document::new(&tool.name)
            .description(tool.description.as_deref().unwrap_or_default())
            .schema(&tool.parameters)
    }));
    let mut out = std::io::BufWriter::new(fs::File::create(out)?);
    for query in &queries {
        let hits = index.search(&query.query, LIMIT);
        let ranked: Vec<&str> = hits
            .iter()
            .filter_map(|hit| Some(tools.get(hit.position)?.id.as_str()))
            .collect();
        writeln!(out, "{}", json!({ "query_id": query.id, "ranked": ranked }))?;
    }
    out.flush()?;
    Ok(queries.len())
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}
