//! Against data that lies outside the repository, where it is there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::{Document, Index};

/// A file or folder of the shared data; `None`, with a line that says so, where there is none.
fn shared(test: &str, path: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let root = std::env::var_os("REPERTOIRE_SHARED").map_or(default, PathBuf::from);
    let path = root.join(path);
    if !path.exists() {
        println!("skipped: {test}: REPERTOIRE_SHARED not found");
        return None;
    }
    Some(path)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn document(tool: &Value) -> Document {
    let usage = tool["guidelines"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    usage.fold(
        Document::new(text(tool, "name"))
            .description(text(tool, "description"))
            .usage(text(tool, "snippet"))
            .schema(&tool["parameters"]),
        Document::usage,
    )
}

/// Recorded answers of a plain BM25 search over one text for each tool.
///
/// Kept: what it finds for words that mean something is found here too, and first where it is
/// first there; several queries do not get in each other's way. Mended: forms of a word, parts of
/// a name, accents; and words that only say how something is asked find nothing by themselves
/// when the query says more.
#[test]
fn plain_bm25_finds_nothing_that_is_not_found() {
    let Some(path) = shared(
        "plain_bm25_finds_nothing_that_is_not_found",
        "retrieval/zett_golden.json",
    ) else {
        return;
    };
    let golden: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let tools = golden["tools"].as_array().unwrap();
    let index = Index::new(tools.iter().map(document));
    let position = |name: &Value| tools.iter().position(|tool| tool["name"] == *name).unwrap();
    let mut compared = 0;
    for recorded in golden["queries"].as_array().unwrap() {
        let queries: Vec<&str> = recorded["queries"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let theirs: Vec<usize> = recorded["result"]
            .as_array()
            .unwrap()
            .iter()
            .map(position)
            .collect();
        let ours: Vec<Vec<usize>> = index
            .search_many(&queries, 20)
            .iter()
            .map(|hits| hits.iter().map(|hit| hit.position).collect())
            .collect();
        // `for` and `use` speak for every tool that has guidelines.
        if queries == ["use for questions"] {
            assert_eq!(theirs, [3, 1, 0]);
            assert_eq!(ours, [[3, 1]]);
            continue;
        }
        for found in &theirs {
            assert!(
                ours.iter().any(|list| list.contains(found)),
                "{queries:?}: {found}"
            );
        }
        if let [first, ..] = theirs[..]
            && queries != ["the"]
        {
            assert!(
                ours.iter().any(|list| list.first() == Some(&first)),
                "{queries:?}: {first}"
            );
        }
        compared += 1;
    }
    assert!(compared > 10);
}

/// Public data sets of tools and questions: the ranking must not become worse.
#[test]
fn rankings_of_public_sets_are_good() {
    let Some(data) = shared("rankings_of_public_sets_are_good", "retrieval/data") else {
        return;
    };
    let mut scores: HashMap<&str, f64> = HashMap::new();
    for set in [
        "acebench-en",
        "acebench-zh",
        "apibank-keywords",
        "metatool",
        "livemcpbench",
    ] {
        scores.insert(set, gain(&data.join(set)));
    }
    for (set, least) in [
        ("acebench-en", 0.93),
        ("acebench-zh", 0.94),
        ("apibank-keywords", 0.85),
        ("metatool", 0.53),
        ("livemcpbench", 0.29),
    ] {
        assert!(scores[set] >= least, "{set}: {}, not {least}", scores[set]);
    }
}

/// The mean normalised discounted gain of the first ten.
fn gain(set: &Path) -> f64 {
    let lines = |file: &str| -> Vec<Value> {
        let text = fs::read_to_string(set.join(file)).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let (tools, queries) = (lines("tools.jsonl"), lines("queries.jsonl"));
    let index = Index::new(tools.iter().map(document));
    let discount = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let total: f64 = queries
        .iter()
        .map(|query| {
            let relevant = query["relevant"].as_array().unwrap();
            let hits = index.search(text(query, "query"), 10);
            let good = |rank: &usize| relevant.contains(&tools[hits[*rank].position]["id"]);
            let gained: f64 = (0..hits.len()).filter(good).map(discount).sum();
            gained / (0..relevant.len().min(10)).map(discount).sum::<f64>()
        })
        .sum();
    total / queries.len() as f64
}
