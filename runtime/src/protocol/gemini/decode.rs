//! From the JSON of Gemini to a neutral turn.

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
        loose::{Text, count},
        raw::{arguments_of, with_object},
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    candidates: Option<Vec<Candidate<'a>>>,
    #[serde(borrow, default)]
    prompt_feedback: Option<Feedback<'a>>,
    #[serde(default)]
    usage_metadata: Option<WireUsage>,
    #[serde(borrow, default)]
    response_id: Text<'a>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    #[serde(borrow, default)]
    pub(super) content: Option<Content<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Text<'a>,
    /// Where a stream holds several candidates at once.
    #[serde(default)]
    pub(super) index: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct Content<'a> {
    #[serde(borrow, default)]
    pub(super) parts: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow, default)]
    block_reason: Text<'a>,
}

/// A part of a model's answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow, default)]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) thought: bool,
    #[serde(borrow, default)]
    pub(super) function_call: Option<FunctionCall<'a>>,
    #[serde(borrow, default)]
    pub(super) thought_signature: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    /// Absent for a tool without arguments.
    #[serde(borrow, default)]
    pub(super) args: Option<&'a RawValue>,
}

impl FunctionCall<'_> {
    pub(super) fn arguments(&self) -> Cow<'_, str> {
        arguments_of(self.args)
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireUsage {
    #[serde(deserialize_with = "count")]
    prompt_token_count: u64,
    #[serde(deserialize_with = "count")]
    tool_use_prompt_token_count: u64,
    #[serde(deserialize_with = "count")]
    candidates_token_count: u64,
    #[serde(deserialize_with = "count")]
    thoughts_token_count: u64,
    #[serde(deserialize_with = "count")]
    cached_content_token_count: u64,
}

pub(super) fn turn(body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let decode = ProtocolError::decode(ID);
    let parsed: ResponseBody<'_> = match serde_json::from_slice(body) {
        Ok(parsed) => parsed,
        Err(source) => return Err(provider_error(ID, body).unwrap_or_else(|| decode(source))),
    };
    if parsed.error.is_some()
        && let Some(error) = provider_error(ID, body)
    {
        return Err(error);
    }
    let usage = usage(parsed.usage_metadata);
    let blocked = parsed
        .prompt_feedback
        .is_some_and(|feedback| !feedback.block_reason.0.is_empty());
    let candidate = parsed.candidates.and_then(|list| list.into_iter().next());
    let Some(candidate) = candidate else {
        if blocked {
            return Ok(ModelTurn::new(Vec::new(), StopReason::Refused, usage));
        }
        return Err(decode(serde_json::Error::custom("it has no `candidates`")));
    };
    let raw = candidate
        .content
        .and_then(|content| content.parts)
        .unwrap_or_default();
    let mut parts: Vec<ModelPart> = Vec::new();
    let mut calls = 0;
    for part in &raw {
        let part: Part<'_> = serde_json::from_str(part.get()).map_err(decode)?;
        if let Some(call) = part.function_call {
            let id = if call.id.0.is_empty() {
                let seed = parsed.response_id.0.as_bytes();
                made_up(if seed.is_empty() { body } else { seed }, calls)
            } else {
                call.id.0.to_string()
            };
            calls += 1;
            let call = ToolCall::new(id, &*call.name, call.arguments());
            parts.push(ModelPart::Call(call));
        } else if let Some(text) = part.text.filter(|text| !text.is_empty()) {
            match (parts.last_mut(), part.thought) {
                (Some(ModelPart::Reasoning(before)), true) => before.push_str(&text),
                (Some(ModelPart::Text(before)), false) => before.push_str(&text),
                (_, true) => parts.push(ModelPart::Reasoning(text.into_owned())),
                (_, false) => parts.push(ModelPart::Text(text.into_owned())),
            }
        }
    }
    let stop = match candidate.finish_reason.0.as_ref() {
        "MAX_TOKENS" => StopReason::MaxTokens,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
        | "IMAGE_SAFETY" => StopReason::Refused,
        _ if calls > 0 => StopReason::ToolCalls,
        "STOP" => StopReason::End,
        _ => StopReason::Other,
    };
    let turn = ModelTurn::new(parts, stop, usage);
    Ok(if raw.is_empty() {
        turn
    } else {
        turn.with_verbatim(ID, raw.into_iter().map(replayable).collect())
    })
}

/// A part as it goes back: a call whose arguments are no object would be refused.
fn replayable(part: &RawValue) -> Box<RawValue> {
    with_object(part, &["functionCall", "args"]).unwrap_or_else(|| part.to_owned())
}

fn usage(usage: Option<WireUsage>) -> Usage {
    let usage = usage.unwrap_or_default();
    Usage {
        input_tokens: usage
            .prompt_token_count
            .saturating_add(usage.tool_use_prompt_token_count),
        output_tokens: usage
            .candidates_token_count
            .saturating_add(usage.thoughts_token_count),
        cached_input_tokens: usage.cached_content_token_count,
    }
}
