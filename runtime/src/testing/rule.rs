//! When a scripted model does what.

use std::fmt;

use serde_json::{Value, json};

use super::{Act, Seen};
use crate::Texts;

/// One rule of a [`Script`](super::Script): when it applies, what it then needs, and what the model
/// does.
///
/// A rule knows nothing but the request. What is done already, as the history shows, is not done
/// again. A rule that is not done yet and lacks what it needs stops the run:
/// [`read_skill`](Self::read_skill) needs the skill in the catalog, [`search`](Self::search) the
/// search tool and the catalog entry, [`call`](Self::call) the definition of the tool.
pub struct Rule {
    label: String,
    conditions: Vec<Condition>,
    needs: Vec<Condition>,
    act: Box<dyn Fn(&Seen) -> Act + Send + Sync>,
}

type Condition = Box<dyn Fn(&Seen) -> Result<(), String> + Send + Sync>;

/// What a rule comes to with one request.
pub(super) enum Verdict {
    /// The model does this.
    Act(Act),
    /// The rule does not apply; the next one is looked at.
    Skip(String),
    /// The rule applies and lacks something: the run cannot go on.
    Lacks(String),
}

impl Rule {
    /// A rule that always applies and needs nothing. `label` names it in errors.
    pub fn new(
        label: impl Into<String>,
        act: impl Fn(&Seen) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self {
            label: label.into(),
            conditions: Vec::new(),
            needs: Vec::new(),
            act: Box::new(act),
        }
    }

    /// Read the skill, unless it was read. Needs the skill in the system prompt's list.
    #[must_use]
    pub fn read_skill(skill: &str) -> Self {
        let tool = Texts::default().read_skill;
        let name = skill.to_owned();
        let mut rule = Self::call(&tool, json!({ "name": skill })).needs(move |seen| {
            demand(
                seen.lists_skill(&name),
                &format!("the system prompt lists no skill `{name}`"),
            )
        });
        rule.label = format!("read skill `{skill}`");
        rule
    }

    /// Search, unless it was done or the tool can be called already. Needs the search tool and the
    /// catalog entry of `tool`.
    #[must_use]
    pub fn search(query: &str, tool: &str) -> Self {
        let arguments = json!({ "queries": [query] });
        let made = arguments.clone();
        let name = tool.to_owned();
        let listed = tool.to_owned();
        Self::new(format!("search for `{tool}`"), move |seen| {
            let search = seen.search_tool().unwrap_or_default();
            Act::call(search, arguments.clone())
        })
        .when(move |seen| {
            demand(
                seen.tool(&name).is_none(),
                &format!("`{name}` can be called already"),
            )?;
            let same = |call: &super::SeenCall| {
                Some(call.name.as_str()) == seen.search_tool() && call.arguments == made
            };
            demand(
                !seen.calls().iter().any(same),
                "the search was made already",
            )
        })
        .needs(move |seen| {
            demand(
                seen.search_tool().is_some(),
                "the request has no search tool",
            )?;
            demand(
                seen.lists_tool(&listed),
                &format!("the catalog lists no tool `{listed}`"),
            )
        })
    }

    /// Call the tool, unless this call was made. Needs its definition.
    #[must_use]
    pub fn call(tool: &str, arguments: Value) -> Self {
        let name = tool.to_owned();
        let made = (tool.to_owned(), arguments.clone());
        let wanted = arguments.clone();
        let act = Act::call(tool, arguments);
        Self::new(format!("call `{tool}`"), move |_| act.clone())
            .when(move |seen| {
                let same = |call: &super::SeenCall| call.name == made.0 && call.arguments == made.1;
                demand(!seen.calls().iter().any(same), "the call was made already")
            })
            .needs(move |seen| {
                let Some(definition) = seen.tool(&name) else {
                    return Err(format!("the request defines no tool `{name}`"));
                };
                match definition.misfit(&wanted) {
                    Some(misfit) => Err(format!("`{name}` cannot be called so: {misfit}")),
                    None => Ok(()),
                }
            })
    }

    /// Say this. It ends the run, so it stands last.
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        let act = Act::Say(text.into());
        Self::new("say", move |_| act.clone())
    }

    /// Say what the last result of a tool leads to. Needs the result.
    pub fn answer(tool: &str, text: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let name = tool.to_owned();
        Self::new(format!("answer from `{tool}`"), move |seen| {
            Act::Say(text(seen.result_of(&name).unwrap_or_default()))
        })
        .after(tool)
    }

    /// The same rule, which also needs a result of a tool.
    #[must_use]
    pub fn after(self, tool: &str) -> Self {
        let name = tool.to_owned();
        self.needs(move |seen| {
            demand(
                seen.result_of(&name).is_some(),
                &format!("there is no result of `{name}`"),
            )
        })
    }

    /// The same rule, which applies only when this holds. Otherwise the next rule is looked at; the
    /// text says why in errors.
    #[must_use]
    pub fn when(
        mut self,
        condition: impl Fn(&Seen) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.conditions.push(Box::new(condition));
        self
    }

    /// The same rule, which stops the run when it applies and this does not hold.
    #[must_use]
    pub fn needs(
        mut self,
        condition: impl Fn(&Seen) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.needs.push(Box::new(condition));
        self
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    pub(super) fn verdict(&self, seen: &Seen) -> Verdict {
        for condition in &self.conditions {
            if let Err(why) = condition(seen) {
                return Verdict::Skip(why);
            }
        }
        for need in &self.needs {
            if let Err(why) = need(seen) {
                return Verdict::Lacks(why);
            }
        }
        Verdict::Act((self.act)(seen))
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
