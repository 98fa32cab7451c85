//! What a conversation has loaded so far.

use super::{Agent, cost::definition_tokens};
use crate::conversation::{Conversation, Item};

/// A deferred tool whose definition a conversation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The name of the tool.
    pub tool: String,
    /// The step that loaded it: the first response of the conversation is step 1.
    pub step: usize,
    /// The tool whose result brought it: the search, or the reading of a skill.
    pub by: String,
    /// About how many tokens the definition costs from then on.
    pub tokens: usize,
}

impl Agent {
    /// What the conversation has loaded so far, in that order.
    ///
    /// A tool that this agent no longer has is not among them.
    #[must_use]
    pub fn loaded(&self, conversation: &Conversation) -> Vec<Loaded> {
        let mut loaded: Vec<Loaded> = Vec::new();
        let mut step = 0;
        let deferred = &self.inner.shown(conversation).deferred;
        for item in conversation.items() {
            match item {
                Item::Model(_) => step += 1,
                Item::Results(results) => {
                    for result in results {
                        for name in result.loads() {
                            let tool = deferred.iter().find(|tool| tool.name() == name);
                            let known = loaded.iter().any(|loaded| loaded.tool == *name);
                            if let (Some(tool), false) = (tool, known) {
                                loaded.push(Loaded {
                                    tool: name.clone(),
                                    step,
                                    by: result.name().to_owned(),
                                    tokens: definition_tokens(tool),
                                });
                            }
                        }
                    }
                }
                Item::User(_) => {}
            }
        }
        loaded
    }
}
