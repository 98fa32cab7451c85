//! What a model is shown from the start, and what it costs.

use std::fmt;

use super::Shown;
use crate::{
    protocol::Definition,
    skill::{Skill, Skills},
    tokens::estimate_tokens,
    toolset::Entry,
};

/// With more tools than this in sight, models choose worse.
const MANY_VISIBLE: usize = 15;

/// What a model is shown from the start, what is kept back, and what both cost.
///
/// Tokens are [estimates](crate::estimate_tokens). `Display` prints a table.
#[derive(Clone, Debug)]
pub struct Report {
    resident: Vec<ReportPart>,
    on_demand: Vec<ReportPart>,
    notes: Vec<String>,
}

/// One part of a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportPart {
    /// What it is, for example `skill catalog`.
    pub name: &'static str,
    /// How many tools or skills it speaks of.
    pub count: usize,
    /// About how many tokens it costs.
    pub tokens: usize,
}

impl Report {
    pub(crate) fn new(shown: &Shown, skills: &Skills, entries: &[Entry]) -> Self {
        let part = |name, count, tokens| ReportPart {
            name,
            count,
            tokens,
        };
        let mut resident: Vec<ReportPart> = shown
            .sections
            .iter()
            .map(|section| part(section.part, section.count, estimate_tokens(&section.text)))
            .collect();
        let catalog = estimate_tokens(&shown.search_catalog);
        if catalog > 0 {
            resident.push(part("tool catalog", shown.deferred.len(), catalog));
        }
        let visible = shown.tools.iter().chain(&shown.search);
        let tokens: usize = visible.clone().map(definition_tokens).sum();
        resident.push(part(
            "visible tools",
            visible.count(),
            tokens.saturating_sub(catalog),
        ));
        let mut on_demand = Vec::new();
        if !shown.deferred.is_empty() {
            let tokens = shown.deferred.iter().map(definition_tokens).sum();
            on_demand.push(part("deferred tools", shown.deferred.len(), tokens));
        }
        if !skills.is_empty() {
            on_demand.push(part("skill bodies", skills.len(), skills.body_tokens()));
        }
        let mut notes = Vec::new();
        notes.extend(many_visible(shown, entries));
        notes.extend(saves_nothing(shown, catalog));
        notes.extend(unknown_tools(skills, entries));
        notes.extend(unknown_replacements(entries));
        Self {
            resident,
            on_demand,
            notes,
        }
    }

    /// What could be better: too many tools in sight, a deferral that saves nothing, skills that
    /// name tools which do not exist.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What every request holds.
    #[must_use]
    pub fn resident(&self) -> &[ReportPart] {
        &self.resident
    }

    /// What is handed over only when the model asks for it.
    #[must_use]
    pub fn on_demand(&self) -> &[ReportPart] {
        &self.on_demand
    }

    /// About how many tokens every request holds before the first message.
    #[must_use]
    pub fn resident_tokens(&self) -> usize {
        self.resident.iter().map(|part| part.tokens).sum()
    }

    /// About how many tokens it would be if nothing were kept back.
    #[must_use]
    pub fn everything_tokens(&self) -> usize {
        self.resident_tokens() + self.on_demand.iter().map(|part| part.tokens).sum::<usize>()
    }
}

/// What a definition costs as it stands in a request.
pub(super) fn definition_tokens(tool: &Definition) -> usize {
    let text = serde_json::json!([tool.name(), tool.description()]).to_string();
    estimate_tokens(&text) + estimate_tokens(tool.schema().get())
}

fn many_visible(shown: &Shown, entries: &[Entry]) -> Option<String> {
    let visible: Vec<&Entry> = entries
        .iter()
        .filter(|entry| shown.tools.iter().any(|tool| tool.name() == entry.name))
        .collect();
    if visible.len() <= MANY_VISIBLE {
        return None;
    }
    let mut groups: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for group in visible.iter().filter_map(|entry| entry.group.as_deref()) {
        *groups.entry(group).or_default() += 1;
    }
    let groups: Vec<String> = groups
        .iter()
        .map(|(group, count)| format!("`{group}` ({count})"))
        .collect();
    let which = if groups.is_empty() {
        "give them groups and defer the rare ones".to_owned()
    } else {
        format!(
            "defer those of a group that is rarely needed: {}",
            groups.join(", ")
        )
    };
    Some(format!(
        "{} tools are always shown; beyond {MANY_VISIBLE} models choose worse: {which}",
        visible.len()
    ))
}

/// A note where the search and its catalog cost more than the definitions they keep back.
fn saves_nothing(shown: &Shown, catalog: usize) -> Option<String> {
    let search = shown.search.as_ref()?;
    let in_system = shown
        .sections
        .iter()
        .filter(|section| section.part == "tool catalog");
    let system: usize = in_system
        .map(|section| estimate_tokens(&section.text))
        .sum();
    let cost = definition_tokens(search).max(catalog) + system;
    let kept: usize = shown.deferred.iter().map(definition_tokens).sum();
    (cost >= kept).then(|| {
        format!(
            "deferring saves nothing: the search and its catalog cost about {cost} tokens, the {} \
             deferred definitions {kept}",
            shown.deferred.len()
        )
    })
}

/// A note for each skill that names tools which the agent does not have.
fn unknown_tools<'a>(
    skills: &'a Skills,
    entries: &'a [Entry],
) -> impl Iterator<Item = String> + 'a {
    let known = |tool: &&str| !entries.iter().any(|entry| entry.name == *tool);
    skills.iter().filter_map(move |skill: &Skill| {
        let unknown: Vec<&str> = skill.allowed_tools().filter(known).collect();
        (!unknown.is_empty()).then(|| {
            format!(
                "skill `{}` names tools that this agent does not have: {}",
                skill.name(),
                unknown.join(", ")
            )
        })
    })
}

/// A note for each deprecated tool whose replacement the agent does not have.
fn unknown_replacements(entries: &[Entry]) -> impl Iterator<Item = String> {
    entries.iter().filter_map(|entry| {
        let replaced_by = entry.deprecated.as_ref()?.replaced_by.as_deref()?;
        let known = entries.iter().any(|entry| entry.name == replaced_by);
        (!known).then(|| {
            format!(
                "tool `{}` is deprecated in favour of `{replaced_by}`, which this agent does not \
                 have; the model is told of no replacement",
                entry.name
            )
        })
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = |title: &str, parts: &[ReportPart], sum: usize| {
            writeln!(f, "{title:<24} {:>6} {:>8}", "count", "tokens")?;
            for part in parts {
                writeln!(
                    f,
                    "  {:<22} {:>6} {:>8}",
                    part.name, part.count, part.tokens
                )?;
            }
            writeln!(f, "  {:<22} {:>6} {sum:>8}", "sum", "")
        };
        table("resident", &self.resident, self.resident_tokens())?;
        table(
            "on demand",
            &self.on_demand,
            self.everything_tokens() - self.resident_tokens(),
        )?;
        self.notes
            .iter()
            .try_for_each(|note| writeln!(f, "note: {note}"))
    }
}
