//! The skills of one agent.

use std::fmt;

use repertoire_skillmd::Finding;

use super::{EmbeddedSkills, Skill, SkillReport, SkillRoots};
use crate::{catalog::one_line, tokens::estimate_tokens};

/// The skills of one agent, sorted by name, and the ones that could not be used.
///
/// ```
/// let skills = repertoire::Skills::from_roots(["no/such/folder"]);
/// assert!(skills.is_empty());
/// assert_eq!(skills.skipped().len(), 1); // a root that is not there is said, not passed over
/// ```
#[derive(Clone, Debug, Default)]
pub struct Skills {
    pub(super) skills: Vec<Skill>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) reports: Vec<SkillReport>,
    /// How the set came about, for [`rescan`](Self::rescan).
    pub(super) steps: Vec<Step>,
}

/// One source of a set of skills.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) source: StepSource,
    /// Whether a name that is taken is meant to be.
    pub(super) quiet: bool,
}

#[derive(Clone, Debug)]
pub(super) enum StepSource {
    Embedded(&'static EmbeddedSkills),
    Roots(SkillRoots),
}

/// A skill that was found and is not used, and why.
///
/// ```
/// let skills = repertoire::Skills::from_roots(["no/such/folder"]);
/// for skipped in skills.skipped() {
///     assert!(skipped.to_string().starts_with("no/such/folder:1:1: unreadable: "));
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) reason: String,
    pub(super) help: Option<String>,
}

impl Skills {
    /// No skills.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Both together. Where two skills have one name, the one in `self` is kept and the other is
    /// listed in [`skipped`](Self::skipped).
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        self.joined(other, false)
    }

    /// Both together, where the other's skills stand in for those of the same name here: skills on
    /// disk in the place of embedded ones, while they are being written.
    ///
    /// ```no_run
    /// # use repertoire::Skills;
    /// # let embedded = Skills::new();
    /// let skills = embedded.overridden_by(Skills::from_roots(["skills"]));
    /// ```
    #[must_use]
    pub fn overridden_by(self, other: Self) -> Self {
        other.joined(self, true)
    }

    /// The same set as it is now: folders on disk are searched again, what is embedded stays.
    ///
    /// An agent shows its model the skills it was built with; build another one to show these.
    #[must_use]
    pub fn rescan(&self) -> Self {
        self.steps.iter().fold(Self::new(), |skills, step| {
            let more = match &step.source {
                StepSource::Embedded(embedded) => Self::from(*embedded),
                StepSource::Roots(roots) => roots.load(),
            };
            skills.joined(more, step.quiet)
        })
    }

    /// The skills, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Skill> {
        self.skills.iter()
    }

    /// The skill of that name. A name is only looked up, never used as a path.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Skill> {
        let index = self.skills.binary_search_by(|skill| skill.name().cmp(name));
        index.ok().and_then(|index| self.skills.get(index))
    }

    /// The skill that a call of a tool `name` was meant for: its name in another case, with `_` for
    /// `-`, or with the word `skill` before it.
    pub(crate) fn meant(&self, name: &str) -> Option<&Skill> {
        let called = plain(name);
        let bare = ["skill-", "skills-", "skill:", "skills:"]
            .into_iter()
            .find_map(|prefix| called.strip_prefix(prefix));
        let named = |name: &str| self.skills.iter().find(|skill| plain(skill.name()) == name);
        self.get(name)
            .or_else(|| named(&called))
            .or_else(|| bare.and_then(named))
    }

    /// How many skills there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// Whether there are no skills.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// What was found and is not used: a broken `SKILL.md`, a name that was taken, a folder that is
    /// not there. Nothing is left out in silence.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Everything that was found in every `SKILL.md` on disk, used or not.
    #[must_use]
    pub fn reports(&self) -> &[SkillReport] {
        &self.reports
    }

    /// About how many tokens the instructions of all skills cost together.
    #[must_use]
    pub fn body_tokens(&self) -> usize {
        self.skills
            .iter()
            .filter_map(|skill| skill.body().ok())
            .map(|body| estimate_tokens(&body))
            .sum()
    }

    fn joined(mut self, other: Self, quiet: bool) -> Self {
        self.skipped.extend(other.skipped);
        self.reports.extend(other.reports);
        for mut step in other.steps {
            step.quiet |= quiet;
            self.steps.push(step);
        }
        for skill in other.skills {
            let (name, place) = (skill.name().to_owned(), skill.place());
            if !self.insert(skill, quiet) {
                self.gives_way(&name, &place);
            }
        }
        self
    }

    /// Has the report of the file at `place` say that another skill has its name.
    fn gives_way(&mut self, name: &str, place: &str) {
        let taken = self.get(name).map(Skill::place).unwrap_or_default();
        let report = self
            .reports
            .iter_mut()
            .find(|report| report.path() == place);
        if let Some(report) = report {
            report.give_way(&taken);
        }
    }

    /// The skills that pass a test; what was skipped before stays so.
    pub(super) fn filtered(&self, keep: impl Fn(&Skill) -> bool) -> Self {
        let mut skills = self.clone();
        skills.skills.retain(keep);
        skills
    }

    /// Adds a skill unless its name is taken, and says whether it did. A taken name is listed in
    /// `skipped` unless it is meant to be.
    pub(super) fn insert(&mut self, skill: Skill, quiet: bool) -> bool {
        match self
            .skills
            .binary_search_by(|known| known.name().cmp(skill.name()))
        {
            Ok(_) if quiet => false,
            Ok(index) => {
                let first = self.skills.get(index).map(Skill::place).unwrap_or_default();
                self.skipped.push(Skipped {
                    path: skill.place(),
                    line: 1,
                    column: 1,
                    reason: format!("the name `{}` is taken by {first}", skill.name()),
                    help: Some("rename one of the two, or leave one out".to_owned()),
                });
                false
            }
            Err(index) => {
                self.skills.insert(index, skill);
                true
            }
        }
    }
}

/// A name without what models change in it.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

impl From<&'static EmbeddedSkills> for Skills {
    fn from(embedded: &'static EmbeddedSkills) -> Self {
        let mut skills = Self::new();
        for skill in embedded.skills {
            skills.insert(Skill::from_embedded(skill, embedded.folder), false);
        }
        skills.steps.push(Step {
            source: StepSource::Embedded(embedded),
            quiet: false,
        });
        skills
    }
}

impl Skipped {
    pub(super) fn new(path: impl fmt::Display, finding: &Finding) -> Self {
        let (line, column) = finding
            .span()
            .map_or((1, 1), |span| (span.line(), span.column()));
        Self {
            path: one_line(&path.to_string()),
            line,
            column,
            reason: format!("{}: {}", finding.kind(), finding.message()),
            help: finding.help().map(str::to_owned),
        }
    }

    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The line of the fault, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the fault in characters, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}",
            self.path, self.line, self.column, self.reason
        )?;
        match &self.help {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}
