//! How skills are written out for a model.

use std::collections::BTreeMap;

use super::{Skill, Skills};
use crate::catalog::{one_line, push_line};

/// The group of skills that name none.
const NO_GROUP: &str = "other";

/// One line a skill. No description can end its line, and no path of the host is shown.
pub(super) fn lines<'a>(skills: impl Iterator<Item = &'a Skill>) -> String {
    let mut text = String::new();
    for skill in skills {
        let (name, description) = (one_line(skill.name()), one_line(skill.description()));
        let line = match skill.deprecation() {
            Some(deprecation) => format!("- {name} ({deprecation}): {description}"),
            None => format!("- {name}: {description}"),
        };
        push_line(&mut text, &line);
    }
    text
}

/// One line a group, sorted by name.
pub(super) fn groups(skills: &Skills) -> String {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for skill in skills.iter() {
        *groups.entry(group(skill)).or_default() += 1;
    }
    let mut text = String::new();
    for (group, count) in groups {
        let skills = if count == 1 { "skill" } else { "skills" };
        push_line(
            &mut text,
            &format!("- {}: {count} {skills}", one_line(group)),
        );
    }
    text
}

pub(super) fn group(skill: &Skill) -> &str {
    skill.group().unwrap_or(NO_GROUP)
}

impl Skills {
    /// The catalog as a model reads it: one line a skill, sorted by name.
    #[must_use]
    pub fn catalog(&self) -> String {
        lines(self.iter())
    }

    /// The catalog in the XML of the [reference library], for a prompt written by hand. The location
    /// of an embedded skill is its name, since it has no path.
    ///
    /// [reference library]: https://github.com/agentskills/agentskills
    #[must_use]
    pub fn to_prompt(&self) -> String {
        let mut text = "<available_skills>\n".to_owned();
        for skill in self.iter() {
            text.push_str("<skill>\n");
            let location = skill.location();
            let description = match skill.deprecation() {
                Some(deprecation) => format!("({deprecation}) {}", skill.description()),
                None => skill.description().to_owned(),
            };
            for (tag, value) in [
                ("name", skill.name()),
                ("description", &description),
                ("location", &location),
            ] {
                text.push_str(&format!("<{tag}>\n{}\n</{tag}>\n", escape(value)));
            }
            text.push_str("</skill>\n");
        }
        text.push_str("</available_skills>");
        text
    }
}

/// The text with every character that could end an element or an attribute replaced.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#x27;"),
            c => escaped.push(c),
        }
    }
    escaped
}
