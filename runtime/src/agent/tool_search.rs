//! The extension that lets the model find deferred tools.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::{
    Answer, Builtin, Event, Section, Shape, Surface, View,
    surface::{SurfaceTool, labels},
};
use crate::{
    Texts,
    catalog::{one_line, push_line, tool_catalog},
    protocol::{Capabilities, Deferral, Reveal},
    search::{Document, Index},
    texts::fill,
    tool::ToolOutput,
};

/// How many queries one search may hold. Each loads at least one tool, so without a limit one call
/// could load the whole catalog.
const MOST_QUERIES: usize = 16;
/// What the arguments look like.
const EXPECTED: &str = r#"{"queries": ["keywords"]}"#;

/// Adds the tool that finds deferred tools, and the catalog of what it can find.
///
/// Does nothing when no tool is deferred. Without it, deferred tools are shown from the start, since
/// nothing could load them.
///
/// ```
/// use repertoire::agent::{CatalogPlacement, ToolSearch};
///
/// let search = ToolSearch::new()
///     .placement(CatalogPlacement::SystemPrompt)
///     .catalog_guidelines(false)
///     .limit(3);
/// ```
#[derive(Clone, Debug)]
pub struct ToolSearch {
    placement: CatalogPlacement,
    snippets: bool,
    guidelines: bool,
    limit: usize,
    min_score: f32,
    k1: Option<f32>,
    b: Option<f32>,
}

/// Where the catalog of deferred tools is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogPlacement {
    /// In the description of the search tool.
    #[default]
    SearchDescription,
    /// In a section of the system prompt.
    SystemPrompt,
    /// Nowhere: the model has to guess what there may be.
    None,
}

impl ToolSearch {
    /// The catalog in the search tool's description, with usage and rules; five tools a search.
    #[must_use]
    pub fn new() -> Self {
        Self {
            placement: CatalogPlacement::default(),
            snippets: true,
            guidelines: true,
            limit: 5,
            min_score: 0.0,
            k1: None,
            b: None,
        }
    }

    /// Where the catalog is written. Default: the search tool's description.
    #[must_use]
    pub fn placement(mut self, placement: CatalogPlacement) -> Self {
        self.placement = placement;
        self
    }

    /// Whether the catalog holds lines of usage. Default: yes.
    #[must_use]
    pub fn catalog_snippets(mut self, on: bool) -> Self {
        self.snippets = on;
        self
    }

    /// Whether the catalog holds rules of use. Default: yes.
    #[must_use]
    pub fn catalog_guidelines(mut self, on: bool) -> Self {
        self.guidelines = on;
        self
    }

    /// How many tools one search loads at most. Default: 5. At least 1.
    #[must_use]
    pub fn limit(mut self, tools: usize) -> Self {
        self.limit = tools.max(1);
        self
    }

    /// The score a tool must exceed to be found. Default: 0, every tool that shares a word.
    #[must_use]
    pub fn min_score(mut self, score: f32) -> Self {
        self.min_score = score;
        self
    }

    /// How soon a repeated word stops counting (BM25's k1).
    #[must_use]
    pub fn k1(mut self, k1: f32) -> Self {
        self.k1 = Some(k1);
        self
    }

    /// How much longer texts are marked down, from 0 to 1 (BM25's b).
    #[must_use]
    pub fn b(mut self, b: f32) -> Self {
        self.b = Some(b);
        self
    }

    fn index(&self, tools: &[Indexed]) -> Index {
        let mut builder = Index::builder().min_score(self.min_score);
        if let Some(k1) = self.k1 {
            builder = builder.k1(k1);
        }
        if let Some(b) = self.b {
            builder = builder.b(b);
        }
        builder.build(tools.iter().map(|tool| tool.document.clone()))
    }
}

impl Default for ToolSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl Shape for ToolSearch {
    fn declare(&self, surface: &mut Surface) {
        if surface.deferred().next().is_none() {
            return;
        }
        let texts = Arc::clone(&surface.texts);
        let tools: Vec<Indexed> = surface.tools.iter().map(Indexed::new).collect();
        let name = texts.search_tool.clone();
        let schema = json!({
            "type": "object",
            "properties": {"queries": {
                "type": "array",
                "items": {"type": "string"},
                "description": texts.search_queries,
            }},
            "required": ["queries"],
            "additionalProperties": false,
        });
        let searcher = Searcher {
            index: self.index(&tools),
            tools,
            limit: self.limit,
            capabilities: surface.capabilities,
            texts: Arc::clone(&texts),
        };
        let values = [("name", name.as_ref())];
        let snippet = fill(&texts.search_snippet, &values);
        let guideline = fill(&texts.search_guideline, &values);
        let description = texts.search_description.clone();
        let mut tool =
            SurfaceTool::builtin(name, description, schema.to_string(), Arc::new(searcher))
                .with_usage(snippet, guideline);
        tool.is_search = true;
        surface.tools.push(tool);
    }

    fn describe(&self, surface: &mut Surface) {
        let texts = Arc::clone(&surface.texts);
        let tools = surface.deferred().map(SurfaceTool::described);
        let catalog = tool_catalog(tools, self.snippets, self.guidelines, labels(&texts));
        if catalog.is_empty() {
            return;
        }
        match self.placement {
            CatalogPlacement::None => {}
            CatalogPlacement::SearchDescription => {
                let text = format!("{}\n{catalog}", texts.catalog_lead);
                if let Some(search) = surface.tools.iter_mut().find(|tool| tool.is_search) {
                    search.added.push(text.clone());
                    surface.search_catalog = text;
                }
            }
            CatalogPlacement::SystemPrompt => {
                let heading = one_line(&texts.catalog_heading);
                let intro = fill(&texts.catalog_intro, &[("name", &texts.search_tool)]);
                surface.sections.push(Section {
                    part: "tool catalog",
                    count: surface.deferred().count(),
                    text: format!("# {heading}\n\n{intro}\n\n{catalog}"),
                });
            }
        }
    }
}

/// A tool that a search may come upon.
struct Indexed {
    name: String,
    deferred: bool,
    /// Name, schema and description, for a model that calls the tool through another one.
    definition: String,
    document: Document,
}

impl Indexed {
    fn new(tool: &SurfaceTool) -> Self {
        let usage = tool.snippet.iter().chain(&tool.guidelines);
        let usage: Vec<&str> = usage.map(AsRef::as_ref).collect();
        let document = Document::new(tool.name.as_ref())
            .description(tool.base.as_ref())
            .usage(usage.join("\n"));
        Self {
            name: tool.name.to_string(),
            deferred: tool.deferred,
            definition: format!(
                "- {}: {}\n  {}",
                tool.name,
                one_line(&tool.base),
                one_line(&tool.schema)
            ),
            // A schema that is not JSON is a problem of its own when the agent is built.
            document: document
                .clone()
                .schema_json(&tool.schema)
                .unwrap_or(document),
        }
    }
}

/// What one query comes upon.
struct Found<'a> {
    /// The best tool of all.
    best: Option<&'a Indexed>,
    /// The best of those that a search can load, best first.
    new: Vec<&'a Indexed>,
}

/// The search tool itself.
struct Searcher {
    index: Index,
    tools: Vec<Indexed>,
    limit: usize,
    capabilities: Capabilities,
    texts: Arc<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    queries: Vec<String>,
}

impl Builtin for Searcher {
    fn answer(&self, arguments: &str, view: &View<'_>) -> Answer {
        let queries = match super::arguments::<Arguments>(arguments, EXPECTED) {
            Ok(arguments) => arguments.queries,
            Err(error) => return Answer::failed(error),
        };
        let wrong = |why: &str| Answer::failed(super::wrong_arguments(why, EXPECTED));
        if queries.len() > MOST_QUERIES {
            return wrong(&format!(
                "{} queries, at most {MOST_QUERIES} are allowed",
                queries.len()
            ));
        }
        if queries.iter().all(|query| query.trim().is_empty()) {
            return wrong("`queries` holds no keywords");
        }
        let queries: Vec<&str> = queries
            .iter()
            .map(|query| query.trim())
            .filter(|query| !query.is_empty())
            .collect();
        let (loads, notes) = self.find(&queries, view);
        let event = Event::ToolsSearched {
            queries: queries.iter().map(|&query| query.to_owned()).collect(),
            loaded: loads.clone(),
        };
        let mut text = self.found(&loads);
        for note in notes {
            push_line(&mut text, &note);
        }
        let output = if text.is_empty() {
            ToolOutput::default()
        } else {
            ToolOutput::text(text)
        };
        Answer::ok(output).loading(loads).with_event(event)
    }
}

impl Searcher {
    /// The tools to load, and a line for each query whose best tool is not among them.
    fn find(&self, queries: &[&str], view: &View<'_>) -> (Vec<String>, Vec<String>) {
        let new = |tool: &Indexed| tool.deferred && !view.is_loaded(&tool.name);
        let found: Vec<Found<'_>> = queries.iter().map(|query| self.hits(query, new)).collect();
        // In turns, so that each query's best is in the answer however many queries there are.
        let limit = self.limit.max(queries.len());
        let deepest = found.iter().map(|found| found.new.len()).max().unwrap_or(0);
        let mut loads: Vec<String> = Vec::new();
        for rank in 0..deepest {
            for tool in found.iter().filter_map(|found| found.new.get(rank)) {
                if loads.len() < limit && !loads.contains(&tool.name) {
                    loads.push(tool.name.clone());
                }
            }
        }
        let notes = queries.iter().zip(&found);
        let notes = notes.filter_map(|(query, found)| self.note(query, found.best, &loads));
        let notes = notes.collect();
        (loads, notes)
    }

    fn hits(&self, query: &str, new: impl Fn(&Indexed) -> bool) -> Found<'_> {
        let tool = |position: usize| self.tools.get(position);
        // A name written out in full asks for that tool and not for others like it.
        if let Some(exact) = self.tools.iter().find(|tool| tool.name == query) {
            return Found {
                best: Some(exact),
                new: if new(exact) { vec![exact] } else { Vec::new() },
            };
        }
        let best = self
            .index
            .search(query, 1)
            .first()
            .and_then(|hit| tool(hit.position));
        let new = self.index.search_where(query, self.limit, |position| {
            tool(position).is_some_and(&new)
        });
        Found {
            best,
            new: new.iter().filter_map(|hit| tool(hit.position)).collect(),
        }
    }

    /// What there is to say of a query beside the definitions: nothing where its best tool is
    /// among them.
    fn note(&self, query: &str, best: Option<&Indexed>, loads: &[String]) -> Option<String> {
        let query = one_line(query);
        let Some(best) = best else {
            return Some(fill(&self.texts.no_match, &[("query", &query)]));
        };
        if loads.contains(&best.name) {
            return None;
        }
        let template = if best.deferred {
            &self.texts.already_loaded
        } else {
            &self.texts.already_visible
        };
        Some(fill(template, &[("query", &query), ("tools", &best.name)]))
    }

    /// What was loaded, in words, where the protocol has no form of its own for it.
    fn found(&self, loads: &[String]) -> String {
        if self.capabilities.deferral != Deferral::None || loads.is_empty() {
            return String::new();
        }
        match self.capabilities.reveal {
            Reveal::Append => fill(&self.texts.found, &[("tools", &loads.join(", "))]),
            Reveal::Dispatch => {
                let found = self.tools.iter().filter(|tool| loads.contains(&tool.name));
                let definitions: Vec<&str> = found.map(|tool| tool.definition.as_str()).collect();
                fill(
                    &self.texts.found_for_dispatch,
                    &[
                        ("tools", &definitions.join("\n")),
                        ("call_tool", &self.texts.call_tool),
                    ],
                )
            }
        }
    }
}
