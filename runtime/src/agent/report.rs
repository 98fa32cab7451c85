//! What a model is shown from the start, and what it costs.

use std::fmt;

use super::Shown;
use crate::{protocol::Definition, skill::Skills, tokens::estimate_tokens};

/// What a model is shown from the start, what is kept back, and what both cost.
///
/// Tokens are [estimates](crate::estimate_tokens). `Display` prints a table.
#[derive(Clone, Debug)]
pub struct Report {
    resident: Vec<ReportPart>,
    on_demand: Vec<ReportPart>,
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
    pub(crate) fn new(shown: &Shown, skills: &Skills) -> Self {
        let definition = |tool: &Definition| {
            estimate_tokens(tool.name())
                + estimate_tokens(tool.description())
                + estimate_tokens(tool.schema().get())
        };
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
        let tokens: usize = visible.clone().map(definition).sum();
        resident.push(part(
            "visible tools",
            visible.count(),
            tokens.saturating_sub(catalog),
        ));
        let mut on_demand = Vec::new();
        if !shown.deferred.is_empty() {
            let tokens = shown.deferred.iter().map(definition).sum();
            on_demand.push(part("deferred tools", shown.deferred.len(), tokens));
        }
        if !skills.is_empty() {
            on_demand.push(part("skill bodies", skills.len(), skills.body_tokens()));
        }
        Self {
            resident,
            on_demand,
        }
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
        )
    }
}
