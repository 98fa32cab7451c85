//! The form in which the model reads results.

use serde_json::{Value, json, value::RawValue};

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
    /// `{"status": "failed", "message": "…"}`. A value stands in it as the JSON that it is, and so does a
    /// text that is JSON; other text stands in it as a string. Images follow it. The tools of the SDK itself
    /// answer as always.
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
    // As it was written: no digit is rounded and no key changes its place.
    let data = match serde_json::from_str::<&RawValue>(&text) {
        Ok(value) => value.get().to_owned(),
        Err(_) => Value::String(text).to_string(),
    };
    let mut wrapped = ToolOutput::text(format!("{{\"status\":\"ok\",\"data\":{data}}}"));
    for part in output.parts() {
        if let Part::Image { media_type, data } = part {
            wrapped = wrapped.with_image(media_type.as_str(), data.as_str());
        }
    }
    wrapped
}
