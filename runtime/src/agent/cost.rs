//! What the parts of a request cost, counted on the body that would be sent.

use super::Shown;
use crate::{
    Texts,
    conversation::Item,
    model::Model,
    protocol::{Definition, Request, Reveal},
    tokens::estimate_tokens,
};

/// Counts parts of the requests that a model would be sent. For a model that does not say how it
/// writes them, the texts of the parts are counted.
pub(super) struct Cost<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) reveal: Reveal,
    pub(super) texts: &'a Texts,
}

impl Cost<'_> {
    /// A text of the system prompt.
    pub(super) fn section(&self, text: &str) -> usize {
        self.difference(text, &[], None)
            .unwrap_or_else(|| estimate_tokens(text))
    }

    /// Tools that are shown, and the one that finds others.
    pub(super) fn tools(&self, tools: &[Definition], search: Option<&Definition>) -> usize {
        self.difference("", tools, search)
            .unwrap_or_else(|| tools.iter().chain(search).map(definition_tokens).sum())
    }

    /// The catalog in the description of the search tool.
    pub(super) fn catalog(&self, shown: &Shown) -> usize {
        let Some(search) = &shown.search else {
            return 0;
        };
        let text = search.description().replace(&shown.search_catalog, "");
        let schema = search.schema().get();
        let Ok(bare) = Definition::new(search.name(), text.trim_end(), schema) else {
            return 0;
        };
        let (with, without) = (self.tools(&[], Some(search)), self.tools(&[], Some(&bare)));
        with.saturating_sub(without)
    }

    /// Everything from the start, without the means to find it.
    pub(super) fn all(&self, shown: &Shown) -> usize {
        let sections = shown.sections.iter();
        let sections = sections.filter(|section| section.part != CATALOG);
        let sections: usize = sections.map(|section| self.section(&section.text)).sum();
        let visible = shown.tools.iter();
        let visible = visible.filter(|tool| tool.name() != self.texts.call_tool);
        let tools: Vec<Definition> = visible.chain(&shown.deferred).cloned().collect();
        sections + self.tools(&tools, None)
    }

    /// What a request with these parts holds more than one without.
    fn difference(
        &self,
        system: &str,
        tools: &[Definition],
        search: Option<&Definition>,
    ) -> Option<usize> {
        let items = [Item::User("x".into())];
        let empty = Request::new(&items)
            .with_reveal(self.reveal)
            .with_texts(self.texts);
        let mut request = empty.with_system(system).with_tools(tools);
        if let Some(search) = search {
            request = request.with_deferred(search, &[]);
        }
        let with = self.model.encode(&request)?;
        let without = self.model.encode(&empty)?;
        Some(estimate_tokens(&with).saturating_sub(estimate_tokens(&without)))
    }
}

/// The part of the system prompt that the catalog of deferred tools is.
pub(super) const CATALOG: &str = "tool catalog";

/// About what a definition costs, whoever the model is.
pub(super) fn definition_tokens(tool: &Definition) -> usize {
    let text = serde_json::json!([tool.name(), tool.description()]).to_string();
    estimate_tokens(&text) + estimate_tokens(tool.schema().get())
}
