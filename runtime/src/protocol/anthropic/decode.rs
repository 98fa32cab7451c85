//! From the JSON of Anthropic Messages to a neutral turn.

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        loose::maybe_count,
        raw::{arguments_of, with_object},
    },
};

#[derive(Deserialize)]
struct ResponseBody {
    content: Option<Vec<Box<RawValue>>>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default, deserialize_with = "maybe_count")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "maybe_count")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "maybe_count")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "maybe_count")]
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

pub(super) fn turn(id: &'static str, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = ProtocolError::decode(id);
    let bytes = body;
    let body: ResponseBody = match serde_json::from_slice(bytes) {
        Ok(body) => body,
        Err(source) => return Err(provider_error(id, bytes).unwrap_or_else(|| decode(source))),
    };
    let Some(mut content) = body.content else {
        return Err(provider_error(id, bytes)
            .unwrap_or_else(|| decode(serde_json::Error::custom("it has no `content`"))));
    };
    let mut parts = Vec::new();
    let mut mended = Vec::new();
    for (place, raw) in content.iter().enumerate() {
        let block = raw.get();
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
                let arguments = arguments_of(input);
                parts.push(ModelPart::Call(ToolCall::new(id, name, arguments)));
                mended.extend(with_object(raw, &["input"]).map(|mended| (place, mended)));
            }
            _ => {}
        }
    }
    let stop = match body.stop_reason.as_deref() {
        Some("end_turn" | "stop_sequence") => StopReason::End,
        Some("tool_use") => StopReason::ToolCalls,
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::MaxTokens,
        Some("refusal") => StopReason::Refused,
        Some("pause_turn") => StopReason::Paused,
        _ => StopReason::Other,
    };
    let usage = body.usage.map_or_else(Usage::default, |usage| {
        let cached = usage.cache_read_input_tokens.unwrap_or(0);
        Usage {
            // The provider counts cached tokens apart from the others.
            input_tokens: usage
                .input_tokens
                .unwrap_or(0)
                .saturating_add(cached)
                .saturating_add(usage.cache_creation_input_tokens.unwrap_or(0)),
            output_tokens: usage.output_tokens.unwrap_or(0),
            cached_input_tokens: cached,
        }
    });
    for (place, block) in mended {
        content[place] = block;
    }
    // The provider refuses empty text when it comes back, though it writes it.
    content.retain(|block| !is_empty_text(block));
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(id, content))
}

fn is_empty_text(block: &RawValue) -> bool {
    let kind = serde_json::from_str::<Kind>(block.get());
    let is_text = kind.is_ok_and(|kind| kind.r#type == "text");
    is_text
        && serde_json::from_str::<Text>(block.get()).is_ok_and(|text| text.text.trim().is_empty())
}
