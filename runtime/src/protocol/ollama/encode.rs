//! From a neutral request to the JSON of Ollama.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    ID, Ollama,
    decode::{Call as WireCall, Message as WireMessage},
};
use crate::{
    conversation::{Item, ModelTurn, ToolResult},
    protocol::{
        Effort, Protocol, ProtocolError, Request, ToolChoice, dialect::Dialect,
        function::FunctionTool, images::Image, raw::object_or_empty,
    },
};

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<FunctionTool<'a>>,
    // Without it the server streams.
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Think>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Think {
    Switch(bool),
    Level(&'static str),
}

#[derive(Serialize)]
struct Options {
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
}

/// A message: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
enum Message<'a> {
    Verbatim(&'a RawValue),
    Said {
        role: &'static str,
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Result {
        role: &'static str,
        tool_name: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<&'a str>,
        content: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<&'a str>,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    index: usize,
    name: Cow<'a, str>,
    arguments: Box<RawValue>,
}

pub(super) fn body<'a>(
    ollama: &'a Ollama,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    let options = request.options();
    let choice = options.map_or(&ToolChoice::Auto, |options| &options.tool_choice);
    let mut tools = Vec::new();
    // "No calls" is said by showing no tools.
    if *choice != ToolChoice::None {
        for tool in request.offered() {
            tool.check_name(ID, 64, "")?;
            let (parameters, _) = tool.fit(Dialect::Ollama, ID)?;
            tools.push(FunctionTool::new(tool, parameters, false));
        }
    }
    if matches!(choice, ToolChoice::Required | ToolChoice::Tool(_)) && !tools.is_empty() {
        return Err(ProtocolError::Unsupported {
            protocol: ID,
            problem: "it has no `tool_choice`; leave it at `Auto` or take `None`".to_owned(),
        });
    }
    let mut messages = Vec::with_capacity(request.items().len() + 1);
    if !request.system().is_empty() {
        messages.push(Message::Said {
            role: "system",
            content: request.system().into(),
            images: Vec::new(),
            tool_calls: Vec::new(),
        });
    }
    let mut with_ids = Vec::new();
    let mut own = false;
    for item in request.items() {
        match item {
            Item::User(message) => messages.push(Message::Said {
                role: "user",
                content: message.to_text().into(),
                images: Image::among(message.parts())
                    .map(|image| image.data)
                    .collect(),
                tool_calls: Vec::new(),
            }),
            Item::Model(turn) => {
                with_ids = call_ids(turn);
                own = turn.verbatim(ID).is_some();
                push_turn(&mut messages, turn, request)?;
            }
            Item::Results(results) => {
                for (index, result) in results.iter().enumerate() {
                    let with_id = with_ids.get(index).copied().unwrap_or(true);
                    messages.push(result_message(result, with_id, own, request));
                }
            }
        }
    }
    let limits = options.map(|options| Options {
        num_predict: options.max_output_tokens,
        temperature: options.temperature,
    });
    Ok(RequestBody {
        model: ollama.model(),
        messages,
        tools,
        stream: request.stream(),
        think: options
            .and_then(|options| options.reasoning)
            .map(|effort| think(ollama.model(), effort)),
        options: limits
            .filter(|limits| limits.num_predict.is_some() || limits.temperature.is_some()),
    })
}

/// Some models think in levels, the others do or do not.
fn think(model: &str, effort: Effort) -> Think {
    if model.starts_with("gpt-oss") {
        Think::Level(match effort {
            Effort::None => "low",
            effort => effort.word(),
        })
    } else {
        Think::Switch(effort != Effort::None)
    }
}

/// For each call that this provider wrote, whether it has an identifier.
fn call_ids(turn: &ModelTurn) -> Vec<bool> {
    let mut ids = Vec::new();
    for message in turn.verbatim(ID).unwrap_or_default() {
        let message: WireMessage<'_> = serde_json::from_str(message.get()).unwrap_or_default();
        for call in message.tool_calls.into_iter().flatten() {
            let call = serde_json::from_str::<WireCall<'_>>(call.get());
            ids.push(call.is_ok_and(|call| !call.id.0.is_empty()));
        }
    }
    ids
}

fn push_turn<'a>(
    messages: &mut Vec<Message<'a>>,
    turn: &'a ModelTurn,
    request: &Request<'a>,
) -> Result<(), ProtocolError> {
    if let Some(items) = turn.verbatim(ID) {
        messages.extend(items.iter().map(|item| Message::Verbatim(item)));
        return Ok(());
    }
    let mut calls = Vec::new();
    for (index, call) in turn.calls().enumerate() {
        let (name, arguments) = request.called(call);
        calls.push(Call {
            id: call.id(),
            function: Called {
                index,
                name,
                arguments: object_or_empty(&arguments).map_err(ProtocolError::Encode)?,
            },
        });
    }
    let text = turn.text();
    if !text.is_empty() || !calls.is_empty() {
        messages.push(Message::Said {
            role: "assistant",
            content: text.into(),
            images: Vec::new(),
            tool_calls: calls,
        });
    }
    Ok(())
}

fn result_message<'a>(
    result: &'a ToolResult,
    with_id: bool,
    own: bool,
    request: &Request<'a>,
) -> Message<'a> {
    Message::Result {
        role: "tool",
        tool_name: request.answered(result, own),
        tool_call_id: with_id.then_some(result.call_id()),
        content: request.result_text(result),
        images: Image::of(result.output()).map(|image| image.data).collect(),
    }
}
