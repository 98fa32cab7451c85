//! From the JSON of Chat Completions to a neutral turn.

use std::borrow::Cow;

use serde::{Deserialize, de::Error};
use serde_json::value::RawValue;

use super::vendor::Profile;
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{
        ProtocolError,
        failure::provider_error,
        ids::made_up,
        loose::{Arguments, Content, Text, maybe_count},
        raw::{RawObject, raw as raw_json, with_text_of_object},
    },
};

#[derive(Deserialize)]
struct ResponseBody<'a> {
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    finish_reason: Text<'a>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Content<'a>,
    #[serde(borrow, default)]
    refusal: Text<'a>,
    #[serde(borrow, default)]
    reasoning_content: Text<'a>,
    #[serde(borrow, default)]
    reasoning: Text<'a>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<Call<'a>>>,
    /// What calls were before they were many.
    #[serde(borrow, default)]
    function_call: Option<Function<'a>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow, default)]
    id: Text<'a>,
    #[serde(borrow, default)]
    function: Option<Function<'a>>,
    #[serde(borrow, default)]
    custom: Option<Custom<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    pub(super) arguments: Arguments<'a>,
}

#[derive(Deserialize)]
struct Custom<'a> {
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    input: Text<'a>,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct WireUsage {
    #[serde(default, deserialize_with = "maybe_count")]
    prompt_tokens: Option<u64>,
    #[serde(default, deserialize_with = "maybe_count")]
    completion_tokens: Option<u64>,
    #[serde(default)]
    prompt_tokens_details: Option<Details>,
    /// DeepSeek's own word.
    #[serde(default, deserialize_with = "maybe_count")]
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Details {
    #[serde(default, deserialize_with = "maybe_count")]
    cached_tokens: Option<u64>,
}

pub(super) fn turn(profile: &Profile, body: &[u8]) -> Result<ModelTurn, ProtocolError> {
    let id = profile.id;
    let decode = ProtocolError::decode(id);
    let parsed: ResponseBody<'_> = match serde_json::from_slice(body) {
        Ok(parsed) => parsed,
        Err(source) => return Err(provider_error(id, body).unwrap_or_else(|| decode(source))),
    };
    let is_error = |error: Option<&RawValue>| error.is_some_and(|error| error.get() != "null");
    if is_error(parsed.error)
        && let Some(error) = provider_error(id, body)
    {
        return Err(error);
    }
    let Some(choice) = parsed.choices.as_deref().and_then(<[_]>::first) else {
        return Err(provider_error(id, body)
            .unwrap_or_else(|| decode(serde_json::Error::custom("it has no `choices`"))));
    };
    let Some(raw) = choice.message else {
        return Err(decode(serde_json::Error::custom(
            "the choice has no `message`",
        )));
    };
    if let Some(error) = choice.error.filter(|error| is_error(Some(error))) {
        let error = format!("{{\"error\":{}}}", error.get());
        if let Some(error) = provider_error(id, error.as_bytes()) {
            return Err(error);
        }
    }
    if choice.finish_reason.0 == "error" {
        let problem = "the provider ended the answer with an error and gave no message";
        return Err(ProtocolError::provider(id, None, problem));
    }
    let message: Message<'_> = serde_json::from_str(raw.get()).map_err(decode)?;
    let mut parts = Vec::new();
    for reasoning in [
        message.reasoning_content.0,
        message.reasoning.0,
        Cow::Owned(message.content.reasoning),
    ] {
        // Some hosts write the same text under two names.
        if !reasoning.is_empty() && parts.is_empty() {
            parts.push(ModelPart::Reasoning(reasoning.into_owned()));
        }
    }
    for text in [message.content.text, message.refusal.0.clone()] {
        if !text.is_empty() {
            parts.push(ModelPart::Text(text.into_owned()));
        }
    }
    let mut complete = true;
    let mut calls = message.tool_calls.unwrap_or_default();
    if calls.is_empty()
        && let Some(function) = message.function_call
    {
        calls.push(Call {
            id: Text::default(),
            function: Some(function),
            custom: None,
        });
    }
    calls.retain(|call| call.function.is_some() || call.custom.is_some());
    let called = !calls.is_empty();
    for (number, call) in calls.into_iter().enumerate() {
        let (name, arguments) = match (call.function, call.custom) {
            (Some(function), _) => (function.name.0, function.arguments.0),
            (None, Some(custom)) => (custom.name.0, custom.input.0),
            (None, None) => continue,
        };
        let call_id = if call.id.0.is_empty() {
            complete = false;
            let seed = if parsed.id.0.is_empty() {
                body
            } else {
                parsed.id.0.as_bytes()
            };
            made_up(seed, number)
        } else {
            call.id.0.into_owned()
        };
        let arguments = if arguments.is_empty() {
            "{}"
        } else {
            &arguments
        };
        parts.push(ModelPart::Call(ToolCall::new(call_id, name, arguments)));
    }
    let stop = match choice.finish_reason.0.as_ref() {
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refused,
        _ if called => StopReason::ToolCalls,
        "stop" | "eos" if message.refusal.0.is_empty() => StopReason::End,
        "stop" => StopReason::Refused,
        _ => StopReason::Other,
    };
    let turn = ModelTurn::new(parts, stop, usage(parsed.usage));
    // A call that got its identifier here must go back with it, so such a turn is written anew.
    if !complete {
        return Ok(turn);
    }
    let mut message = RawObject::parse(raw.get()).map_err(decode)?;
    message
        .0
        .retain(|(key, value)| profile.replayed.contains(&key.as_str()) && !is_nothing(key, value));
    if let Some(calls) = message.get("tool_calls").and_then(mended_calls) {
        message.set("tool_calls", calls);
    }
    // What hosts leave out and do not take back: the role, and a content that is none.
    if message.get("role").is_none() {
        message.set("role", raw_json("assistant").map_err(decode)?);
    }
    let content = message.get("content").map_or("null", RawValue::get);
    if message.get("tool_calls").is_none() && matches!(content, "null" | "[]") {
        message.set("content", raw_json("").map_err(decode)?);
    }
    Ok(turn.with_verbatim(id, vec![message.to_raw().map_err(decode)?]))
}

/// The calls of a message as they go back, where they cannot go back as they came: arguments that hold
/// no object make many hosts refuse the whole conversation for ever, as does a call that is none.
fn mended_calls(calls: &RawValue) -> Option<Box<RawValue>> {
    let calls: Vec<Box<RawValue>> = serde_json::from_str(calls.get()).ok()?;
    let is_call = |call: &RawValue| {
        let call = RawObject::parse(call.get()).unwrap_or_default();
        let named = |key: &str| call.get(key).is_some_and(|value| value.get() != "null");
        named("function") || named("custom")
    };
    let count = calls.len();
    let mut changed = false;
    let calls = calls.into_iter().filter(|call| is_call(call)).map(|call| {
        let mended = with_text_of_object(&call, &["function", "arguments"]);
        changed |= mended.is_some();
        mended.unwrap_or(call)
    });
    let calls: Vec<Box<RawValue>> = calls.collect();
    (changed || calls.len() < count)
        .then(|| raw_json(&calls).ok())
        .flatten()
}

/// Members that say nothing, which some hosts refuse: `tool_calls: []`, `reasoning: null`.
fn is_nothing(key: &str, value: &RawValue) -> bool {
    match key {
        "content" | "role" => false,
        _ => matches!(value.get(), "null" | "[]" | "\"\""),
    }
}

pub(super) fn usage(usage: Option<WireUsage>) -> Usage {
    let usage = usage.unwrap_or_default();
    let details = usage.prompt_tokens_details.unwrap_or_default();
    Usage {
        input_tokens: usage.prompt_tokens.unwrap_or(0),
        output_tokens: usage.completion_tokens.unwrap_or(0),
        cached_input_tokens: details
            .cached_tokens
            .or(usage.prompt_cache_hit_tokens)
            .unwrap_or(0),
    }
}
