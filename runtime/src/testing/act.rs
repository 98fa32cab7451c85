//! What a scripted model does.

use serde_json::Value;

/// What a scripted model does in one step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Act {
    /// It says this and ends its turn.
    Say(String),
    /// It calls these tools, each a name and arguments. Arguments that are a JSON string are sent
    /// as they are, so that a script can write what is not JSON.
    Call(Vec<(String, Value)>),
    /// It answers with exactly this body, in the provider's JSON.
    Raw(Value),
}

impl Act {
    /// One call.
    #[must_use]
    pub fn call(tool: impl Into<String>, arguments: Value) -> Self {
        Self::Call(vec![(tool.into(), arguments)])
    }
}
