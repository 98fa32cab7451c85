//! One response of a model.

use std::{collections::HashSet, fmt};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{CallKind, ToolCall};

/// One response of a model: its parts in order, why it ended, and what it cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelTurn {
    parts: Vec<ModelPart>,
    stop: StopReason,
    #[serde(default)]
    usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verbatim: Option<Verbatim>,
}

/// A piece of a model's response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelPart {
    /// Text for the user.
    Text(String),
    /// What the model thought, as far as the provider shows it.
    Reasoning(String),
    /// A call of a tool.
    Call(ToolCall),
}

/// Why a response ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said what it wanted to say.
    End,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// The provider has paused its own work and wants the same request again.
    Paused,
    /// The limit on output tokens was reached; a call at the end may be cut off.
    MaxTokens,
    /// The model or the provider declined to answer.
    Refused,
    /// The provider named a reason that this crate does not know.
    Other,
}

/// Tokens of one response, or the sum over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// Tokens received, reasoning included.
    pub output_tokens: u64,
    /// Of the tokens sent, those the provider took from its cache.
    pub cached_input_tokens: u64,
}

/// A response exactly as a provider wrote it.
///
/// Providers sign and check parts of a response, so a turn goes back to the provider that made it
/// byte for byte; only another provider gets it re-encoded.
#[derive(Clone, Serialize, Deserialize)]
pub struct Verbatim {
    protocol: String,
    items: Vec<Box<RawValue>>,
}

impl ModelTurn {
    /// A response made of these parts.
    #[must_use]
    pub fn new(parts: Vec<ModelPart>, stop: StopReason, usage: Usage) -> Self {
        Self {
            parts,
            stop,
            usage,
            verbatim: None,
        }
    }

    /// The same response with the bytes it came in. `protocol` names the protocol that may replay
    /// them.
    #[must_use]
    pub fn with_verbatim(mut self, protocol: impl Into<String>, items: Vec<Box<RawValue>>) -> Self {
        self.verbatim = Some(Verbatim {
            protocol: protocol.into(),
            items,
        });
        self
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[ModelPart] {
        &self.parts
    }

    /// Why the response ended.
    #[must_use]
    pub fn stop(&self) -> StopReason {
        self.stop
    }

    /// What the response cost.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// The calls in the response, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            ModelPart::Call(call) => Some(call),
            _ => None,
        })
    }

    /// All text of the response.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .filter_map(|part| match part {
                ModelPart::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// The response as `protocol` wrote it, if that protocol did.
    #[must_use]
    pub fn verbatim(&self, protocol: &str) -> Option<&[Box<RawValue>]> {
        self.verbatim
            .as_ref()
            .filter(|verbatim| verbatim.protocol == protocol)
            .map(|verbatim| verbatim.items.as_slice())
    }

    /// Marks the calls of `search` as searches, and names the searches of a protocol that has no
    /// name for them.
    pub(crate) fn mark_searches(&mut self, search: &str) {
        for part in &mut self.parts {
            if let ModelPart::Call(call) = part
                && (call.name() == search || call.kind() == CallKind::Search)
            {
                *call = ToolCall::new(call.id(), search, call.arguments()).as_search();
            }
        }
    }

    /// Has each call remember which of its arguments are secret.
    pub(crate) fn hide_secrets(&mut self, secrets: impl Fn(&ToolCall) -> Vec<String>) {
        for part in &mut self.parts {
            if let ModelPart::Call(call) = part {
                let names = secrets(call);
                call.hide(names);
            }
        }
    }

    /// Gives each call an identifier of its own where the provider did not. Such a response is no
    /// longer replayed byte for byte, since its results could not be told apart.
    pub(crate) fn separate_ids(&mut self) {
        let mut known: HashSet<String> = HashSet::new();
        let (mut changed, mut place) = (false, 0);
        for part in &mut self.parts {
            let ModelPart::Call(call) = part else {
                continue;
            };
            place += 1;
            if call.id().is_empty() || known.contains(call.id()) {
                let mut id = format!("call_{place}_{}", call.id());
                while known.contains(&id) {
                    id.push('_');
                }
                *call = call.clone().with_id(id);
                changed = true;
            }
            known.insert(call.id().to_owned());
        }
        if changed {
            self.verbatim = None;
        }
    }
}

impl ModelTurn {
    /// The same response with other identifiers of its calls, and without its bytes.
    pub(crate) fn with_call_ids(&self, mut id: impl FnMut(&str) -> String) -> Self {
        let parts = self.parts.iter().map(|part| match part {
            ModelPart::Call(call) => ModelPart::Call(call.clone().with_id(id(call.id()))),
            other => other.clone(),
        });
        Self::new(parts.collect(), self.stop, self.usage)
    }
}

impl fmt::Debug for Verbatim {
    /// Says how many items there are and not what they hold: arguments stand there in full.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verbatim")
            .field("protocol", &self.protocol)
            .field("items", &self.items.len())
            .finish()
    }
}

impl Usage {
    /// Tokens sent and received together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens = self
            .cached_input_tokens
            .saturating_add(other.cached_input_tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::{ModelPart, ModelTurn, StopReason, Usage};
    use crate::conversation::ToolCall;

    #[test]
    fn a_made_up_identifier_is_nobody_elses() {
        for ids in [
            ["call_2_", "", ""],
            ["", "", "call_1_"],
            ["a", "call_3_a", "a"],
        ] {
            let call = |id: &&str| ModelPart::Call(ToolCall::new(*id, "look", "{}"));
            let parts = ids.iter().map(call).collect();
            let mut turn = ModelTurn::new(parts, StopReason::ToolCalls, Usage::default());
            turn.separate_ids();
            let mut found: Vec<&str> = turn.calls().map(ToolCall::id).collect();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 3, "{ids:?} became {found:?}");
        }
    }
}
