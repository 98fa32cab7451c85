//! From a neutral request to the JSON of Anthropic Messages.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{DEFAULT_MAX_TOKENS, ID};
use crate::{
    conversation::{CallKind, Item, ModelPart, ModelTurn, ToolResult},
    protocol::{Definition, ProtocolError, Request, ToolChoice, ids::portable},
};

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Choice<'a> {
    None,
    Any,
    Tool { name: &'a str },
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

/// A content block: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    Verbatim(&'a RawValue),
    Typed(Typed<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Typed<'a> {
    Text {
        text: Cow<'a, str>,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: &'a str,
        input: Box<RawValue>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: ResultContent<'a>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    ToolReference {
        tool_name: &'a str,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum ResultContent<'a> {
    Text(String),
    Blocks(Vec<Typed<'a>>),
}

pub(super) fn body<'a>(
    model: &'a str,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    let tool = |tool: &'a Definition, defer_loading| Tool {
        name: tool.name(),
        description: tool.description(),
        input_schema: tool.schema(),
        defer_loading,
    };
    let shown = request.tools().iter().chain(request.search());
    let tools = shown
        .map(|shown| tool(shown, false))
        .chain(
            request
                .deferred()
                .iter()
                .map(|deferred| tool(deferred, true)),
        )
        .collect();
    let mut messages = Messages::default();
    for item in request.items() {
        match item {
            Item::User(text) => {
                messages.push("user", Block::Typed(Typed::Text { text: text.into() }))
            }
            Item::Model(turn) => push_turn(&mut messages, turn)?,
            Item::Results(results) => {
                for result in results {
                    messages.push("user", Block::Typed(tool_result(result, request)));
                }
            }
        }
    }
    let options = request.options();
    Ok(RequestBody {
        model,
        max_tokens: options
            .and_then(|options| options.max_output_tokens)
            .unwrap_or(DEFAULT_MAX_TOKENS),
        system: request.system(),
        tools,
        tool_choice: options.and_then(|options| choice(&options.tool_choice)),
        messages: messages.0,
        temperature: options.and_then(|options| options.temperature),
    })
}

/// Messages in which neighbours of one role are one message, as the provider demands: all results
/// of a step stand in one message, before what the user says next.
#[derive(Default)]
struct Messages<'a>(Vec<Message<'a>>);

impl<'a> Messages<'a> {
    fn push(&mut self, role: &'static str, block: Block<'a>) {
        match self.0.last_mut() {
            Some(last) if last.role == role => last.content.push(block),
            _ => self.0.push(Message {
                role,
                content: vec![block],
            }),
        }
    }
}

fn choice(choice: &ToolChoice) -> Option<Choice<'_>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::None),
        ToolChoice::Required => Some(Choice::Any),
        ToolChoice::Tool(name) => Some(Choice::Tool { name }),
    }
}

fn push_turn<'a>(messages: &mut Messages<'a>, turn: &'a ModelTurn) -> Result<(), ProtocolError> {
    if let Some(blocks) = turn.verbatim(ID) {
        for block in blocks {
            messages.push("assistant", Block::Verbatim(block));
        }
        return Ok(());
    }
    for part in turn.parts() {
        match part {
            // The provider refuses empty text.
            ModelPart::Text(text) if text.trim().is_empty() => {}
            ModelPart::Text(text) => {
                messages.push("assistant", Block::Typed(Typed::Text { text: text.into() }));
            }
            // Reasoning is signed by the provider that wrote it and means nothing to another.
            ModelPart::Reasoning(_) => {}
            ModelPart::Call(call) => messages.push(
                "assistant",
                Block::Typed(Typed::ToolUse {
                    id: portable(call.id()),
                    name: call.name(),
                    input: object_or_empty(call.arguments()).map_err(ProtocolError::Encode)?,
                }),
            ),
        }
    }
    Ok(())
}

/// The arguments of a call, which this protocol wants as an object.
fn object_or_empty(arguments: &str) -> serde_json::Result<Box<RawValue>> {
    let is_object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(arguments);
    RawValue::from_string(
        if is_object.is_ok() {
            arguments.trim()
        } else {
            "{}"
        }
        .to_owned(),
    )
}

fn tool_result<'a>(result: &'a ToolResult, request: &Request<'a>) -> Typed<'a> {
    let mut blocks: Vec<Typed<'a>> = request
        .loaded_by(result)
        .map(|tool| Typed::ToolReference {
            tool_name: tool.name(),
        })
        .collect();
    let content = if blocks.is_empty() {
        ResultContent::Text(lone_text(result))
    } else {
        let text = result.output().to_text();
        if !text.is_empty() {
            let text = Typed::Text { text: text.into() };
            // The answer to a search leads with what was found; a skill leads with its text.
            match result.kind() {
                CallKind::Search => blocks.push(text),
                CallKind::Function => blocks.insert(0, text),
            }
        }
        ResultContent::Blocks(blocks)
    };
    Typed::ToolResult {
        tool_use_id: portable(result.call_id()),
        content,
        is_error: result.is_failed(),
    }
}

/// The text of a result that loads nothing, or nothing that still exists.
fn lone_text(result: &ToolResult) -> String {
    let text = result.output().to_text();
    if text.is_empty() && !result.loads().is_empty() {
        format!("no longer available: {}", result.loads().join(", "))
    } else {
        text
    }
}
