//! The extension that tells the model which skills there are and lets it read them.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Skill, Skills,
    find_skill::FindSkill,
    listing,
    read_skill::{ReadSkill, shorten},
};
use crate::{
    agent::{Section, Shape, Surface},
    texts::fill,
    tool::nearest::nearest,
};

/// Lists the skills in the system prompt and adds the tool that reads one.
///
/// Does nothing when there are no skills to show.
///
/// Up to 20 skills, their names are an `enum` in the schema of `read_skill`. One call returns at most
/// 40,000 bytes of a text, with the offset to read on from, and lists at most 100 files of a skill. One
/// query of `find_skill` lists at most 50 skills of a group, or finds at most eight by keywords.
///
/// ```
/// use repertoire::skill::{SkillCatalog, SkillForm};
///
/// let catalog = SkillCatalog::new().form(SkillForm::Groups).deny(["internal-notes"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SkillCatalog {
    form: SkillForm,
    allow: Option<Vec<String>>,
    deny: Vec<String>,
    tool_names: BTreeMap<String, String>,
}

/// How the system prompt tells of skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillForm {
    /// One line a skill: about 100 tokens each.
    #[default]
    List,
    /// One line a group; `find_skill` lists the skills of one or searches in all. The group is the
    /// skill's `metadata.group`, or the folder it lies in.
    Groups,
    /// The number of skills; `find_skill` searches. The resident cost does not grow with the number.
    Search,
}

impl SkillCatalog {
    /// One line a skill, every skill.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How the system prompt tells of skills. Default: one line each.
    #[must_use]
    pub fn form(mut self, form: SkillForm) -> Self {
        self.form = form;
        self
    }

    /// Only these skills exist for this agent. A name that no skill has is an error of `build()`.
    #[must_use]
    pub fn allow<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(Into::into);
        self.allow.get_or_insert_default().extend(names);
        self
    }

    /// These skills do not exist for this agent. A name that no skill has is an error of `build()`.
    #[must_use]
    pub fn deny<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.deny.extend(names.into_iter().map(Into::into));
        self
    }

    /// What a tool that skills name is called here, for skills written for another program:
    /// `.tool_name("Bash", "run_command")`.
    ///
    /// A skill may narrow a tool down, `Bash(git:*)`; the name is what stands before the bracket. A
    /// tool that this agent does not have is an error of `build()`.
    #[must_use]
    pub fn tool_name(mut self, in_skills: impl Into<String>, here: impl Into<String>) -> Self {
        self.tool_names.insert(in_skills.into(), here.into());
        self
    }

    /// The skills that exist for this agent. A skill that its author keeps from models
    /// (`disable-model-invocation`) never does.
    fn visible(&self, skills: &Skills) -> Skills {
        let named = |names: &[String], skill: &Skill| names.iter().any(|name| name == skill.name());
        skills.filtered(|skill| {
            skill.is_model_invocable()
                && self.allow.as_ref().is_none_or(|allow| named(allow, skill))
                && !named(&self.deny, skill)
        })
    }

    fn unknown_names<'a>(&'a self, skills: &'a Skills) -> impl Iterator<Item = String> + 'a {
        let names = self.allow.iter().flatten().chain(&self.deny);
        names.filter(|name| skills.get(name).is_none()).map(|name| {
            let known = known(name, skills.iter().map(Skill::name));
            format!("the skill catalog names a skill `{name}`, and there is none; {known}")
        })
    }
}

/// What to write for a name that nothing has: the one that was probably meant, or all that there are.
fn known<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    if let Some(meant) = nearest(name, names.iter().copied()) {
        return format!("is `{meant}` meant?");
    }
    names.sort_unstable();
    match names.as_slice() {
        [] => "there are none at all".to_owned(),
        names => format!("there are {}", shorten(names)),
    }
}

impl Shape for SkillCatalog {
    fn declare(&self, surface: &mut Surface) {
        let problems: Vec<String> = self.unknown_names(&surface.skills).collect();
        surface.problems.extend(problems);
        let unknown = self.tool_names.values();
        let unknown = unknown.filter(|here| !surface.tools.iter().any(|tool| tool.name == **here));
        let unknown: Vec<String> = unknown
            .map(|here| {
                let known = known(here, surface.tools.iter().map(|tool| tool.name.as_ref()));
                format!(
                    "the skill catalog says that a tool of skills is called `{here}` here, and \
                     this agent has no such tool; {known}"
                )
            })
            .collect();
        surface.problems.extend(unknown);
        surface.skill_tools.clone_from(&self.tool_names);
        let skills = self.visible(&surface.skills);
        surface.skills = Arc::new(skills);
        if surface.skills.is_empty() {
            return;
        }
        if self.form != SkillForm::List {
            let tool = FindSkill::tool(surface);
            surface.tools.push(tool);
        }
        let tool = ReadSkill::tool(surface, &self.tool_names);
        surface.tools.push(tool);
    }

    fn describe(&self, surface: &mut Surface) {
        if surface.skills.is_empty() {
            return;
        }
        let texts = &surface.texts;
        let skills = &surface.skills;
        let names = [
            ("name", texts.read_skill.as_ref()),
            ("find", &texts.find_skill),
            ("count", &skills.len().to_string()),
        ];
        let (intro, list) = match self.form {
            SkillForm::List => (&texts.skills_intro, listing::lines(skills.iter())),
            SkillForm::Groups => (&texts.skill_groups_intro, listing::groups(skills)),
            SkillForm::Search => (&texts.skill_search_intro, String::new()),
        };
        let heading = crate::catalog::one_line(&texts.skills_heading);
        let text = format!("# {heading}\n\n{}\n\n{list}", fill(intro, &names));
        let section = Section {
            part: "skill catalog",
            count: skills.len(),
            text: text.trim_end().to_owned(),
        };
        surface.sections.push(section);
    }
}
