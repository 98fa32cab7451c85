//! What conversations are shown, for each set of tools that is left out.
//!
//! A provider keeps the beginning of a conversation in its cache, so what a conversation was shown
//! when it began is what it is shown until it ends. A tool that is switched off later stays in sight
//! there and is refused; one that is switched on later is shown to conversations that begin then.

use std::sync::{Arc, OnceLock};

use serde_json::json;

use super::{
    Extension, Section, Shown, Surface, dispatches, final_answer::FinalAnswer, surface::SurfaceTool,
};
use crate::{
    Texts,
    protocol::{Capabilities, Definition},
    skill::Skills,
    texts::fill,
    toolset::Entry,
};

/// The most sets of left-out tools that are kept ready. A conversation that would need another one
/// is shown every tool that was on when the agent was built; calls of the others are refused.
const MOST: usize = 256;

/// How what is shown is put together.
pub(crate) struct Blueprint {
    pub(crate) texts: Arc<Texts>,
    pub(crate) capabilities: Capabilities,
    pub(crate) skills: Arc<Skills>,
    pub(crate) instructions: String,
    pub(super) final_answer: Option<Arc<FinalAnswer>>,
    pub(crate) extensions: Vec<Box<dyn Extension>>,
}

impl Blueprint {
    /// What is shown of some tools, the skills that can be read, and what is wrong with it.
    pub(crate) fn shape(
        &self,
        entries: &[Entry],
        without: &[String],
    ) -> (Shown, Arc<Skills>, Vec<String>) {
        let shown_entries = entries.iter().filter(|entry| {
            without
                .binary_search_by(|name| name.as_str().cmp(&entry.name))
                .is_err()
        });
        let mut surface = Surface {
            texts: Arc::clone(&self.texts),
            capabilities: self.capabilities,
            skills: Arc::clone(&self.skills),
            sections: Vec::new(),
            tools: shown_entries
                .map(|entry| SurfaceTool::from_entry(entry, entries, &self.texts))
                .collect(),
            deferred_described: false,
            search_catalog: String::new(),
            skill_tools: std::collections::BTreeMap::new(),
            problems: Vec::new(),
        };
        if !self.instructions.trim().is_empty() {
            surface.sections.push(Section {
                part: "instructions",
                count: 1,
                text: self.instructions.clone(),
            });
        }
        for extension in &self.extensions {
            extension.declare(&mut surface);
        }
        // An extension may have hidden skills; what is hidden does not exist for this agent.
        let skills = Arc::clone(&surface.skills);
        surface.show_all_unless_searchable();
        for extension in &self.extensions {
            extension.describe(&mut surface);
        }
        surface.describe_deferred_rules();
        if let Some(answer) = &self.final_answer {
            surface.tools.push(answer.tool(&self.texts));
        }
        let (mut shown, mut problems) = surface.finish();
        if dispatches(self.capabilities, &shown.deferred) {
            match call_tool(&self.texts) {
                Ok(definition) => shown.tools.push(definition),
                Err(problem) => problems.push(problem),
            }
        }
        (shown, skills, problems)
    }
}

/// What is shown, by the set of tools that is left out.
pub(crate) struct Offers {
    blueprint: Blueprint,
    first: Offer,
}

/// One set, and the next one that came up. Sets are only ever added, so that a request can borrow.
struct Offer {
    /// Sorted.
    without: Vec<String>,
    shown: Shown,
    next: OnceLock<Box<Offer>>,
}

impl Offers {
    pub(crate) fn new(blueprint: Blueprint, without: Vec<String>, shown: Shown) -> Self {
        Self {
            blueprint,
            first: Offer::new(without, shown),
        }
    }

    /// What is shown where no tool was switched since the agent was built.
    pub(crate) fn first(&self) -> &Shown {
        &self.first.shown
    }

    /// What is shown without some tools, whose names are sorted.
    pub(crate) fn without(&self, names: &[String], entries: &[Entry]) -> &Shown {
        let mut offer = &self.first;
        for _ in 0..MOST {
            if offer.without == names {
                return &offer.shown;
            }
            offer = offer.next.get_or_init(|| {
                // What could be wrong was looked at when the agent was built.
                let (shown, ..) = self.blueprint.shape(entries, names);
                Box::new(Offer::new(names.to_vec(), shown))
            });
        }
        &self.first.shown
    }
}

impl Offer {
    fn new(without: Vec<String>, shown: Shown) -> Self {
        Self {
            without,
            shown,
            next: OnceLock::new(),
        }
    }
}

/// The tool through which loaded tools are called where a request's tools must not change.
fn call_tool(texts: &Texts) -> Result<Definition, String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "arguments": {"type": "object", "additionalProperties": true},
        },
        "required": ["name", "arguments"],
        "additionalProperties": false,
    });
    let description = fill(
        &texts.call_tool_description,
        &[("search", &texts.search_tool)],
    );
    Definition::new(texts.call_tool.as_ref(), description, schema.to_string())
        .map_err(|error| error.to_string())
}
