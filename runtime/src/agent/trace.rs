//! What a run shows to `tracing`.
//!
//! Names follow the semantic conventions of OpenTelemetry for generative AI. What the user, the model
//! and the tools say is written only where the program asked for it, and secrets never are.

use serde_json::{Value, json};
use tracing::{Span, field::Empty};

use super::{Event, Inner, Reply, Stop};
use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, ToolCall},
    tool::{ToolError, ToolOutput},
};

/// The span of a run.
pub(super) fn run(agent: &Inner, conversation: &str) -> Span {
    tracing::info_span!(
        target: "repertoire",
        "invoke_agent",
        otel.name = "invoke_agent",
        otel.kind = "internal",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.provider.name = agent.model.provider(),
        gen_ai.request.model = agent.model.model(),
        gen_ai.conversation.id = conversation,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        repertoire.steps = Empty,
        repertoire.stop = Empty,
        otel.status_code = Empty,
        error.type = Empty,
    )
}

/// What a run came to.
pub(super) fn run_ended(span: &Span, reply: Option<&Reply>) {
    let Some(reply) = reply else {
        failed(span, "model_error");
        return;
    };
    span.record("gen_ai.usage.input_tokens", reply.usage().input_tokens);
    span.record("gen_ai.usage.output_tokens", reply.usage().output_tokens);
    span.record("repertoire.steps", reply.steps() as u64);
    span.record("repertoire.stop", stop(reply.stop()));
}

/// The span of one response of the model.
pub(super) fn chat(agent: &Inner) -> Span {
    let (provider, model) = (agent.model.provider(), agent.model.model());
    let options = &agent.options;
    let span = tracing::info_span!(
        target: "repertoire",
        "chat",
        otel.name = %Name("chat", model),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.request.max_tokens = Empty,
        gen_ai.request.temperature = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.output.messages = Empty,
        otel.status_code = Empty,
        error.type = Empty,
    );
    if let Some(most) = options.max_output_tokens {
        span.record("gen_ai.request.max_tokens", most);
    }
    if let Some(temperature) = options.temperature {
        span.record("gen_ai.request.temperature", f64::from(temperature));
    }
    span
}

/// What a response was.
pub(super) fn chat_ended(agent: &Inner, span: &Span, turn: Option<&ModelTurn>) {
    let Some(turn) = turn else {
        failed(span, "model_error");
        return;
    };
    if span.is_disabled() {
        return;
    }
    let usage = turn.usage();
    span.record("gen_ai.usage.input_tokens", usage.input_tokens);
    span.record("gen_ai.usage.output_tokens", usage.output_tokens);
    span.record(
        "gen_ai.usage.cache_read.input_tokens",
        usage.cached_input_tokens,
    );
    let reason = finish_reason(turn.stop());
    // An array, as a text: `tracing` has no lists.
    span.record("gen_ai.response.finish_reasons", format!("[\"{reason}\"]"));
    if agent.trace_content {
        span.record("gen_ai.output.messages", output(agent, turn, reason));
    }
}

/// The span of a call of a tool. `call_id` is that of the model's own call.
pub(super) fn tool(name: &str, version: Option<&str>, call_id: &str) -> Span {
    let span = tracing::info_span!(
        target: "repertoire",
        "execute_tool",
        otel.name = %Name("execute_tool", name),
        otel.kind = "internal",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        gen_ai.tool.type = "function",
        gen_ai.tool.call.id = call_id,
        gen_ai.tool.call.arguments = Empty,
        gen_ai.tool.call.result = Empty,
        repertoire.tool.version = Empty,
        otel.status_code = Empty,
        error.type = Empty,
    );
    if let Some(version) = version {
        span.record("repertoire.tool.version", version);
    }
    span
}

/// What a call was given, where that may be shown. `arguments` are without secrets.
pub(super) fn tool_arguments(agent: &Inner, span: &Span, arguments: impl FnOnce() -> String) {
    if agent.trace_content && !span.is_disabled() {
        span.record("gen_ai.tool.call.arguments", arguments());
    }
}

/// What a call came to.
pub(super) fn tool_ended(agent: &Inner, span: &Span, outcome: &Result<ToolOutput, ToolError>) {
    if let Err(error) = outcome {
        failed(span, error.kind().word());
    }
    if agent.trace_content && !span.is_disabled() {
        let text = match outcome {
            Ok(output) => output.to_text(),
            Err(error) => match error.details() {
                Some(details) => format!("{error} ({details})"),
                None => error.to_string(),
            },
        };
        span.record("gen_ai.tool.call.result", text);
    }
}

/// What the span is about was given up.
pub(super) fn cancelled(span: &Span) {
    failed(span, "cancelled");
}

fn failed(span: &Span, what: &'static str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", what);
}

/// Something that happened within a span.
pub(super) fn event(agent: &Inner, event: &Event) {
    let content = agent.trace_content;
    let shown = |text: &str| content.then(|| text.to_owned());
    match event {
        Event::Retried {
            tool,
            attempt,
            error,
        } => tracing::warn!(
            target: "repertoire",
            {
            gen_ai.tool.name = tool.as_str(),
            repertoire.attempt = attempt,
            error.message = shown(error),
            },
            "tool failed in passing and is tried again"
        ),
        Event::FellBack { tool, to, error } => tracing::warn!(
            target: "repertoire",
            {
            gen_ai.tool.name = tool.as_str(),
            repertoire.fallback = to.as_str(),
            error.message = shown(error),
            },
            "tool failed and another takes the call"
        ),
        Event::DeprecatedCalled { tool } => tracing::warn!(
            target: "repertoire",
            {
            gen_ai.tool.name = tool.as_str(),
            },
            "deprecated tool was called"
        ),
        Event::CallRefused { tool, reason } => tracing::info!(
            target: "repertoire",
            {
            gen_ai.tool.name = tool.as_str(),
            error.message = shown(reason),
            },
            "call was refused"
        ),
        Event::ToolsSearched { queries, loaded } => tracing::info!(
            target: "repertoire",
            {
            repertoire.queries = queries.len(),
            repertoire.query = content.then(|| queries.join("; ")),
            repertoire.loaded = loaded.join(", "),
            },
            "tools were searched"
        ),
        Event::RankerFailed { error } => tracing::warn!(
            target: "repertoire",
            {
            error.message = shown(error),
            },
            "ranker failed and the index takes its place"
        ),
        Event::SkillRead { skill } => tracing::info!(
            target: "repertoire",
            {
            repertoire.skill = skill.as_str(),
            },
            "skill was read"
        ),
        Event::Progress { message, .. } if content => tracing::debug!(
            target: "repertoire",
            {
            repertoire.message = message.as_str(),
            },
            "tool tells its progress"
        ),
        _ => {}
    }
}

/// A span's name for OpenTelemetry: the operation and what it is about.
struct Name<'a>(&'static str, &'a str);

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)?;
        if self.1.is_empty() {
            return Ok(());
        }
        write!(f, " {}", self.1)
    }
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "stop",
        StopReason::ToolCalls => "tool_calls",
        StopReason::MaxTokens => "length",
        StopReason::Refused => "content_filter",
        StopReason::Paused => "pause",
        StopReason::Other => "other",
    }
}

/// A word for why a run ended.
pub(super) fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Done => "done",
        Stop::MaxSteps => "max_steps",
        Stop::MaxTokens => "max_tokens",
        Stop::Refused => "refused",
        Stop::Other => "other",
        Stop::Cancelled => "cancelled",
        Stop::AwaitingApproval => "awaiting_approval",
        Stop::TokenLimit => "token_limit",
        Stop::TimeLimit => "time_limit",
        Stop::CallLimit => "call_limit",
        Stop::NoOutput => "no_output",
    }
}

/// A response in the form of the conventions.
fn output(agent: &Inner, turn: &ModelTurn, reason: &str) -> String {
    let call = |call: &ToolCall| {
        let arguments = crate::secrets::redact(call.arguments(), &agent.secrets(call)).into_owned();
        let arguments: Value = serde_json::from_str(&arguments).unwrap_or(arguments.into());
        json!({"type": "tool_call", "id": call.id(), "name": call.name(), "arguments": arguments})
    };
    let parts: Vec<Value> = turn
        .parts()
        .iter()
        .map(|part| match part {
            ModelPart::Text(text) => json!({"type": "text", "content": text}),
            ModelPart::Reasoning(text) => json!({"type": "reasoning", "content": text}),
            ModelPart::Call(made) => call(made),
        })
        .collect();
    let reason = match reason {
        // Here the conventions have another word than for the span.
        "tool_calls" => "tool_call",
        reason => reason,
    };
    let message = json!({"role": "assistant", "parts": parts, "finish_reason": reason});
    Value::Array(vec![message]).to_string()
}
