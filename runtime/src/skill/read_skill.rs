//! The tool that reads a skill.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ReadError, Skill, Skills, library::plain, listing};
use crate::{
    Texts,
    agent::{self, Answer, Builtin, Event, Surface, SurfaceTool, Text, View},
    catalog::{one_line, push_line},
    clock::Clock,
    maybe_send::BoxFuture,
    protocol::{Capabilities, Deferral},
    texts::fill,
    tool::{ErrorKind, ToolError},
};

/// Up to this many skills, their names are an `enum` in the tool's schema; beyond it the names
/// would cost more than they help.
const ENUM_LIMIT: usize = 20;
/// The most bytes of instructions or of a file that one call returns.
const PAGE: usize = 40_000;
/// The most files that are listed with the instructions.
const LISTED_FILES: usize = 100;
/// What the arguments look like.
const EXPECTED: &str = r#"{"name": "skill"}"#;

/// Hands over the body of a skill or one of its files. Names are looked up, never used as paths.
pub(super) struct ReadSkill {
    skills: Arc<Skills>,
    texts: Arc<Texts>,
    /// The names of deferred tools, which a skill can load.
    deferred: BTreeSet<String>,
    /// What tools that skills name are called here.
    tool_names: BTreeMap<String, String>,
    capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default, deserialize_with = "offset")]
    offset: Option<usize>,
}

/// A whole number, also as a text or with a `.0`, as models write them.
fn offset<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = match Value::deserialize(from)? {
        Value::Null => return Ok(None),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => String::new(),
    };
    let whole = number.strip_suffix(".0").unwrap_or(&number);
    whole.parse().map(Some).map_err(|_| {
        serde::de::Error::custom("`offset` must be a whole number of bytes, such as 40000")
    })
}

impl ReadSkill {
    pub(super) fn tool(surface: &Surface, tool_names: &BTreeMap<String, String>) -> SurfaceTool {
        let texts = Arc::clone(&surface.texts);
        let reader = Self {
            skills: Arc::clone(&surface.skills),
            texts: Arc::clone(&texts),
            deferred: surface
                .deferred()
                .map(|tool| tool.name.to_string())
                .collect(),
            tool_names: tool_names.clone(),
            capabilities: surface.capabilities,
        };
        let name = texts.read_skill.clone();
        let values = [("name", name.as_ref())];
        let snippet = fill(&texts.read_skill_snippet, &values);
        let guideline = fill(&texts.read_skill_guideline, &values);
        let description = texts.read_skill_description.clone();
        let schema = reader.schema();
        SurfaceTool::builtin(name, description, schema, Arc::new(reader))
            .with_usage(snippet, guideline)
    }

    fn schema(&self) -> String {
        let mut name = json!({"type": "string", "description": self.texts.read_skill_name});
        if self.skills.len() <= ENUM_LIMIT {
            name["enum"] = self.skills.iter().map(Skill::name).collect();
        }
        let mut properties = Map::new();
        properties.insert("name".to_owned(), name);
        if self.skills.iter().any(|skill| !skill.files().is_empty()) {
            let file = json!({"type": "string", "description": self.texts.read_skill_file});
            properties.insert("file".to_owned(), file);
        }
        // A text on disk may grow, and models send an offset that a notice names all the same.
        if self
            .skills
            .iter()
            .any(|skill| skill.longest() > PAGE as u64)
        {
            let offset = json!({
                "type": "integer", "minimum": 0, "description": self.texts.read_skill_offset,
            });
            properties.insert("offset".to_owned(), offset);
        }
        json!({
            "type": "object",
            "properties": Value::Object(properties),
            "required": ["name"],
            "additionalProperties": false,
        })
        .to_string()
    }

    /// The instructions, the list of files, and the tools that come with them.
    fn instructions(&self, skill: &Skill, body: &str, offset: usize, view: &View<'_>) -> Answer {
        let mut text = self.page(body.trim(), offset);
        if offset > 0 {
            return Answer::ok(text);
        }
        let name = listing::escape(skill.name());
        text.insert_str(0, &format!("<skill name=\"{name}\">\n"));
        text.push_str("\n</skill>");
        if let Some(deprecation) = skill.deprecation() {
            text.insert_str(0, &format!("`{name}` is {deprecation}.\n\n"));
        }
        self.push_files(skill, &mut text);
        let needed = self.needed(skill, view);
        let must_search = self.capabilities.deferral == Deferral::Definitions
            && !self.capabilities.additional_tools;
        if must_search && !needed.is_empty() {
            text.push_str("\n\n");
            text.push_str(&self.search_for(&needed));
        }
        let read_before = view
            .results()
            .filter(|result| result.skill() == Some(skill.name()))
            .any(|result| result.output().to_text() == text);
        let answer = if read_before {
            Answer::ok(fill(&self.texts.already_read, &[("skill", skill.name())]))
        } else {
            Answer::ok(text)
                .with_skill(skill.name())
                .with_event(Event::SkillRead {
                    skill: skill.name().to_owned(),
                })
        };
        // Where definitions travel in the output of a search alone, the model has to search.
        if must_search {
            answer
        } else {
            answer.loading(needed)
        }
    }

    fn push_files(&self, skill: &Skill, text: &mut String) {
        let files = skill.files();
        if files.is_empty() {
            return;
        }
        let values = [
            ("read_skill", self.texts.read_skill.as_ref()),
            ("skill", skill.name()),
        ];
        text.push_str("\n\n");
        text.push_str(&fill(&self.texts.skill_files, &values));
        for file in files.iter().take(LISTED_FILES) {
            let path = one_line(file.path());
            push_line(text, &format!("- {path} ({} bytes)", file.size()));
        }
        if let Some(more) = files
            .len()
            .checked_sub(LISTED_FILES)
            .filter(|more| *more > 0)
        {
            push_line(text, &format!("- … ({more} more)"));
        }
    }

    /// The deferred tools that the skill names and that are not loaded.
    fn needed(&self, skill: &Skill, view: &View<'_>) -> Vec<String> {
        let here = |tool: &str| tool_here(tool, &self.tool_names).to_owned();
        let mut needed: Vec<String> = skill
            .allowed_tools()
            .map(here)
            .filter(|tool| self.deferred.contains(tool))
            .filter(|tool| !view.is_off(tool) && !view.is_loaded(tool))
            .collect();
        needed.sort();
        needed.dedup();
        needed
    }

    fn search_for(&self, tools: &[String]) -> String {
        let tools = tools.join(", ");
        let values = [
            ("tools", tools.as_str()),
            ("search", &self.texts.search_tool),
        ];
        fill(&self.texts.skill_needs_tools, &values)
    }

    /// As much of a text as one call returns, and how to read on.
    fn page(&self, text: &str, offset: usize) -> String {
        if text.is_empty() {
            return self.texts.empty_text.to_string();
        }
        if offset >= text.len() {
            let (asked, size) = (offset.to_string(), text.len().to_string());
            return fill(&self.texts.past_end, &[("offset", &asked), ("size", &size)]);
        }
        let start = floor_boundary(text, offset);
        let rest = &text[start..];
        if rest.len() <= PAGE {
            return rest.to_owned();
        }
        let mut end = floor_boundary(rest, PAGE);
        // A whole line reads better than half of one, unless the line is very long.
        if let Some(newline) = rest[..end]
            .rfind('\n')
            .filter(|newline| *newline > PAGE / 2)
        {
            end = newline + 1;
        }
        let next = (start + end).to_string();
        let whole = text.len().to_string();
        let notice = fill(&self.texts.read_on, &[("next", &next), ("size", &whole)]);
        format!("{}\n{notice}", rest[..end].trim_end())
    }

    /// The answer where there is no text to show.
    fn unreadable(&self, error: &ReadError) -> Answer {
        match error {
            // What is no text is described and never shown.
            ReadError::NotText {
                file, size, what, ..
            } => {
                let size = size.to_string();
                let values = [("file", file.as_str()), ("what", what), ("size", &size)];
                Answer::ok(fill(&self.texts.not_text, &values))
            }
            ReadError::NoSuchFile { skill, file, known } => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let known = if known.is_empty() {
                    Cow::Borrowed("none")
                } else {
                    Cow::Owned(shorten(&known))
                };
                let asked: String = file.chars().take(200).collect();
                let values = [
                    ("skill", skill.as_str()),
                    ("file", asked.as_str()),
                    ("known", &known),
                ];
                Answer::failed(not_found(fill(&self.texts.unknown_file, &values)))
            }
            error => Answer::failed(ToolError::failed(error.for_model())),
        }
    }

    fn unknown(&self, name: &str) -> ToolError {
        let mut known: Vec<&str> = self.skills.iter().map(Skill::name).collect();
        // The one that was meant comes first, if it can be told.
        let asked = plain(name);
        known.sort_by_key(|known| plain(known) != asked);
        let asked: String = name.chars().take(64).collect();
        let values = [("skill", asked.as_str()), ("known", &shorten(&known))];
        not_found(fill(&self.texts.unknown_skill, &values))
    }
}

/// What a call asks for.
struct Wanted<'a> {
    skill: &'a Skill,
    /// A path in the skill's list, or what is on none. Nothing for the instructions.
    file: Option<String>,
    offset: usize,
}

impl ReadSkill {
    fn wanted(&self, arguments: &str) -> Result<Wanted<'_>, ToolError> {
        let Arguments { name, file, offset } = agent::arguments(arguments, EXPECTED)?;
        let Some(skill) = self.skills.get(&name) else {
            return Err(self.unknown(&name));
        };
        // Models fill in optional arguments with nothing, or with what they know of skills.
        let file = file.filter(|file| !matches!(file.as_str(), "" | "SKILL.md"));
        Ok(Wanted {
            skill,
            file: file.map(|file| listed(skill, file)),
            offset: offset.unwrap_or(0),
        })
    }

    fn answer_wanted(&self, wanted: &Wanted<'_>, view: &View<'_>, text: Text) -> Answer {
        match text {
            Ok(text) if wanted.file.is_none() => {
                self.instructions(wanted.skill, &text, wanted.offset, view)
            }
            Ok(text) => Answer::ok(self.page(&text, wanted.offset)),
            Err(error) => self.unreadable(&error),
        }
    }
}

impl Builtin for ReadSkill {
    fn answer(&self, arguments: &str, view: &View<'_>) -> Answer {
        match self.wanted(arguments) {
            Ok(wanted) => {
                let text = read(wanted.skill, wanted.file.as_deref());
                self.answer_wanted(&wanted, view, text)
            }
            Err(error) => Answer::failed(error),
        }
    }

    fn answer_in_time<'a>(
        &'a self,
        arguments: &'a str,
        view: &'a View<'_>,
    ) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let wanted = match self.wanted(arguments) {
                Ok(wanted) => wanted,
                Err(error) => return Answer::failed(error),
            };
            let goes_on = view.agent.clock().is_none_or(Clock::goes_on);
            if !wanted.skill.is_on_disk() || !goes_on {
                let text = read(wanted.skill, wanted.file.as_deref());
                return self.answer_wanted(&wanted, view, text);
            }
            let (skill, file) = (wanted.skill.clone(), wanted.file.clone());
            match agent::read_apart(move || read(&skill, file.as_deref())).await {
                Ok(text) => self.answer_wanted(&wanted, view, text),
                Err(error) => Answer::failed(error),
            }
        })
    }
}

/// A file of a skill, or its instructions.
fn read(skill: &Skill, file: Option<&str>) -> Text {
    match file {
        None => skill.body(),
        Some(file) => skill.read_file(file),
    }
}

/// The path of a file as the skill lists it: `./a.md` and `a\b.md` are plain spellings.
fn listed(skill: &Skill, file: String) -> String {
    let is_listed = |path: &str| skill.files().iter().any(|known| known.path() == path);
    let plain = file.replace('\\', "/");
    let plain = plain.trim_start_matches("./");
    if !is_listed(&file) && is_listed(plain) {
        return plain.to_owned();
    }
    file
}

/// What a tool that a skill names is called here. What stands in brackets (`Bash(git:*)`) narrows
/// down what it is used for, and is no part of its name.
pub(crate) fn tool_here<'a>(tool: &'a str, names: &'a BTreeMap<String, String>) -> &'a str {
    let name = tool.split_once('(').map_or(tool, |(name, _)| name).trim();
    let known = names.get(tool).or_else(|| names.get(name));
    known.map_or(name, String::as_str)
}

fn not_found(message: String) -> ToolError {
    ToolError::new(ErrorKind::NotFound, message)
}

/// Names for a message: all of them while they are few.
pub(super) fn shorten(names: &[&str]) -> String {
    match names.len().checked_sub(LISTED_FILES) {
        Some(more) if more > 0 => format!("{}, … ({more} more)", names[..LISTED_FILES].join(", ")),
        _ => names.join(", "),
    }
}

/// The last character border at or before an index.
fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}
