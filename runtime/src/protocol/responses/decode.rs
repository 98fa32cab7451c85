//! From the JSON of OpenAI Responses to a neutral turn.

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        loose::{Arguments, Text, count},
        raw::{RawObject, arguments_of, raw, with_object, with_text_of_object},
    },
};

/// The neutral name of a search call, which carries none on the wire.
const SEARCH: &str = "tool_search";

#[derive(Deserialize)]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    output: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    status: Text<'a>,
    #[serde(borrow, default)]
    incomplete_details: Option<Incomplete<'a>>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Incomplete<'a> {
    #[serde(borrow, default)]
    reason: Text<'a>,
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
struct Kind<'a> {
    #[serde(borrow, default)]
    r#type: Text<'a>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Content<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
}

impl<'a> Message<'a> {
    /// The parts, each alone; some hosts write a bare text.
    fn parts(&self) -> Vec<Content<'a>> {
        let content = self.content.map_or("null", RawValue::get);
        if let Ok(text) = serde_json::from_str::<String>(content) {
            return vec![Content {
                r#type: Text("output_text".into()),
                text: Text(text.into()),
                ..Content::default()
            }];
        }
        let list = serde_json::from_str::<Vec<&'a RawValue>>(content).unwrap_or_default();
        let parts = list
            .into_iter()
            .map(|part| serde_json::from_str(part.get()));
        parts.filter_map(Result::ok).collect()
    }
}

#[derive(Deserialize)]
struct Reasoning<'a> {
    #[serde(borrow, default)]
    summary: Option<Vec<Summary<'a>>>,
    /// What hosts with open models write in place of a summary.
    #[serde(borrow, default)]
    content: Option<Vec<Summary<'a>>>,
}

#[derive(Deserialize)]
struct Summary<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
}

#[derive(Deserialize)]
struct FunctionCall<'a> {
    #[serde(borrow, default)]
    call_id: Text<'a>,
    #[serde(borrow, default)]
    name: Text<'a>,
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
    if body.status.0 == "failed" {
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
        let kind: Kind<'_> = serde_json::from_str(item).map_err(decode)?;
        match kind.r#type.0.as_ref() {
            "message" => {
                let message: Message<'_> = serde_json::from_str(item).map_err(decode)?;
                for content in message.parts() {
                    let text = match content.r#type.0.as_ref() {
                        "output_text" => content.text,
                        "refusal" => {
                            refused = true;
                            content.refusal
                        }
                        _ => continue,
                    };
                    parts.push(ModelPart::Text(text.0.into_owned()));
                }
            }
            "reasoning" => {
                let reasoning: Reasoning<'_> = serde_json::from_str(item).map_err(decode)?;
                let told = reasoning.summary.filter(|summary| !summary.is_empty());
                let told = told.or(reasoning.content).unwrap_or_default();
                let texts = told.into_iter().map(|summary| summary.text.0.into_owned());
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
                let (namespace, name) = match (call.namespace, call.name.0.split_once('.')) {
                    (None, Some((namespace, name))) if !name.is_empty() => {
                        (Some(namespace.to_owned()), name.to_owned())
                    }
                    (namespace, _) => (namespace, call.name.0.into_owned()),
                };
                parts.push(ModelPart::Call(
                    ToolCall::new(call.call_id.0, name, arguments).with_namespace(namespace),
                ));
            }
            "tool_search_call" => {
                let call: ToolSearchCall<'_> = serde_json::from_str(item).map_err(decode)?;
                if let Some(call_id) = call.call_id.filter(|id| !id.is_empty()) {
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
    let cut = body.incomplete_details.map(|details| details.reason.0);
    let stop = match (body.status.0.as_ref(), cut.as_deref().unwrap_or_default()) {
        ("incomplete", "max_output_tokens") => StopReason::MaxTokens,
        ("incomplete", "content_filter") => StopReason::Refused,
        _ if calls => StopReason::ToolCalls,
        _ if refused => StopReason::Refused,
        ("completed" | "", _) => StopReason::End,
        _ => StopReason::Other,
    };
    let usage = body.usage.map_or_else(Usage::default, |usage| Usage {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cached_input_tokens: usage
            .input_tokens_details
            .map_or(0, |details| details.cached_tokens),
    });
    // A thought that was cut off, so that nothing follows it, is refused when it comes back, and with it
    // the conversation.
    let is_reasoning = |item: &&RawValue| {
        let kind = serde_json::from_str::<Kind<'_>>(item.get());
        kind.is_ok_and(|kind| kind.r#type.0 == "reasoning")
    };
    let last = output.iter().rposition(|item| !is_reasoning(item));
    let whole = match body.status.0 == "incomplete" {
        true => last.map_or(0, |last| last + 1),
        false => output.len(),
    };
    let output = output.into_iter().take(whole);
    let output = output.map(replayable).collect();
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(id, output))
}

/// An item as it goes back: what its provider would refuse is mended.
fn replayable(item: &RawValue) -> Box<RawValue> {
    let kind = serde_json::from_str::<Kind<'_>>(item.get());
    let kind = kind.map_or_else(|_| String::new(), |kind| kind.r#type.0.into_owned());
    let mended = match kind.as_str() {
        // Arguments are an object here,
        "tool_search_call" => with_object(item, &["arguments"]),
        // and the text of one here.
        "function_call" => as_text(item).or_else(|| with_text_of_object(item, &["arguments"])),
        "reasoning" => with_summary(item),
        _ => None,
    };
    mended.unwrap_or_else(|| item.to_owned())
}

/// The same call, whose arguments are a text, where they are an object.
fn as_text(item: &RawValue) -> Option<Box<RawValue>> {
    let mut object = RawObject::parse(item.get()).ok()?;
    let arguments = object.get("arguments")?.get();
    if !arguments.starts_with('{') {
        return None;
    }
    let text = raw(arguments).ok()?;
    object.set("arguments", text);
    object.to_raw().ok()
}

/// The same reasoning with a summary, where hosts with open models write none.
fn with_summary(item: &RawValue) -> Option<Box<RawValue>> {
    let mut object = RawObject::parse(item.get()).ok()?;
    if object
        .get("summary")
        .is_some_and(|summary| summary.get() != "null")
    {
        return None;
    }
    object.set("summary", raw::<[u8; 0]>(&[]).ok()?);
    object.remove("content");
    object.to_raw().ok()
}
