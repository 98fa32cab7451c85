//! From the JSON of Anthropic Messages to a neutral turn.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ID;
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::ProtocolError,
};

#[derive(Deserialize)]
struct ResponseBody {
    content: Vec<Box<RawValue>>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ProviderError,
}

#[derive(Deserialize)]
struct ProviderError {
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
}

/// Blocks of a type this crate does not act on are kept as they are and go back as they came.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    r#type: String,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Thinking {
    #[serde(default)]
    thinking: String,
}

#[derive(Deserialize)]
struct ToolUse<'a> {
    id: String,
    name: String,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
}

pub(super) fn turn(body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = |source| ProtocolError::Decode {
        protocol: ID,
        source,
    };
    let body: ResponseBody = match serde_json::from_slice(body) {
        Ok(body) => body,
        Err(source) => {
            return Err(match serde_json::from_slice::<ErrorBody>(body) {
                Ok(ErrorBody { error }) => ProtocolError::Provider {
                    protocol: ID,
                    code: error.r#type,
                    message: error
                        .message
                        .unwrap_or_else(|| "the provider gave no message".to_owned()),
                },
                Err(_) => decode(source),
            });
        }
    };
    let mut parts = Vec::new();
    for block in &body.content {
        let block = block.get();
        let kind: Kind = serde_json::from_str(block).map_err(decode)?;
        match kind.r#type.as_str() {
            "text" => {
                let Text { text } = serde_json::from_str(block).map_err(decode)?;
                parts.push(ModelPart::Text(text));
            }
            "thinking" => {
                let Thinking { thinking } = serde_json::from_str(block).map_err(decode)?;
                if !thinking.is_empty() {
                    parts.push(ModelPart::Reasoning(thinking));
                }
            }
            "tool_use" => {
                let ToolUse { id, name, input } = serde_json::from_str(block).map_err(decode)?;
                let arguments = input.map_or("{}", RawValue::get);
                parts.push(ModelPart::Call(ToolCall::new(id, name, arguments)));
            }
            _ => {}
        }
    }
    let stop = match body.stop_reason.as_deref() {
        Some("end_turn" | "stop_sequence") => StopReason::End,
        Some("tool_use") => StopReason::ToolCalls,
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::MaxTokens,
        Some("refusal") => StopReason::Refused,
        _ => StopReason::Other,
    };
    let usage = body.usage.map_or_else(Usage::default, |usage| {
        let cached = usage.cache_read_input_tokens.unwrap_or(0);
        Usage {
            // The provider counts cached tokens apart from the others.
            input_tokens: usage
                .input_tokens
                .saturating_add(cached)
                .saturating_add(usage.cache_creation_input_tokens.unwrap_or(0)),
            output_tokens: usage.output_tokens,
            cached_input_tokens: cached,
        }
    });
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(ID, body.content))
}
