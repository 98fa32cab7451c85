//! The tool that reads a skill.

use std::{collections::BTreeSet, sync::Arc};

use serde::Deserialize;

use super::{ReadError, Skill, Skills};
use crate::{
    Texts,
    agent::{Answer, Builtin, Event, View},
    catalog::push_line,
    protocol::{Capabilities, Deferral},
    texts::fill,
    tool::{ErrorKind, ToolError},
};

/// Hands over the body of a skill or one of its files. Names are looked up, never used as paths.
pub(super) struct ReadSkill {
    skills: Arc<Skills>,
    texts: Arc<Texts>,
    /// The names of deferred tools, which a skill can load.
    deferred: BTreeSet<String>,
    capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    #[serde(default)]
    file: Option<String>,
}

impl ReadSkill {
    pub(super) fn new(
        skills: Arc<Skills>,
        texts: Arc<Texts>,
        deferred: BTreeSet<String>,
        capabilities: Capabilities,
    ) -> Self {
        Self {
            skills,
            texts,
            deferred,
            capabilities,
        }
    }

    fn instructions(&self, skill: &Skill, view: &View<'_>) -> Answer {
        let heading = heading(skill);
        let read_before = view
            .results()
            .filter(|result| result.name() == self.texts.read_skill && !result.is_failed())
            .any(|result| result.output().to_text().starts_with(&heading));
        if read_before {
            let values = [("skill", skill.name())];
            return Answer::ok(fill(&self.texts.already_read, &values));
        }
        let body = match skill.body() {
            Ok(body) => body,
            Err(error) => return Answer::failed(self.unreadable(skill, &error, None)),
        };
        let mut text = format!("{heading}\n{}", body.trim());
        let files = skill.files();
        if !files.is_empty() {
            let values = [
                ("read_skill", self.texts.read_skill.as_ref()),
                ("skill", skill.name()),
            ];
            text.push_str("\n\n");
            text.push_str(&fill(&self.texts.skill_files, &values));
            for file in files {
                push_line(
                    &mut text,
                    &format!("- {} ({} bytes)", file.path(), file.size()),
                );
            }
        }
        let needed: Vec<String> = skill
            .allowed_tools()
            .filter(|tool| self.deferred.contains(*tool) && !view.is_loaded(tool))
            .map(str::to_owned)
            .collect();
        let event = Event::SkillRead {
            skill: skill.name().to_owned(),
        };
        // A search output alone can bring definitions where the provider takes them only there.
        if self.capabilities.deferral == Deferral::Definitions && !needed.is_empty() {
            let values = [
                ("tools", needed.join(", ")),
                ("search", self.texts.search_tool.to_string()),
            ];
            let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
            text.push_str("\n\n");
            text.push_str(&fill(&self.texts.skill_needs_tools, &values));
            return Answer::ok(text).with_event(event);
        }
        Answer::ok(text).loading(needed).with_event(event)
    }

    fn file(&self, skill: &Skill, file: &str) -> Answer {
        match skill.read_file(file) {
            Ok(text) => Answer::ok(text.into_owned()),
            Err(error) => Answer::failed(self.unreadable(skill, &error, Some(file))),
        }
    }

    fn unreadable(&self, skill: &Skill, error: &ReadError, file: Option<&str>) -> ToolError {
        match error {
            ReadError::NoSuchFile => {
                let known: Vec<&str> = skill.files().iter().map(|file| file.path()).collect();
                let known = if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                };
                let values = [
                    ("skill", skill.name()),
                    ("file", file.unwrap_or_default()),
                    ("known", known.as_str()),
                ];
                ToolError::new(ErrorKind::NotFound, fill(&self.texts.unknown_file, &values))
            }
            other => ToolError::failed(other),
        }
    }
}

impl Builtin for ReadSkill {
    fn answer(&self, arguments: &str, view: &View<'_>) -> Answer {
        let arguments: Arguments = match serde_json::from_str(arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                return Answer::failed(ToolError::new(
                    ErrorKind::Invalid,
                    format!("{error}; expected {{\"name\": \"skill\"}}"),
                ));
            }
        };
        let Some(skill) = self.skills.get(&arguments.name) else {
            let known: Vec<&str> = self.skills.iter().map(Skill::name).collect();
            let asked: String = arguments.name.chars().take(64).collect();
            let values = [("skill", asked.as_str()), ("known", &known.join(", "))];
            return Answer::failed(ToolError::new(
                ErrorKind::NotFound,
                fill(&self.texts.unknown_skill, &values),
            ));
        };
        match &arguments.file {
            None => self.instructions(skill, view),
            Some(file) => self.file(skill, file),
        }
    }
}

/// The first line of a skill's text, by which a second reading is noticed.
fn heading(skill: &Skill) -> String {
    format!("<skill name=\"{}\">\n", skill.name())
}
