//! The tool that finds skills where there are too many to list.

use std::{collections::BTreeSet, sync::Arc};

use serde::Deserialize;
use serde_json::json;

use super::{Skills, listing};
use crate::{
    Texts,
    agent::{self, Answer, Builtin, Surface, SurfaceTool, View},
    catalog::{one_line, push_line},
    search::{Document, Index},
    texts::fill,
};

/// How many skills one query finds.
const LIMIT: usize = 8;
/// How many skills of a group are listed; keywords find the others.
const MOST_OF_GROUP: usize = 50;
/// How many queries one call may hold.
const MOST_QUERIES: usize = 16;
/// What the arguments look like.
const EXPECTED: &str = r#"{"queries": ["keywords or a group"]}"#;

pub(super) struct FindSkill {
    skills: Arc<Skills>,
    index: Index,
    texts: Arc<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    queries: Vec<String>,
}

impl FindSkill {
    pub(super) fn tool(surface: &Surface) -> SurfaceTool {
        let texts = Arc::clone(&surface.texts);
        let skills = Arc::clone(&surface.skills);
        let index = Index::new(skills.iter().map(|skill| {
            Document::new(skill.name())
                .description(skill.description())
                .usage(listing::group(skill))
        }));
        let schema = json!({
            "type": "object",
            "properties": {"queries": {
                "type": "array",
                "items": {"type": "string"},
                "description": texts.find_skill_queries,
            }},
            "required": ["queries"],
            "additionalProperties": false,
        });
        SurfaceTool::builtin(
            texts.find_skill.clone(),
            texts.find_skill_description.clone(),
            schema.to_string(),
            Arc::new(Self {
                skills,
                index,
                texts,
            }),
        )
    }

    fn answer_query(&self, query: &str) -> String {
        let in_group = |skill: &&super::Skill| listing::group(skill) == query;
        let size = self.skills.iter().filter(in_group).count();
        if size > 0 {
            let listed = self.skills.iter().filter(in_group).take(MOST_OF_GROUP);
            let mut text = listing::lines(listed);
            if size > MOST_OF_GROUP {
                push_line(&mut text, &format!("- … ({} more)", size - MOST_OF_GROUP));
            }
            return text;
        }
        let hits = self.index.search(query, LIMIT);
        if hits.is_empty() {
            return fill(&self.texts.no_skill_match, &[("query", &one_line(query))]);
        }
        let found = hits
            .iter()
            .filter_map(|hit| self.skills.iter().nth(hit.position));
        listing::lines(found)
    }
}

impl Builtin for FindSkill {
    fn answer(&self, arguments: &str, _view: &View<'_>) -> Answer {
        let queries = match agent::arguments::<Arguments>(arguments, EXPECTED) {
            Ok(arguments) => arguments.queries,
            Err(error) => return Answer::failed(error),
        };
        let wrong = |why: &str| Answer::failed(agent::wrong_arguments(why, EXPECTED));
        if queries.len() > MOST_QUERIES {
            return wrong(&format!("more than {MOST_QUERIES} queries"));
        }
        let mut text = String::new();
        let mut asked = BTreeSet::new();
        for query in queries
            .iter()
            .map(|query| query.trim())
            .filter(|query| !query.is_empty() && asked.insert(*query))
        {
            push_line(&mut text, &self.answer_query(query));
        }
        if text.is_empty() {
            return wrong("`queries` holds no keywords");
        }
        Answer::ok(text)
    }
}
