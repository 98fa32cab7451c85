//! When a scripted model does what.

use std::fmt;

use serde_json::{Value, json};

use super::{Act, Seen};
use crate::Texts;

/// One rule of a [`Script`](super::Script): when it applies, and what the model then does.
///
/// A rule knows nothing but the request. [`read_skill`](Self::read_skill) needs the skill in the
/// catalog, [`search`](Self::search) the search tool and the catalog entry, [`call`](Self::call)
/// the definition of the tool; what is done already, as the history shows, is not done again.
pub struct Rule {
    label: String,
    conditions: Vec<Condition>,
    act: Box<dyn Fn(&Seen) -> Act + Send + Sync>,
}

type Condition = Box<dyn Fn(&Seen) -> Result<(), String> + Send + Sync>;

impl Rule {
    /// A rule that always applies. `label` names it in errors.
    pub fn new(
        label: impl Into<String>,
        act: impl Fn(&Seen) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self {
            label: label.into(),
            conditions: Vec::new(),
            act: Box::new(act),
        }
    }

    /// If the request lists the skill and it has not been read: read it.
    #[must_use]
    pub fn read_skill(skill: &str) -> Self {
        let tool = Texts::default().read_skill;
        let name = skill.to_owned();
        Self::call(&tool, json!({ "name": skill })).when(move |seen| {
            demand(
                seen.lists_skill(&name),
                &format!("the system prompt lists no skill `{name}`"),
            )
        })
    }

    /// If the catalog lists `tool`, can be searched, and the tool is not loaded: search.
    #[must_use]
    pub fn search(query: &str, tool: &str) -> Self {
        let query = query.to_owned();
        let name = tool.to_owned();
        Self::new(format!("search for `{tool}`"), move |seen| {
            let search = seen.search_tool().unwrap_or_default();
            Act::call(search, json!({"queries": [query]}))
        })
        .when(move |seen| {
            demand(
                seen.search_tool().is_some(),
                "the request has no search tool",
            )?;
            demand(
                seen.lists_tool(&name),
                &format!("the catalog lists no tool `{name}`"),
            )?;
            demand(
                seen.tool(&name).is_none(),
                &format!("`{name}` can be called already"),
            )
        })
    }

    /// If the request defines the tool and this call has not been made: call it.
    #[must_use]
    pub fn call(tool: &str, arguments: Value) -> Self {
        let name = tool.to_owned();
        let wanted = arguments.clone();
        let act = Act::call(tool, arguments);
        Self::new(format!("call `{tool}`"), move |_| act.clone()).when(move |seen| {
            let Some(definition) = seen.tool(&name) else {
                return Err(format!("the request defines no tool `{name}`"));
            };
            if let Some(misfit) = definition.misfit(&wanted) {
                return Err(format!("`{name}` cannot be called so: {misfit}"));
            }
            let made = |call: &super::SeenCall| call.name == name && call.arguments == wanted;
            demand(!seen.calls().iter().any(made), "the call was made already")
        })
    }

    /// Say this. Add [`after`](Self::after), or the model says it at once.
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        let act = Act::Say(text.into());
        Self::new("say", move |_| act.clone())
    }

    /// Say what the last result of a tool leads to, when there is one.
    pub fn answer(tool: &str, text: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let name = tool.to_owned();
        Self::new(format!("answer from `{tool}`"), move |seen| {
            Act::Say(text(seen.result_of(&name).unwrap_or_default()))
        })
        .after(tool)
    }

    /// The same rule, which applies only when a tool has a result.
    #[must_use]
    pub fn after(self, tool: &str) -> Self {
        let name = tool.to_owned();
        self.when(move |seen| {
            demand(
                seen.result_of(&name).is_some(),
                &format!("there is no result of `{name}`"),
            )
        })
    }

    /// The same rule with one more condition, which says why it does not hold.
    #[must_use]
    pub fn when(
        mut self,
        condition: impl Fn(&Seen) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// What the rule does with this request, or why it does not apply.
    pub(super) fn apply(&self, seen: &Seen) -> Result<Act, String> {
        for condition in &self.conditions {
            condition(seen)?;
        }
        Ok((self.act)(seen))
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

fn demand(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}
