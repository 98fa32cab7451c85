//! The tool that finds deferred tools.

use std::{collections::HashSet, future::ready, sync::Arc};

use futures_util::future::join_all;
use serde::Deserialize;

use super::{
    Answer, Builtin, Event, View, arguments, ranking, surface::SurfaceTool, wrong_arguments,
};
use crate::{
    Texts,
    catalog::one_line,
    maybe_send::BoxFuture,
    search::{Document, Hit, Index, Ranker},
    texts::fill,
    tool::{ToolError, ToolOutput},
};

/// How many queries one search may hold. Each loads at least one tool, so without a limit one call
/// could load the whole catalog.
const MOST_QUERIES: usize = 16;
/// After how many searches in a row that load nothing the model is told to stop.
const PATIENCE: usize = 3;
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
    pub(super) index: Index,
    pub(super) tools: Vec<Indexed>,
    pub(super) limit: usize,
    /// The ranker of the program's own, in place of the index.
    pub(super) ranker: Option<Arc<dyn Ranker>>,
    pub(super) min_score: f32,
    pub(super) texts: Arc<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    queries: Vec<String>,
}

/// The positions that a ranker gave to a query, the best first; `None` where the index is asked.
type Ranked = Option<Vec<usize>>;

impl Builtin for Searcher {
    fn answer(&self, text: &str, view: &View<'_>) -> Answer {
        match queries(text) {
            Ok(queries) => self.respond(&queries, &[], view),
            Err(error) => Answer::failed(error),
        }
    }

    fn answer_in_time<'a>(&'a self, text: &'a str, view: &'a View<'_>) -> BoxFuture<'a, Answer> {
        let Some(ranker) = self.ranker.as_deref() else {
            return Box::pin(ready(self.answer(text, view)));
        };
        Box::pin(async move {
            let queries = match queries(text) {
                Ok(queries) => queries,
                Err(error) => return Answer::failed(error),
            };
            // As many more as there are tools that a search does not load.
            let loadable = self.tools.iter().filter(|tool| tool.is_new(view)).count();
            let depth = self.limit.min(loadable) + (self.tools.len() - loadable);
            let asked = queries.iter().map(|query| async move {
                if self.is_known(query, view) {
                    return Ok(None);
                }
                let hits = ranking::ask(ranker, query, depth, view.agent.clock()).await?;
                Ok(Some(self.places(&hits)))
            });
            let mut failure = None;
            let answers = join_all(asked).await.into_iter();
            let ranked: Vec<Ranked> = answers
                .map(|answer| {
                    answer.unwrap_or_else(|error| {
                        failure = Some(error);
                        None
                    })
                })
                .collect();
            let answer = self.respond(&queries, &ranked, view);
            match failure {
                Some(error) => answer.with_event(Event::RankerFailed { error }),
                None => answer,
            }
        })
    }
}

/// The queries of a call, without blank ones.
fn queries(text: &str) -> Result<Vec<String>, ToolError> {
    let wrong = |why: &str| Err(wrong_arguments(why, EXPECTED));
    let Arguments { queries } = arguments(text, EXPECTED)?;
    if queries.len() > MOST_QUERIES {
        let count = queries.len();
        return wrong(&format!(
            "{count} queries, at most {MOST_QUERIES} are allowed"
        ));
    }
    let trimmed = queries.iter().map(|query| query.trim());
    let mut seen = HashSet::new();
    let queries: Vec<String> = trimmed
        .filter(|query| !query.is_empty() && seen.insert(*query))
        .map(str::to_owned)
        .collect();
    if queries.is_empty() {
        return wrong("`queries` holds no keywords");
    }
    Ok(queries)
}

impl Indexed {
    /// Whether a search can load the tool.
    fn is_new(&self, view: &View<'_>) -> bool {
        self.deferred && !view.is_off(&self.name) && !view.is_loaded(&self.name)
    }
}

impl Searcher {
    fn respond(&self, queries: &[String], ranked: &[Ranked], view: &View<'_>) -> Answer {
        let (loads, mut notes) = self.find(queries, ranked, view);
        if loads.is_empty() {
            notes.extend(self.enough(view));
        }
        let event = Event::ToolsSearched {
            queries: queries.to_vec(),
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

    /// What a model is told that searches again and again and finds nothing new.
    fn enough(&self, view: &View<'_>) -> Option<String> {
        let in_vain = view.latest_results().take_while(|result| {
            result.name() == self.texts.search_tool && result.loads().is_empty()
        });
        let count = in_vain.count() + 1;
        let values = [("count", &*count.to_string())];
        (count >= PATIENCE).then(|| fill(&self.texts.search_in_vain, &values))
    }

    /// Whether a query is answered by names alone.
    fn is_known(&self, query: &str, view: &View<'_>) -> bool {
        let group = |tool: &Indexed| {
            let group = tool.group.as_deref();
            group.is_some_and(|group| group.eq_ignore_ascii_case(query))
        };
        let in_group = self.tools.iter().any(|tool| tool.deferred && group(tool));
        in_group || self.exact(query).is_some() || self.was_left_out(query, view)
    }

    /// The tool that a query is the name of: to the letter, or else in other case or with other
    /// separators, if only one tool may be meant. Words are keywords.
    fn exact(&self, query: &str) -> Option<&Indexed> {
        let to_the_letter = self.tools.iter().find(|tool| tool.name == query);
        to_the_letter.or_else(|| {
            let is_name = !query.contains(char::is_whitespace);
            let meant = |tool: &&Indexed| is_name && same_name(&tool.name, query);
            let mut meant = self.tools.iter().filter(meant);
            meant.next().filter(|_| meant.next().is_none())
        })
    }

    /// Where the hits of a ranker are; it may say anything.
    fn places(&self, hits: &[Hit]) -> Vec<usize> {
        let mut seen = HashSet::new();
        let good = hits.iter().filter(|hit| hit.score > self.min_score);
        good.map(|hit| hit.position)
            .filter(|position| *position < self.tools.len() && seen.insert(*position))
            .collect()
    }

    /// The tools to load, and a line for each query whose best tool is not among them.
    fn find(
        &self,
        queries: &[String],
        ranked: &[Ranked],
        view: &View<'_>,
    ) -> (Vec<String>, Vec<String>) {
        let hits = queries.iter().enumerate().map(|(at, query)| {
            if self.was_left_out(query, view) {
                return Found::default();
            }
            let ranked = ranked.get(at).and_then(Option::as_deref);
            self.hits(query, ranked, view)
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
        let limit = limit.saturating_add(loads.len());
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

    /// What a query comes upon. Of the tools that are not on, only one that it names in full.
    fn hits(&self, query: &str, ranked: Option<&[usize]>, view: &View<'_>) -> Found<'_> {
        let on = |tool: &Indexed| !view.is_off(&tool.name);
        let new = |tool: &Indexed| tool.is_new(view);
        let tool = |position: usize| self.tools.get(position);
        let exact = self.exact(query);
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
        let (best, new): (Vec<&Indexed>, Vec<&Indexed>) = match ranked {
            Some(ranked) => {
                let ranked = ranked.iter().filter_map(|position| tool(*position));
                (
                    ranked.clone().filter(|tool| on(tool)).take(1).collect(),
                    ranked.filter(|tool| new(tool)).take(self.limit).collect(),
                )
            }
            None => {
                let search = |limit: usize, keep: &dyn Fn(&Indexed) -> bool| {
                    let keep = |position: usize| tool(position).is_some_and(keep);
                    let hits = self.index.search_where(query, limit, keep).into_iter();
                    hits.filter_map(|hit| tool(hit.position)).collect()
                };
                (search(1, &on), search(self.limit, &new))
            }
        };
        Found {
            best,
            new,
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
