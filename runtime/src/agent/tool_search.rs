//! The extension that lets the model find deferred tools.

use std::sync::Arc;

use serde_json::json;

use super::{
    Section, Shape, Surface,
    cost::CATALOG,
    ranking::Maker,
    searcher::{Indexed, Searcher},
    surface::{SurfaceTool, labels},
};
use crate::{
    Texts,
    catalog::{one_line, push_line, tool_catalog},
    maybe_send::{MaybeSend, MaybeSync},
    search::{Document, Index, Ranker, Weights},
    texts::fill,
};

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
    form: CatalogForm,
    snippets: bool,
    guidelines: bool,
    limit: usize,
    min_score: f32,
    k1: Option<f32>,
    b: Option<f32>,
    weights: Weights,
    ranker: Option<Maker>,
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

/// How the catalog lists deferred tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogForm {
    /// One entry a tool.
    #[default]
    List,
    /// One line a group, with the number of its tools; a search for a group's name loads all of
    /// them. Tools without a group have their own entries.
    Groups,
}

impl ToolSearch {
    /// The catalog in the search tool's description, with usage and rules; five tools a search.
    #[must_use]
    pub fn new() -> Self {
        Self {
            placement: CatalogPlacement::default(),
            form: CatalogForm::default(),
            snippets: true,
            guidelines: true,
            limit: 5,
            min_score: 0.0,
            k1: None,
            b: None,
            weights: Weights::new(),
            ranker: None,
        }
    }

    /// Where the catalog is written. Default: the search tool's description.
    #[must_use]
    pub fn placement(mut self, placement: CatalogPlacement) -> Self {
        self.placement = placement;
        self
    }

    /// How the catalog lists deferred tools. Default: one entry each.
    #[must_use]
    pub fn form(mut self, form: CatalogForm) -> Self {
        self.form = form;
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

    /// The score a tool must exceed to be found; with a [`ranker`](Self::ranker), the score that it
    /// gives. Default: 0, every tool that shares a word.
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

    /// How much a word counts in the name of a tool, its description and its parameters.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Ranks the tools by a ranker of your own, such as one made of embeddings.
    ///
    /// `make` is given the tools and returns their ranker, which says positions among them. It is
    /// called when the agent is built, and again for conversations that begin while tools are
    /// switched off. [`Fusion`](crate::search::Fusion) joins a ranker to the built-in index:
    ///
    /// ```
    /// use repertoire::BoxFuture;
    /// use repertoire::agent::ToolSearch;
    /// use repertoire::search::{Document, Fusion, Hit, Index, Ranker, RankerError};
    ///
    /// /// Any model that turns texts into vectors of length 1, here or at some service.
    /// async fn embed(texts: &[String]) -> Result<Vec<Vec<f32>>, RankerError> {
    ///     # Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
    ///     # /*
    ///     …
    ///     # */
    /// }
    ///
    /// struct Embeddings {
    ///     tools: Vec<String>,
    ///     /// Filled by the first search.
    ///     vectors: tokio::sync::OnceCell<Vec<Vec<f32>>>,
    /// }
    ///
    /// impl Ranker for Embeddings {
    ///     fn rank<'a>(&'a self, query: &'a str, limit: usize) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
    ///         Box::pin(async move {
    ///             let tools = self.vectors.get_or_try_init(|| embed(&self.tools)).await?;
    ///             let query = embed(&[query.to_owned()]).await?.remove(0);
    ///             let score = |tool: &Vec<f32>| tool.iter().zip(&query).map(|(a, b)| a * b).sum();
    ///             let mut hits: Vec<Hit> =
    ///                 tools.iter().map(score).enumerate().map(|(at, score)| Hit::new(at, score)).collect();
    ///             hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    ///             hits.truncate(limit);
    ///             Ok(hits)
    ///         })
    ///     }
    /// }
    ///
    /// let search = ToolSearch::new().ranker(|tools: &[Document]| {
    ///     let embeddings = Embeddings {
    ///         tools: tools.iter().map(Document::text).collect(),
    ///         vectors: Default::default(),
    ///     };
    ///     Fusion::new().with(Index::new(tools.to_vec()), 1.0).with(embeddings, 1.0)
    /// });
    /// ```
    ///
    /// A query that is the name of a tool or of a group is answered without the ranker. Where it fails,
    /// panics or takes more than 30 seconds, the built-in index answers in its place, and
    /// [`Event::RankerFailed`](super::Event::RankerFailed) says so. Hits whose score is not above
    /// [`min_score`](Self::min_score), and positions that do not exist, are passed over.
    #[must_use]
    pub fn ranker<R: Ranker + 'static>(
        mut self,
        make: impl Fn(&[Document]) -> R + MaybeSend + MaybeSync + 'static,
    ) -> Self {
        self.ranker = Some(Maker::new(make));
        self
    }

    fn index(&self, tools: &[Indexed]) -> Index {
        let mut builder = Index::builder()
            .min_score(self.min_score)
            .weights(self.weights);
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
        let users = surface.tools.iter().filter(|tool| tool.builtin.is_none());
        let tools: Vec<Indexed> = users.map(Indexed::new).collect();
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
        let documents = || -> Vec<Document> {
            let documents = tools.iter().map(|tool| tool.document.clone());
            documents.collect()
        };
        let ranker = self.ranker.as_ref().map(|maker| maker.make(&documents()));
        let ranker = ranker.transpose().unwrap_or_else(|panic| {
            let problem = format!("the ranker of `ToolSearch` could not be made: {panic}");
            surface.problems.push(problem);
            None
        });
        let searcher = Searcher {
            index: self.index(&tools),
            tools,
            limit: self.limit,
            ranker,
            min_score: self.min_score,
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
        let catalog = self.catalog(surface, &texts);
        if catalog.is_empty() {
            return;
        }
        let groups = self.form == CatalogForm::Groups;
        match self.placement {
            CatalogPlacement::None => {}
            CatalogPlacement::SearchDescription => {
                let lead = if groups {
                    &texts.catalog_groups_lead
                } else {
                    &texts.catalog_lead
                };
                let text = format!("{lead}\n{catalog}");
                if let Some(search) = surface.tools.iter_mut().find(|tool| tool.is_search) {
                    search.added.push(text.clone());
                    surface.search_catalog = text;
                }
            }
            CatalogPlacement::SystemPrompt => {
                let heading = one_line(&texts.catalog_heading);
                let intro = if groups {
                    &texts.catalog_groups_intro
                } else {
                    &texts.catalog_intro
                };
                let intro = fill(intro, &[("name", &texts.search_tool)]);
                surface.sections.push(Section {
                    part: CATALOG,
                    count: surface.deferred().count(),
                    text: format!("# {heading}\n\n{intro}\n\n{catalog}"),
                });
            }
        }
    }
}

impl ToolSearch {
    /// The catalog as the form has it. Empty when nothing is deferred.
    fn catalog(&self, surface: &Surface, texts: &Texts) -> String {
        let mut text = String::new();
        let listed = |tool: &&SurfaceTool| match self.form {
            CatalogForm::List => true,
            CatalogForm::Groups => tool.group.is_none(),
        };
        if self.form == CatalogForm::Groups {
            for (group, count) in surface.deferred_groups() {
                let tools = if count == 1 { "tool" } else { "tools" };
                push_line(
                    &mut text,
                    &format!("- {}: {count} {tools}", one_line(group)),
                );
            }
        }
        let tools = surface
            .deferred()
            .filter(listed)
            .map(SurfaceTool::described);
        let entries = tool_catalog(tools, self.snippets, self.guidelines, labels(texts));
        if !entries.is_empty() {
            push_line(&mut text, &entries);
        }
        text
    }
}
