//! The extension that tells the model which skills there are and lets it read them.

use std::sync::Arc;

use serde_json::json;

use super::{Skill, read_skill::ReadSkill};
use crate::{
    agent::{Section, Shape, Surface, SurfaceTool},
    catalog::{one_line, push_line},
    texts::fill,
};

/// Lists the skills in the system prompt and adds the tool that reads one.
///
/// Does nothing when there are no skills.
#[derive(Clone, Debug, Default)]
pub struct SkillCatalog {}

impl SkillCatalog {
    /// One line a skill.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Shape for SkillCatalog {
    fn declare(&self, surface: &mut Surface) {
        if surface.skills.is_empty() {
            return;
        }
        let texts = Arc::clone(&surface.texts);
        let name = texts.read_skill.clone();
        let mut properties = serde_json::Map::new();
        properties.insert(
            "name".to_owned(),
            json!({"type": "string", "description": texts.read_skill_name}),
        );
        if surface.skills.iter().any(|skill| !skill.files().is_empty()) {
            properties.insert(
                "file".to_owned(),
                json!({"type": "string", "description": texts.read_skill_file}),
            );
        }
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": ["name"],
            "additionalProperties": false,
        });
        let deferred = surface
            .deferred()
            .map(|tool| tool.name.to_string())
            .collect();
        surface.tools.push(SurfaceTool {
            base: texts.read_skill_description.clone(),
            added: Vec::new(),
            schema: schema.to_string().into(),
            snippet: Some(fill(&texts.read_skill_snippet, &[("name", &name)]).into()),
            guidelines: vec![fill(&texts.read_skill_guideline, &[("name", &name)]).into()],
            deferred: false,
            builtin: Some(Arc::new(ReadSkill::new(
                Arc::clone(&surface.skills),
                Arc::clone(&texts),
                deferred,
                surface.capabilities,
            ))),
            is_search: false,
            name,
        });
    }

    fn describe(&self, surface: &mut Surface) {
        if surface.skills.is_empty() {
            return;
        }
        let texts = &surface.texts;
        let heading = one_line(&texts.skills_heading);
        let intro = fill(&texts.skills_intro, &[("name", &texts.read_skill)]);
        let list = list(surface.skills.iter());
        surface.sections.push(Section {
            part: "skill catalog",
            count: surface.skills.len(),
            text: format!("# {heading}\n\n{intro}\n\n{list}"),
        });
    }
}

/// One line a skill. No description can end its line, and no path of the host is shown.
pub(super) fn list<'a>(skills: impl Iterator<Item = &'a Skill>) -> String {
    let mut text = String::new();
    for skill in skills {
        let line = format!("- {}: {}", skill.name(), one_line(skill.description()));
        push_line(&mut text, &line);
    }
    text
}

impl super::Skills {
    /// The catalog as a model reads it: one line a skill, sorted by name.
    #[must_use]
    pub fn catalog(&self) -> String {
        list(self.iter())
    }
}
