//! The form in which the model reads results.

use serde_json::{Value, json};

use super::Inner;
use crate::{
    conversation::{ToolCall, ToolResult},
    tool::{Part, ToolError, ToolOutput},
};

/// The form in which the model reads what tools return:
/// [`AgentBuilder::result_format`](super::AgentBuilder::result_format).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultFormat {
    /// Text as it is, other values as JSON, a failure as its message.
    #[default]
    Plain,
    /// One form for all: `{"status": "ok", "data": …}` or
    /// `{"status": "failed", "message": "…"}`. A value stands in it as JSON, text as a string.
    /// Images follow it. The tools of the SDK itself answer as always.
    Envelope,
}

impl Inner {
    /// The result of a call of a user's tool, in the form that is wanted.
    pub(super) fn result(
        &self,
        call: &ToolCall,
        outcome: Result<ToolOutput, ToolError>,
    ) -> ToolResult {
        if self.result_format == ResultFormat::Plain {
            return ToolResult::from_outcome(call, outcome);
        }
        match outcome {
            Ok(output) => ToolResult::ok(call, wrapped(&output)),
            Err(error) => {
                let envelope = json!({"status": "failed", "message": error.to_string()});
                ToolResult::failed(call, envelope.to_string())
            }
        }
    }
}

fn wrapped(output: &ToolOutput) -> ToolOutput {
    let text = output.to_text();
    let data: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    let envelope = json!({"status": "ok", "data": data});
    let mut wrapped = ToolOutput::text(envelope.to_string());
    for part in output.parts() {
        if let Part::Image { media_type, data } = part {
            wrapped = wrapped.with_image(media_type.as_str(), data.as_str());
        }
    }
    wrapped
}
