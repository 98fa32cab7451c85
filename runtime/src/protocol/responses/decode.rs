//! From the JSON of OpenAI Responses to a neutral turn.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ID;
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::ProtocolError,
};

/// The neutral name of a search call, which carries none on the wire.
const SEARCH: &str = "tool_search";

#[derive(Deserialize)]
struct ResponseBody {
    #[serde(default)]
    output: Vec<Box<RawValue>>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    incomplete_details: Option<Incomplete>,
    #[serde(default)]
    error: Option<ProviderError>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct ProviderError {
    #[serde(default)]
    code: Option<serde_json::Value>,
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
    input_tokens_details: Option<InputDetails>,
}

#[derive(Deserialize)]
struct InputDetails {
    #[serde(default)]
    cached_tokens: u64,
}

/// Items of a type this crate does not act on are kept as they are and go back as they came.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    r#type: String,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Vec<Content>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content {
    OutputText {
        text: String,
    },
    Refusal {
        refusal: String,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct Reasoning {
    #[serde(default)]
    summary: Vec<Summary>,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct FunctionCall {
    call_id: String,
    name: String,
    #[serde(default)]
    namespace: Option<String>,
    arguments: String,
}

#[derive(Deserialize)]
struct ToolSearchCall<'a> {
    /// Absent when the provider has run the search itself.
    #[serde(default)]
    call_id: Option<String>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

pub(super) fn turn(body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = |source| ProtocolError::Decode {
        protocol: ID,
        source,
    };
    let body: ResponseBody = serde_json::from_slice(body).map_err(decode)?;
    if let Some(error) = body.error {
        return Err(ProtocolError::Provider {
            protocol: ID,
            code: error.code.map(|code| match code {
                serde_json::Value::String(code) => code,
                other => other.to_string(),
            }),
            message: error
                .message
                .unwrap_or_else(|| "the provider gave no message".to_owned()),
        });
    }
    let mut parts = Vec::new();
    let mut refused = false;
    for item in &body.output {
        let item = item.get();
        let kind: Kind = serde_json::from_str(item).map_err(decode)?;
        match kind.r#type.as_str() {
            "message" => {
                let message: Message = serde_json::from_str(item).map_err(decode)?;
                for content in message.content {
                    match content {
                        Content::OutputText { text } => parts.push(ModelPart::Text(text)),
                        Content::Refusal { refusal } => {
                            refused = true;
                            parts.push(ModelPart::Text(refusal));
                        }
                        Content::Unknown => {}
                    }
                }
            }
            "reasoning" => {
                let reasoning: Reasoning = serde_json::from_str(item).map_err(decode)?;
                let texts = reasoning.summary.into_iter().map(|summary| summary.text);
                parts.extend(
                    texts
                        .filter(|text| !text.is_empty())
                        .map(ModelPart::Reasoning),
                );
            }
            "function_call" => {
                let call: FunctionCall = serde_json::from_str(item).map_err(decode)?;
                parts.push(ModelPart::Call(
                    ToolCall::new(call.call_id, call.name, call.arguments)
                        .with_namespace(call.namespace),
                ));
            }
            "tool_search_call" => {
                let call: ToolSearchCall<'_> = serde_json::from_str(item).map_err(decode)?;
                if let Some(call_id) = call.call_id {
                    let arguments = call.arguments.map_or("{}", RawValue::get);
                    parts.push(ModelPart::Call(
                        ToolCall::new(call_id, SEARCH, arguments).as_search(),
                    ));
                }
            }
            _ => {}
        }
    }
    let calls = parts.iter().any(|part| matches!(part, ModelPart::Call(_)));
    let cut = body
        .incomplete_details
        .and_then(|details| details.reason)
        .unwrap_or_default();
    let stop = match (body.status.as_deref(), cut.as_str()) {
        (Some("incomplete"), "max_output_tokens") => StopReason::MaxTokens,
        (Some("incomplete"), "content_filter") => StopReason::Refused,
        _ if calls => StopReason::ToolCalls,
        _ if refused => StopReason::Refused,
        (Some("completed") | None, _) => StopReason::End,
        _ => StopReason::Other,
    };
    let usage = body.usage.map_or_else(Usage::default, |usage| Usage {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cached_input_tokens: usage
            .input_tokens_details
            .map_or(0, |details| details.cached_tokens),
    });
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(ID, body.output))
}
