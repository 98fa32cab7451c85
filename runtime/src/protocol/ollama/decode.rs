//! From the JSON of Ollama to a neutral turn.

use std::borrow::Cow;

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use super::ID;
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        ids::made_up,
        loose::{Text, maybe_count},
        raw::{RawObject, arguments_of, raw, with_object},
    },
};

#[derive(Deserialize)]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    done_reason: Text<'a>,
    #[serde(default, deserialize_with = "maybe_count")]
    prompt_eval_count: Option<u64>,
    #[serde(default, deserialize_with = "maybe_count")]
    eval_count: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) content: Text<'a>,
    #[serde(borrow)]
    pub(super) thinking: Text<'a>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct Call<'a> {
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) function: Function<'a>,
}

#[derive(Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

impl Call<'_> {
    /// The arguments as they stand there.
    pub(super) fn arguments(&self) -> Cow<'_, str> {
        arguments_of(self.function.arguments)
    }
}

/// A message as it goes back: a call whose arguments are no object would be refused.
fn replayable(message: &RawValue, calls: &[&RawValue]) -> Result<Box<RawValue>, serde_json::Error> {
    let path = ["function", "arguments"];
    let mended: Vec<Option<Box<RawValue>>> =
        calls.iter().map(|call| with_object(call, &path)).collect();
    if mended.iter().all(Option::is_none) {
        return Ok(message.to_owned());
    }
    let calls = mended.into_iter().zip(calls);
    let calls: Vec<Box<RawValue>> = calls
        .map(|(mended, call)| mended.unwrap_or_else(|| (*call).to_owned()))
        .collect();
    let mut object = RawObject::parse(message.get())?;
    object.set("tool_calls", raw(&calls)?);
    object.to_raw()
}

pub(super) fn turn(body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = ProtocolError::decode(ID);
    let parsed: ResponseBody<'_> = match serde_json::from_slice(body) {
        Ok(parsed) => parsed,
        Err(source) => return Err(provider_error(ID, body).unwrap_or_else(|| decode(source))),
    };
    let Some(message_raw) = parsed.message else {
        return Err(provider_error(ID, body)
            .unwrap_or_else(|| decode(serde_json::Error::custom("it has no `message`"))));
    };
    let message: Message<'_> = serde_json::from_str(message_raw.get()).map_err(decode)?;
    let mut parts = Vec::new();
    if !message.thinking.0.is_empty() {
        parts.push(ModelPart::Reasoning(message.thinking.0.into_owned()));
    }
    if !message.content.0.is_empty() {
        parts.push(ModelPart::Text(message.content.0.into_owned()));
    }
    let calls = message.tool_calls.unwrap_or_default();
    for (number, call) in calls.iter().enumerate() {
        let call: Call<'_> = serde_json::from_str(call.get()).map_err(decode)?;
        let id = if call.id.0.is_empty() {
            made_up(body, number)
        } else {
            call.id.0.to_string()
        };
        let arguments = call.arguments().into_owned();
        parts.push(ModelPart::Call(ToolCall::new(
            id,
            call.function.name.0,
            arguments,
        )));
    }
    let stop = match parsed.done_reason.0.as_ref() {
        "length" => StopReason::MaxTokens,
        _ if !calls.is_empty() => StopReason::ToolCalls,
        "stop" => StopReason::End,
        _ => StopReason::Other,
    };
    let usage = Usage {
        input_tokens: parsed.prompt_eval_count.unwrap_or(0),
        output_tokens: parsed.eval_count.unwrap_or(0),
        cached_input_tokens: 0,
    };
    let message_back = replayable(message_raw, &calls).map_err(decode)?;
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(ID, vec![message_back]))
}
