//! From the JSON of Ollama to a neutral turn.

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use super::ID;
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        ids::made_up,
        loose::{Arguments, Text},
    },
};

#[derive(Deserialize)]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    done_reason: Text<'a>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
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
    pub(super) fn arguments(&self) -> String {
        let raw = self.function.arguments.map_or("{}", RawValue::get);
        match serde_json::from_str::<Arguments<'_>>(raw) {
            // The text of a string; an object as it is written.
            Ok(text) if raw.starts_with('"') => text.0.into_owned(),
            _ if raw.starts_with('{') => raw.to_owned(),
            _ => "{}".to_owned(),
        }
    }
}

pub(super) fn turn(body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = ProtocolError::decode(ID);
    let parsed: ResponseBody<'_> = match serde_json::from_slice(body) {
        Ok(parsed) => parsed,
        Err(source) => return Err(provider_error(ID, body).unwrap_or_else(|| decode(source))),
    };
    let Some(raw) = parsed.message else {
        return Err(provider_error(ID, body)
            .unwrap_or_else(|| decode(serde_json::Error::custom("it has no `message`"))));
    };
    let message: Message<'_> = serde_json::from_str(raw.get()).map_err(decode)?;
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
        let arguments = call.arguments();
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
    Ok(ModelTurn::new(parts, stop, usage).with_verbatim(ID, vec![raw.to_owned()]))
}
