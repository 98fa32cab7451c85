//! From the JSON of OpenAI Responses to a neutral turn.

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        loose::{Arguments, count},
        raw::{arguments_of, with_object},
    },
};

/// The neutral name of a search call, which carries none on the wire.
const SEARCH: &str = "tool_search";

#[derive(Deserialize)]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    output: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    incomplete_details: Option<Incomplete>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default, deserialize_with = "count")]
    input_tokens: u64,
    #[serde(default, deserialize_with = "count")]
    output_tokens: u64,
    #[serde(default)]
    input_tokens_details: Option<InputDetails>,
}

#[derive(Deserialize)]
struct InputDetails {
    #[serde(default, deserialize_with = "count")]
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
    content: Option<Vec<Content>>,
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
    summary: Option<Vec<Summary>>,
    /// What hosts with open models write in place of a summary.
    #[serde(default)]
    content: Option<Vec<Summary>>,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct FunctionCall<'a> {
    call_id: String,
    name: String,
    #[serde(default)]
    namespace: Option<String>,
    #[serde(borrow, default)]
    arguments: Arguments<'a>,
}

#[derive(Deserialize)]
struct ToolSearchCall<'a> {
    /// Absent when the provider has run the search itself.
    #[serde(default)]
    call_id: Option<String>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

pub(super) fn turn(id: &'static str, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = ProtocolError::decode(id);
    let bytes = body;
    let body: ResponseBody<'_> = match serde_json::from_slice(bytes) {
        Ok(body) => body,
        Err(source) => return Err(provider_error(id, bytes).unwrap_or_else(|| decode(source))),
    };
    let failed = body.error.is_some_and(|error| error.get() != "null");
    if failed && let Some(error) = provider_error(id, bytes) {
        return Err(error);
    }
    let Some(output) = body.output else {
        return Err(provider_error(id, bytes)
            .unwrap_or_else(|| decode(serde_json::Error::custom("it has no `output`"))));
    };
    if body.status.as_deref() == Some("failed") {
        return Err(ProtocolError::provider(
            id,
            None,
            "the response failed without a reason",
        ));
    }
    let mut parts = Vec::new();
    let mut refused = false;
    for item in &output {
        let item = item.get();
        let kind: Kind = serde_json::from_str(item).map_err(decode)?;
        match kind.r#type.as_str() {
            "message" => {
                let message: Message = serde_json::from_str(item).map_err(decode)?;
                for content in message.content.into_iter().flatten() {
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
                let told = reasoning.summary.filter(|summary| !summary.is_empty());
                let told = told.or(reasoning.content).unwrap_or_default();
                let texts = told.into_iter().map(|summary| summary.text);
                parts.extend(
                    texts
                        .filter(|text| !text.is_empty())
                        .map(ModelPart::Reasoning),
                );
            }
            "function_call" => {
                let call: FunctionCall<'_> = serde_json::from_str(item).map_err(decode)?;
                let arguments = match call.arguments.0.as_ref() {
                    "" => "{}",
                    arguments => arguments,
                };
                // Some hosts write namespace and name as one. A name of ours has no full stop.
                let (namespace, name) = match (call.namespace, call.name.split_once('.')) {
                    (None, Some((namespace, name))) if !name.is_empty() => {
                        (Some(namespace.to_owned()), name.to_owned())
                    }
                    (namespace, _) => (namespace, call.name),
                };
                parts.push(ModelPart::Call(
                    ToolCall::new(call.call_id, name, arguments).with_namespace(namespace),
                ));
            }
            "tool_search_call" => {
                let call: ToolSearchCall<'_> = serde_json::from_str(item).map_err(decode)?;
                if let Some(call_id) = call.call_id {
                    let arguments = arguments_of(call.arguments);
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
    let output = output.into_iter().map(replayable).collect();
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(id, output))
}

/// An item as it goes back: a search with its arguments in a text would be refused.
fn replayable(item: &RawValue) -> Box<RawValue> {
    let kind = serde_json::from_str::<Kind>(item.get());
    let searches = kind.is_ok_and(|kind| kind.r#type == "tool_search_call");
    let mended = searches
        .then(|| with_object(item, &["arguments"]))
        .flatten();
    mended.unwrap_or_else(|| item.to_owned())
}
