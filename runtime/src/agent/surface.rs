//! What the model is shown, while it is put together and when it is done.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use super::{Builtin, Inner};
use crate::{
    Texts,
    catalog::{Described, is_blank, usage},
    protocol::{Capabilities, Definition},
    skill::Skills,
    texts::fill,
    toolset::Entry,
};

/// What the model will be shown, open to extensions.
pub struct Surface {
    pub(crate) texts: Arc<Texts>,
    pub(crate) capabilities: Capabilities,
    pub(crate) skills: Arc<Skills>,
    /// Texts of the system prompt, in order.
    pub(crate) sections: Vec<Section>,
    /// Every tool: the user's, sorted by name, then those of extensions.
    pub(crate) tools: Vec<SurfaceTool>,
    /// Whether an extension has written usage and rules into the deferred tools' descriptions.
    pub(crate) deferred_described: bool,
    /// The catalog as it stands in the search tool's description.
    pub(crate) search_catalog: String,
    /// What tools that skills name are called here.
    pub(crate) skill_tools: BTreeMap<String, String>,
    pub(crate) problems: Vec<String>,
}

/// One text of the system prompt.
pub(crate) struct Section {
    pub(crate) part: &'static str,
    /// How many tools or skills it speaks of.
    pub(crate) count: usize,
    pub(crate) text: String,
}

/// A tool with the description that grows while extensions add to it.
pub(crate) struct SurfaceTool {
    pub(crate) name: Cow<'static, str>,
    pub(crate) base: Cow<'static, str>,
    /// Why the tool should no longer be used, for the model.
    pub(crate) deprecated: Option<String>,
    pub(crate) added: Vec<String>,
    pub(crate) schema: Cow<'static, str>,
    pub(crate) snippet: Option<Cow<'static, str>>,
    pub(crate) guidelines: Vec<Cow<'static, str>>,
    pub(crate) deferred: bool,
    pub(crate) strict: bool,
    pub(crate) group: Option<Cow<'static, str>>,
    pub(crate) builtin: Option<Arc<dyn Builtin>>,
    pub(crate) is_search: bool,
}

impl SurfaceTool {
    /// A user's tool, among all others of the agent.
    pub(crate) fn from_entry(entry: &Entry, entries: &[Entry], texts: &Texts) -> Self {
        Self {
            name: entry.name.clone(),
            base: entry.description.clone(),
            deprecated: deprecation(entry, entries, texts),
            added: Vec::new(),
            schema: entry.schema.clone(),
            snippet: entry.snippet.clone().filter(|text| !is_blank(text)),
            guidelines: entry
                .guidelines
                .iter()
                .filter(|rule| !is_blank(rule))
                .cloned()
                .collect(),
            deferred: entry.deferred,
            strict: entry.strict,
            group: entry.group.clone(),
            builtin: None,
            is_search: false,
        }
    }

    /// A tool of the SDK.
    pub(crate) fn builtin(
        name: Cow<'static, str>,
        description: Cow<'static, str>,
        schema: String,
        builtin: Arc<dyn Builtin>,
    ) -> Self {
        Self {
            name,
            base: description,
            deprecated: None,
            added: Vec::new(),
            schema: Cow::Owned(schema),
            snippet: None,
            guidelines: Vec::new(),
            deferred: false,
            strict: false,
            group: None,
            builtin: Some(builtin),
            is_search: false,
        }
    }

    /// The same tool with a line of usage and a rule.
    pub(crate) fn with_usage(mut self, snippet: String, guideline: String) -> Self {
        self.snippet = Some(Cow::Owned(snippet));
        self.guidelines = vec![Cow::Owned(guideline)];
        self
    }

    pub(crate) fn described(&self) -> Described<'_> {
        Described {
            name: &self.name,
            description: self.description(),
            snippet: self.snippet.as_deref(),
            guidelines: &self.guidelines,
        }
    }

    /// What the tool does, and first of all whether it should be used at all.
    fn description(&self) -> Cow<'_, str> {
        match &self.deprecated {
            Some(deprecated) => Cow::Owned(format!("{deprecated} {}", self.base)),
            None => Cow::Borrowed(&self.base),
        }
    }

    fn into_definition(self) -> Result<Definition, String> {
        let description = self.description().into_owned();
        let mut definition = Definition::new(self.name.as_ref(), description, self.schema)
            .map_err(|error| format!("tool `{}`: the schema is not JSON: {error}", self.name))?;
        for text in &self.added {
            definition.append_description(text);
        }
        Ok(definition
            .with_group(self.group.map(Cow::into_owned))
            .with_strict(self.strict))
    }
}

impl Surface {
    pub(crate) fn deferred(&self) -> impl Iterator<Item = &SurfaceTool> {
        self.tools.iter().filter(|tool| tool.deferred)
    }

    /// The groups of deferred tools, sorted by name, with the number of tools in each.
    pub(crate) fn deferred_groups(&self) -> BTreeMap<&str, usize> {
        let mut groups = BTreeMap::new();
        for group in self.deferred().filter_map(|tool| tool.group.as_deref()) {
            *groups.entry(group).or_default() += 1;
        }
        groups
    }

    pub(crate) fn visible(&self) -> impl Iterator<Item = &SurfaceTool> {
        self.tools.iter().filter(|tool| !tool.deferred)
    }

    /// Shows every tool from the start, for an agent that has nothing to find them with.
    pub(crate) fn show_all_unless_searchable(&mut self) {
        if !self.tools.iter().any(|tool| tool.is_search) {
            for tool in &mut self.tools {
                tool.deferred = false;
            }
        }
    }

    /// Rules that no extension has placed go where the tool is: a loaded tool whose rules are
    /// nowhere would be used against them.
    pub(crate) fn describe_deferred_rules(&mut self) {
        if self.deferred_described {
            return;
        }
        let texts = Arc::clone(&self.texts);
        for tool in self.tools.iter_mut().filter(|tool| tool.deferred) {
            let rules = usage(None, &tool.guidelines, labels(&texts));
            if !rules.is_empty() {
                tool.added.push(rules);
            }
        }
    }

    /// Everything in its final form, and what is wrong with it.
    pub(crate) fn finish(self) -> (Shown, Vec<String>) {
        let mut problems = self.problems;
        let mut shown = Shown {
            system: join(&self.sections),
            sections: self.sections,
            search_catalog: self.search_catalog,
            skill_tools: self.skill_tools,
            tools: Vec::new(),
            search: None,
            deferred: Vec::new(),
            builtins: Vec::new(),
        };
        for tool in self.tools {
            if let Some(builtin) = &tool.builtin {
                shown
                    .builtins
                    .push((tool.name.to_string(), Arc::clone(builtin)));
            }
            let (deferred, is_search) = (tool.deferred, tool.is_search);
            match tool.into_definition() {
                Ok(definition) if deferred => shown.deferred.push(definition),
                Ok(definition) if is_search => {
                    if let Some(first) = shown.search.replace(definition) {
                        shown.tools.push(first);
                    }
                }
                Ok(definition) => shown.tools.push(definition),
                Err(problem) => problems.push(problem),
            }
        }
        (shown, problems)
    }
}

/// What the model is told of a tool that should no longer be used. A tool that this agent does not
/// have is not recommended.
pub(crate) fn deprecation(entry: &Entry, entries: &[Entry], texts: &Texts) -> Option<String> {
    let deprecated = entry.deprecated.as_ref()?;
    let values = [
        ("tool", entry.name.as_ref()),
        ("note", deprecated.note.trim_end_matches('.')),
    ];
    let mut text = fill(&texts.deprecated, &values);
    let replaced_by = deprecated.replaced_by.as_deref();
    let known = |name: &&str| entries.iter().any(|entry| entry.name == *name);
    if let Some(name) = replaced_by.filter(known) {
        text.push(' ');
        text.push_str(&fill(&texts.use_instead, &[("tool", name)]));
    }
    Some(text)
}

impl Inner {
    /// What stands below the result of a tool that should no longer be used.
    pub(super) fn deprecation_note(&self, entry: &Entry) -> Option<String> {
        let deprecated = deprecation(entry, &self.entries, &self.texts)?;
        let values = [("tool", entry.name.as_ref()), ("deprecated", &deprecated)];
        Some(fill(&self.texts.deprecated_result, &values))
    }
}

pub(crate) fn labels(texts: &Texts) -> (&str, &str) {
    (&texts.usage_label, &texts.guidelines_label)
}

fn join(sections: &[Section]) -> String {
    let texts: Vec<&str> = sections
        .iter()
        .map(|section| section.text.trim_end())
        .collect();
    texts.join("\n\n")
}

/// What every request of an agent starts with.
pub(crate) struct Shown {
    pub(crate) system: String,
    pub(crate) sections: Vec<Section>,
    pub(crate) search_catalog: String,
    /// What tools that skills name are called here.
    pub(crate) skill_tools: BTreeMap<String, String>,
    pub(crate) tools: Vec<Definition>,
    pub(crate) search: Option<Definition>,
    pub(crate) deferred: Vec<Definition>,
    pub(crate) builtins: Vec<(String, Arc<dyn Builtin>)>,
}

impl Shown {
    pub(crate) fn builtin(&self, name: &str) -> Option<&dyn Builtin> {
        self.builtins
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, builtin)| builtin.as_ref())
    }
}
