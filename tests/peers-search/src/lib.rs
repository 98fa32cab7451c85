//! Catalogs, queries and the systems that are compared.
//!
//! `cargo bench` compares them; see `benches/search.rs`.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use repertoire::search::{Document, Index};
use serde_json::Value;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenStream;
use tantivy::{Searcher, TantivyDocument, Term};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// One tool of a catalog.
#[derive(Clone)]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub parameters: Vec<(String, String)>,
}

impl Tool {
    /// Everything that is searched, as one text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}\n{}",
            self.name.replace(['_', '.'], " "),
            self.description
        );
        for (name, description) in &self.parameters {
            text.push('\n');
            text.push_str(&name.replace('_', " "));
            text.push(' ');
            text.push_str(description);
        }
        text
    }
}

/// The English sets under `data`; the others hold scripts that the peers do not split.
const SETS: [&str; 6] = [
    "acebench-en",
    "apibank",
    "bfcl",
    "livemcpbench",
    "metatool",
    "seal-tools",
];

/// The distinct tools of all sets.
pub fn tools(data: &Path) -> Result<Vec<Tool>> {
    let mut seen = HashSet::new();
    let mut tools = Vec::new();
    for set in SETS {
        for line in fs::read_to_string(data.join(set).join("tools.jsonl"))?.lines() {
            let row: Value = serde_json::from_str(line)?;
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let mut parameters = Vec::new();
            for (name, schema) in row["parameters"]["properties"]
                .as_object()
                .into_iter()
                .flatten()
            {
                let description = schema["description"].as_str().unwrap_or_default();
                parameters.push((name.clone(), description.to_owned()));
            }
            let tool = Tool {
                name: text("name"),
                description: text("description"),
                parameters,
            };
            if tool.text().is_ascii() && seen.insert(tool.text()) {
                tools.push(tool);
            }
        }
    }
    Ok(tools)
}

/// A catalog of `count` tools: real ones as far as they go, then recombinations of two.
pub fn catalog(tools: &[Tool], count: usize) -> Vec<Tool> {
    if count <= tools.len() {
        return (0..count)
            .map(|at| tools[at * tools.len() / count].clone())
            .collect();
    }
    let mut random = Random(7);
    let mut catalog = tools.to_vec();
    while catalog.len() < count {
        let (a, b) = (
            &tools[random.below(tools.len())],
            &tools[random.below(tools.len())],
        );
        let half = |text: &str, first: bool| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (head, tail) = words.split_at(words.len() / 2);
            if first {
                head.join(" ")
            } else {
                tail.join(" ")
            }
        };
        let parts: Vec<&str> = b.name.split(['_', '.']).collect();
        let (from_a, from_b) = (a.parameters.len().div_ceil(2), b.parameters.len() / 2);
        catalog.push(Tool {
            name: format!("{}_{}", a.name, parts[random.below(parts.len())]),
            description: format!(
                "{} {}",
                half(&a.description, true),
                half(&b.description, false)
            ),
            parameters: [&a.parameters[..from_a], &b.parameters[from_b..]].concat(),
        });
    }
    catalog
}

/// Queries of one class of length.
pub struct Class {
    pub label: &'static str,
    pub queries: Vec<String>,
}

/// `count` queries for each class: what models write (words of names), and users' questions.
pub fn classes(data: &Path, tools: &[Tool], count: usize) -> Result<Vec<Class>> {
    let mut random = Random(11);
    let mut keywords = Vec::new();
    while keywords.len() < count {
        let name = &tools[random.below(tools.len())].name;
        let words: Vec<&str> = name
            .split(['_', '.', '-'])
            .filter(|word| !word.is_empty())
            .collect();
        if (2..=4).contains(&words.len()) {
            keywords.push(words.join(" ").to_lowercase());
        }
    }
    let mut questions = Vec::new();
    for set in SETS {
        for line in fs::read_to_string(data.join(set).join("queries.jsonl"))?.lines() {
            let row: Value = serde_json::from_str(line)?;
            questions.push(row["query"].as_str().unwrap_or_default().to_owned());
        }
    }
    let mut pick = |words: std::ops::RangeInclusive<usize>| {
        let fit: Vec<&String> = questions
            .iter()
            .filter(|q| words.contains(&q.split_whitespace().count()))
            .collect();
        (0..count)
            .map(|_| fit[random.below(fit.len())].clone())
            .collect()
    };
    Ok(vec![
        Class {
            label: "keywords (2-4 words of a name)",
            queries: keywords,
        },
        Class {
            label: "short (2-8 words)",
            queries: pick(2..=8),
        },
        Class {
            label: "medium (9-20 words)",
            queries: pick(9..=20),
        },
        Class {
            label: "long (30-120 words)",
            queries: pick(30..=120),
        },
    ])
}

/// A repeatable source of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// A system under comparison: built from a catalog, asked for the best ten.
pub trait System: Sized {
    const NAME: &'static str;
    fn build(catalog: &[Tool]) -> Result<Self>;
    /// How many tools were found.
    fn search(&self, query: &str) -> Result<usize>;
}

const LIMIT: usize = 10;

pub struct Repertoire(Index);

impl System for Repertoire {
    const NAME: &'static str = "repertoire";

    fn build(catalog: &[Tool]) -> Result<Self> {
        Ok(Self(Index::new(catalog.iter().map(|tool| {
            let document = Document::new(&tool.name).description(&tool.description);
            tool.parameters
                .iter()
                .fold(document, |document, (name, text)| {
                    document.parameter(name, text)
                })
        }))))
    }

    fn search(&self, query: &str) -> Result<usize> {
        Ok(self.0.search(query, LIMIT).len())
    }
}

pub struct Bm25(bm25::SearchEngine<u32>);

impl System for Bm25 {
    const NAME: &'static str = "bm25 2.3";

    fn build(catalog: &[Tool]) -> Result<Self> {
        let documents: Vec<bm25::Document<u32>> = catalog
            .iter()
            .enumerate()
            .map(|(at, tool)| bm25::Document::new(at as u32, tool.text()))
            .collect();
        let engine =
            bm25::SearchEngineBuilder::<u32>::with_documents(bm25::Language::English, documents);
        Ok(Self(engine.build()))
    }

    fn search(&self, query: &str) -> Result<usize> {
        Ok(self.0.search(query, LIMIT).len())
    }
}

/// tantivy with one stemmed field, a single segment in memory and one thread: its fastest form.
pub struct Tantivy {
    index: tantivy::Index,
    field: Field,
    searcher: Searcher,
}

impl System for Tantivy {
    const NAME: &'static str = "tantivy 0.27";

    fn build(catalog: &[Tool]) -> Result<Self> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqs);
        let field = schema.add_text_field(
            "text",
            TextOptions::default().set_indexing_options(indexing),
        );
        let index = tantivy::Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 200_000_000)?;
        for tool in catalog {
            let mut document = TantivyDocument::new();
            document.add_text(field, tool.text());
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        Ok(Self {
            index,
            field,
            searcher,
        })
    }

    fn search(&self, query: &str) -> Result<usize> {
        let mut analyzer = self.index.tokenizer_for_field(self.field)?;
        let mut stream = analyzer.token_stream(query);
        let mut terms: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        while let Some(token) = stream.next() {
            let term = Term::from_field_text(self.field, &token.text);
            terms.push((
                Occur::Should,
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
            ));
        }
        let found = self.searcher.search(
            &BooleanQuery::new(terms),
            &TopDocs::with_limit(LIMIT).order_by_score(),
        )?;
        Ok(found.len())
    }
}
