//! The tool that finds deferred tools.

use std::sync::Arc;

use serde::Deserialize;

use super::{Answer, Builtin, Event, View, arguments, surface::SurfaceTool, wrong_arguments};
use crate::{
    Texts,
    catalog::one_line,
    search::{Document, Index},
    texts::fill,
    tool::ToolOutput,
};

/// How many queries one search may hold. Each loads at least one tool, so without a limit one call
/// could load the whole catalog.
const MOST_QUERIES: usize = 16;
/// What the arguments look like.
const EXPECTED: &str = r#"{"queries": ["keywords"]}"#;

/// A tool that a search may come upon.
pub(super) struct Indexed {
    name: String,
    deferred: bool,
    group: Option<String>,
    pub(super) document: Document,
}

impl Indexed {
    pub(super) fn new(tool: &SurfaceTool) -> Self {
        let usage = tool
            .snippet
            .iter()
            .chain(&tool.guidelines)
            .chain(&tool.group);
        let usage: Vec<&str> = usage.map(AsRef::as_ref).collect();
        let document = Document::new(tool.name.as_ref())
            .description(tool.base.as_ref())
            .usage(usage.join("\n"));
        Self {
            name: tool.name.to_string(),
            deferred: tool.deferred,
            group: tool.group.as_ref().map(|group| group.to_string()),
            // A schema that is not JSON is a problem of its own when the agent is built.
            document: document
                .clone()
                .schema_json(&tool.schema)
                .unwrap_or(document),
        }
    }
}

/// What one query comes upon.
#[derive(Default)]
struct Found<'a> {
    /// The best tool of all; of a group that is loaded, every tool.
    best: Vec<&'a Indexed>,
    /// The best of those that a search can load, best first.
    new: Vec<&'a Indexed>,
    /// Whether the query was the name of a group.
    group: bool,
}

/// The search tool itself.
pub(super) struct Searcher {
    index: Index,
    tools: Vec<Indexed>,
    limit: usize,
    texts: Arc<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    queries: Vec<String>,
}

impl Searcher {
    pub(super) fn new(index: Index, tools: Vec<Indexed>, limit: usize, texts: Arc<Texts>) -> Self {
        Self {
            index,
            tools,
            limit,
            texts,
        }
    }
}

impl Builtin for Searcher {
    fn answer(&self, text: &str, view: &View<'_>) -> Answer {
        let queries = match arguments::<Arguments>(text, EXPECTED) {
            Ok(arguments) => arguments.queries,
            Err(error) => return Answer::failed(error),
        };
        let wrong = |why: &str| Answer::failed(wrong_arguments(why, EXPECTED));
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
        // What was found is in `loads`, for each protocol to say in its own way.
        let output = if notes.is_empty() {
            ToolOutput::default()
        } else {
            ToolOutput::text(notes.join("\n"))
        };
        Answer::ok(output).loading(loads).with_event(event)
    }
}

impl Searcher {
    /// The tools to load, and a line for each query whose best tool is not among them.
    fn find(&self, queries: &[&str], view: &View<'_>) -> (Vec<String>, Vec<String>) {
        let new = |tool: &Indexed| {
            tool.deferred && !view.is_off(&tool.name) && !view.is_loaded(&tool.name)
        };
        let on = |tool: &Indexed| !view.is_off(&tool.name);
        let hits = queries.iter().map(|query| {
            if self.was_left_out(query, view) {
                return Found::default();
            }
            self.hits(query, new, on)
        });
        let found: Vec<Found<'_>> = hits.collect();
        // In turns, so that each query's best is in the answer however many queries there are.
        let limit = self.limit.max(queries.len());
        let deepest = found.iter().map(|found| found.new.len()).max().unwrap_or(0);
        let mut loads: Vec<String> = Vec::new();
        // Whoever names a group gets all of it.
        for tool in found
            .iter()
            .filter(|found| found.group)
            .flat_map(|found| &found.new)
        {
            if !loads.contains(&tool.name) {
                loads.push(tool.name.clone());
            }
        }
        let limit = limit + loads.len();
        for rank in 0..deepest {
            for tool in found.iter().filter_map(|found| found.new.get(rank)) {
                if loads.len() < limit && !loads.contains(&tool.name) {
                    loads.push(tool.name.clone());
                }
            }
        }
        let notes = queries.iter().zip(&found);
        let notes = notes.filter_map(|(query, found)| self.note(query, &found.best, &loads, view));
        let notes = notes.collect();
        (loads, notes)
    }

    /// What a query comes upon. Of the tools that are not `on`, only one that it names in full.
    fn hits(
        &self,
        query: &str,
        new: impl Fn(&Indexed) -> bool,
        on: impl Fn(&Indexed) -> bool,
    ) -> Found<'_> {
        let tool = |position: usize| self.tools.get(position);
        let exact = self.tools.iter().find(|tool| tool.name == query);
        let in_group = |tool: &&Indexed| {
            let group = tool.group.as_deref();
            tool.deferred
                && on(tool)
                && group.is_some_and(|group| group.eq_ignore_ascii_case(query))
        };
        let mut members: Vec<&Indexed> = self.tools.iter().filter(in_group).collect();
        if !members.is_empty() {
            // A tool of the same name comes with the group, and first.
            members.extend(exact);
            members.sort_by_key(|tool| exact.is_none_or(|exact| exact.name != tool.name));
            members.dedup_by(|a, b| a.name == b.name);
            let unloaded: Vec<&Indexed> =
                members.iter().copied().filter(|tool| new(tool)).collect();
            return Found {
                best: unloaded.first().map_or(members, |first| vec![*first]),
                new: unloaded,
                group: true,
            };
        }
        // A name written out in full asks for that tool and not for others like it.
        if let Some(exact) = exact {
            return Found {
                best: vec![exact],
                new: if new(exact) { vec![exact] } else { Vec::new() },
                group: false,
            };
        }
        let best = self
            .index
            .search_where(query, 1, |position| tool(position).is_some_and(&on))
            .first()
            .and_then(|hit| tool(hit.position));
        let new = self.index.search_where(query, self.limit, |position| {
            tool(position).is_some_and(&new)
        });
        Found {
            best: best.into_iter().collect(),
            new: new.iter().filter_map(|hit| tool(hit.position)).collect(),
            group: false,
        }
    }

    /// What there is to say of a query beside the definitions: nothing where its best tool is
    /// among them.
    fn note(
        &self,
        query: &str,
        best: &[&Indexed],
        loads: &[String],
        view: &View<'_>,
    ) -> Option<String> {
        let builtin = self.builtin(query, view);
        let query = one_line(query);
        let note = |template: &str, tools: &str| {
            Some(fill(template, &[("query", &query), ("tools", tools)]))
        };
        if let (Some(name), false) = (builtin, best.iter().any(|tool| tool.name == query)) {
            return note(&self.texts.already_visible, name);
        }
        let Some(first) = best.first() else {
            return note(&self.texts.no_match, "");
        };
        if loads.contains(&first.name) {
            return None;
        }
        let template = if view.is_off(&first.name) {
            &self.texts.found_switched_off
        } else if first.deferred {
            &self.texts.already_loaded
        } else {
            &self.texts.already_visible
        };
        let names: Vec<&str> = best.iter().map(|tool| tool.name.as_str()).collect();
        note(template, &names.join(", "))
    }

    /// Whether a query is the name of a tool that was switched off when the conversation began: it is
    /// not there for the model, and others like it are no answer.
    fn was_left_out(&self, query: &str, view: &View<'_>) -> bool {
        view.is_off(query) && !self.tools.iter().any(|tool| tool.name == query)
    }

    /// A tool of the SDK, other than this one, that a query names.
    fn builtin<'a>(&self, query: &str, view: &View<'a>) -> Option<&'a str> {
        let mut shown = view.shown_names();
        shown.find(|name| {
            *name != self.texts.search_tool
                && same_name(name, query)
                && !self.tools.iter().any(|tool| tool.name == *name)
        })
    }
}

/// Whether two names are one but for case and separators.
fn same_name(a: &str, b: &str) -> bool {
    let letters = |text: &'_ str| -> Vec<char> {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    letters(a) == letters(b)
}
