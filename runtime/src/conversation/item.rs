//! The pieces of a conversation that are not the model's own.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use super::{ModelTurn, UserMessage};
use crate::{
    secrets::redact,
    tool::{Part, ToolError, ToolOutput},
};

/// One entry of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Item {
    /// What the user said.
    User(UserMessage),
    /// One response of the model.
    Model(ModelTurn),
    /// The results of the calls in the response before, one for each call, in call order.
    Results(Vec<ToolResult>),
}

/// The model's wish to call a tool.
///
/// A call that an agent has received knows which of its arguments are secret (`#[arg(secret)]`):
/// `Debug` and [`shown_arguments`](Self::shown_arguments) show `[secret]` in their place.
/// [`arguments`](Self::arguments) is what the model wrote, since the provider wants it back.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    id: String,
    name: String,
    arguments: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(default, skip_serializing_if = "CallKind::is_function")]
    kind: CallKind,
    /// The parameters whose values nothing may show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<String>,
}

/// Whether a call is for an ordinary tool or for the tool search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallKind {
    /// A call of a tool.
    #[default]
    Function,
    /// A search for deferred tools. Some protocols have a message type of its own for it.
    Search,
}

impl CallKind {
    fn is_function(&self) -> bool {
        *self == Self::Function
    }
}

impl ToolCall {
    /// A call. `arguments` is the JSON text as the model wrote it, checked or not.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            namespace: None,
            kind: CallKind::Function,
            secrets: Vec::new(),
        }
    }

    /// The same call under another identifier.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The same call as a search for tools.
    #[must_use]
    pub fn as_search(mut self) -> Self {
        self.kind = CallKind::Search;
        self
    }

    /// The same call with the namespace that the provider put on it.
    #[must_use]
    pub fn with_namespace(mut self, namespace: Option<String>) -> Self {
        self.namespace = namespace;
        self
    }

    /// The identifier that ties the result to the call.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as the model wrote them: JSON text, not yet checked.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The provider's namespace of the tool. It is opaque and goes back as it came.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Whether this is a call of a tool or a search for one.
    #[must_use]
    pub fn kind(&self) -> CallKind {
        self.kind
    }

    /// The arguments to show to a person or to write into a log: those that are secret are
    /// `[secret]`, and arguments that are not JSON are left out where one of them is.
    #[must_use]
    pub fn shown_arguments(&self) -> Cow<'_, str> {
        redact(&self.arguments, &self.secrets)
    }

    /// Remembers which arguments are secret.
    pub(crate) fn hide(&mut self, secrets: Vec<String>) {
        self.secrets = secrets;
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments", &self.shown_arguments())
            .field("namespace", &self.namespace)
            .field("kind", &self.kind)
            .finish()
    }
}

/// What one call came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    call_id: String,
    name: String,
    status: ResultStatus,
    output: ToolOutput,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    loads: Vec<String>,
    #[serde(default, skip_serializing_if = "CallKind::is_function")]
    kind: CallKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
}

/// Whether a call succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResultStatus {
    /// The tool returned a value.
    Ok,
    /// The call was refused or failed; the output says why.
    Failed,
}

impl ToolResult {
    /// The result of a call that succeeded.
    #[must_use]
    pub fn ok(call: &ToolCall, output: impl Into<ToolOutput>) -> Self {
        Self {
            call_id: call.id().to_owned(),
            name: call.name().to_owned(),
            status: ResultStatus::Ok,
            output: output.into(),
            loads: Vec::new(),
            kind: call.kind(),
            skill: None,
        }
    }

    /// The result of a call that failed. Where `why` says nothing, the result says that.
    #[must_use]
    pub fn failed(call: &ToolCall, why: impl Into<String>) -> Self {
        let mut why = why.into();
        if why.trim().is_empty() {
            why = "the call failed without a reason".to_owned();
        }
        Self {
            status: ResultStatus::Failed,
            ..Self::ok(call, ToolOutput::text(why))
        }
    }

    /// The result of a call, whichever way it went.
    #[must_use]
    pub fn from_outcome(call: &ToolCall, outcome: Result<ToolOutput, ToolError>) -> Self {
        match outcome {
            Ok(output) => Self::ok(call, output),
            Err(error) => Self::failed(call, error.to_string()),
        }
    }

    /// The same result, which also hands over the definitions of these deferred tools.
    #[must_use]
    pub fn loading(mut self, names: Vec<String>) -> Self {
        self.loads = names;
        self
    }

    /// The same result, which holds the instructions of a skill.
    #[must_use]
    pub(crate) fn with_skill(mut self, skill: Option<String>) -> Self {
        self.skill = skill;
        self
    }

    /// The same result with one more line for the model.
    /// The same result for a call under another identifier.
    pub(crate) fn with_call_id(mut self, id: String) -> Self {
        self.call_id = id;
        self
    }

    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.output.push(Part::Text(note));
        self
    }

    /// The skill whose instructions this result holds.
    #[must_use]
    pub fn skill(&self) -> Option<&str> {
        self.skill.as_deref()
    }

    /// The identifier of the call.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The name of the tool that was called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn status(&self) -> ResultStatus {
        self.status
    }

    /// Whether the call failed.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.status == ResultStatus::Failed
    }

    /// What the tool returned, or why it failed.
    #[must_use]
    pub fn output(&self) -> &ToolOutput {
        &self.output
    }

    /// The deferred tools whose definitions this result hands over.
    #[must_use]
    pub fn loads(&self) -> &[String] {
        &self.loads
    }

    /// Whether this answers a call of a tool or a search for one.
    #[must_use]
    pub fn kind(&self) -> CallKind {
        self.kind
    }
}
