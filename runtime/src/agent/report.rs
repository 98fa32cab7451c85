//! What a model is shown from the start, and what it costs.

use std::{collections::BTreeMap, fmt};

use super::{
    Shown,
    cost::{CATALOG, Cost},
};
use crate::{
    skill::{Skill, Skills, tool_here},
    toolset::Entry,
};

/// With more tools than this in sight, models choose worse.
const MANY_VISIBLE: usize = 15;

/// What a model is shown from the start, what is kept back, and what both cost.
///
/// Tokens are [estimates](crate::estimate_tokens), of the requests that the model would be sent; of
/// the texts themselves for a model that does not say how it writes requests
/// ([`Model::encode`](crate::model::Model::encode)). `Display` prints a table.
#[derive(Clone, Debug)]
pub struct Report {
    resident: Vec<ReportPart>,
    on_demand: Vec<ReportPart>,
    everything: usize,
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
    pub(super) fn new(shown: &Shown, skills: &Skills, entries: &[Entry], cost: &Cost<'_>) -> Self {
        let part = |name, count, tokens| ReportPart {
            name,
            count,
            tokens,
        };
        let sections = shown.sections.iter();
        let mut resident: Vec<ReportPart> = sections
            .map(|section| part(section.part, section.count, cost.section(&section.text)))
            .collect();
        let catalog = cost.catalog(shown);
        if catalog > 0 {
            resident.push(part(CATALOG, shown.deferred.len(), catalog));
        }
        let visible = shown.tools.len() + usize::from(shown.search.is_some());
        let tokens = cost.tools(&shown.tools, shown.search.as_ref());
        resident.push(part(
            "visible tools",
            visible,
            tokens.saturating_sub(catalog),
        ));
        let mut on_demand = Vec::new();
        if !shown.deferred.is_empty() {
            let tokens = cost.tools(&shown.deferred, None);
            on_demand.push(part("deferred tools", shown.deferred.len(), tokens));
        }
        if !skills.is_empty() {
            on_demand.push(part("skill bodies", skills.len(), skills.body_tokens()));
        }
        let mut notes = Vec::new();
        notes.extend(many_visible(shown, entries));
        notes.extend(saves_nothing(shown, cost));
        notes.extend(unknown_tools(skills, entries, &shown.skill_tools));
        notes.extend(unknown_replacements(entries));
        Self {
            resident,
            on_demand,
            everything: cost.all(shown) + skills.body_tokens(),
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

    /// About how many tokens it would be if nothing were kept back: every tool shown from the start,
    /// without the search and its catalog, and every skill read.
    #[must_use]
    pub fn everything_tokens(&self) -> usize {
        self.everything
    }
}

fn many_visible(shown: &Shown, entries: &[Entry]) -> Option<String> {
    let visible: Vec<&Entry> = entries
        .iter()
        .filter(|entry| shown.tools.iter().any(|tool| tool.name() == entry.name))
        .collect();
    if visible.len() <= MANY_VISIBLE {
        return None;
    }
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
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
fn saves_nothing(shown: &Shown, cost: &Cost<'_>) -> Option<String> {
    let search = shown.search.as_ref()?;
    let catalogs = shown.sections.iter();
    let catalogs = catalogs.filter(|section| section.part == CATALOG);
    let system: usize = catalogs.map(|section| cost.section(&section.text)).sum();
    let means = cost.tools(&[], Some(search)) + system;
    let kept = cost.tools(&shown.deferred, None);
    (means >= kept).then(|| {
        format!(
            "deferring saves nothing: the search and its catalog cost about {means} tokens, the \
             {} deferred definitions {kept}",
            shown.deferred.len()
        )
    })
}

/// A note for each skill that names tools which the agent does not have.
fn unknown_tools<'a>(
    skills: &'a Skills,
    entries: &'a [Entry],
    names: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = String> + 'a {
    let known = |tool: &&str| {
        let here = tool_here(tool, names);
        !entries.iter().any(|entry| entry.name == here)
    };
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
        let on_demand = self.on_demand.iter().map(|part| part.tokens).sum();
        table("on demand", &self.on_demand, on_demand)?;
        writeln!(
            f,
            "{:<24} {:>6} {:>8}",
            "nothing kept back", "", self.everything
        )?;
        self.notes
            .iter()
            .try_for_each(|note| writeln!(f, "note: {note}"))
    }
}
