//! From a neutral request to the JSON of OpenAI Responses.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::ID;
use crate::{
    conversation::{CallKind, Item, ModelPart, ModelTurn, ToolCall, ToolResult},
    protocol::{Definition, ProtocolError, Request, ToolChoice, ids::portable},
};

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    input: Vec<Input<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    store: bool,
    include: [&'static str; 1],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Tool<'a> {
    Function {
        name: &'a str,
        description: &'a str,
        parameters: &'a RawValue,
        // Without it the provider tries to make the schema strict and may turn optional
        // arguments into required ones.
        strict: bool,
    },
    Namespace {
        name: &'a str,
        description: &'a str,
        tools: Vec<Tool<'a>>,
    },
    ToolSearch {
        execution: &'static str,
        description: &'a str,
        parameters: &'a RawValue,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Mode(&'static str),
    Function { r#type: &'static str, name: &'a str },
}

/// An input item: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
enum Input<'a> {
    Verbatim(&'a RawValue),
    Message {
        role: &'static str,
        content: Cow<'a, str>,
    },
    Typed(Typed<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Typed<'a> {
    FunctionCall {
        call_id: Cow<'a, str>,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<&'a str>,
        arguments: &'a str,
    },
    FunctionCallOutput {
        call_id: Cow<'a, str>,
        output: String,
    },
    ToolSearchCall {
        call_id: Cow<'a, str>,
        execution: &'static str,
        status: &'static str,
        arguments: Box<RawValue>,
    },
    ToolSearchOutput {
        call_id: Cow<'a, str>,
        execution: &'static str,
        status: &'static str,
        tools: Vec<Tool<'a>>,
    },
}

pub(super) fn body<'a>(
    model: &'a str,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    let mut tools: Vec<Tool<'a>> = request.tools().iter().map(function).collect();
    tools.extend(request.search().map(|search| Tool::ToolSearch {
        execution: "client",
        description: search.description(),
        parameters: search.schema(),
    }));
    let mut input = Vec::new();
    for item in request.items() {
        match item {
            Item::User(text) => input.push(Input::Message {
                role: "user",
                content: text.into(),
            }),
            Item::Model(turn) => push_turn(&mut input, turn, request)?,
            Item::Results(results) => push_results(&mut input, results, request),
        }
    }
    let options = request.options();
    Ok(RequestBody {
        model,
        instructions: request.system(),
        tools,
        tool_choice: options.and_then(|options| choice(&options.tool_choice)),
        input,
        max_output_tokens: options.and_then(|options| options.max_output_tokens),
        temperature: options.and_then(|options| options.temperature),
        store: false,
        include: ["reasoning.encrypted_content"],
    })
}

fn function(tool: &Definition) -> Tool<'_> {
    Tool::Function {
        name: tool.name(),
        description: tool.description(),
        parameters: tool.schema(),
        strict: false,
    }
}

/// The definitions that a search brings: all flat, or each in its namespace. A conversation that
/// holds both is refused by the provider, so one grouped tool makes all namespaced.
fn found<'a>(loaded: impl Iterator<Item = &'a Definition>, request: &Request<'a>) -> Vec<Tool<'a>> {
    if !request.deferred().iter().any(|tool| tool.group().is_some()) {
        return loaded.map(function).collect();
    }
    let mut namespaces: Vec<(&str, Vec<Tool<'a>>)> = Vec::new();
    for tool in loaded {
        let name = namespace(tool);
        match namespaces.iter_mut().find(|(known, _)| *known == name) {
            Some((_, tools)) => tools.push(function(tool)),
            None => namespaces.push((name, vec![function(tool)])),
        }
    }
    namespaces
        .into_iter()
        .map(|(name, tools)| Tool::Namespace {
            name,
            description: name,
            tools,
        })
        .collect()
}

/// Where a loaded tool lives: in its group, or in a namespace of its own name.
fn namespace(tool: &Definition) -> &str {
    tool.group().unwrap_or(tool.name())
}

fn choice(choice: &ToolChoice) -> Option<Choice<'_>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Mode("none")),
        ToolChoice::Required => Some(Choice::Mode("required")),
        ToolChoice::Tool(name) => Some(Choice::Function {
            r#type: "function",
            name,
        }),
    }
}

fn push_turn<'a>(
    input: &mut Vec<Input<'a>>,
    turn: &'a ModelTurn,
    request: &Request<'a>,
) -> Result<(), ProtocolError> {
    if let Some(items) = turn.verbatim(ID) {
        input.extend(items.iter().map(|item| Input::Verbatim(item)));
        return Ok(());
    }
    for part in turn.parts() {
        match part {
            ModelPart::Text(text) => input.push(Input::Message {
                role: "assistant",
                content: text.into(),
            }),
            // Reasoning is signed by the provider that wrote it and means nothing to another.
            ModelPart::Reasoning(_) => {}
            ModelPart::Call(call) => input.push(Input::Typed(foreign_call(call, request)?)),
        }
    }
    Ok(())
}

/// A call that another provider's model made.
fn foreign_call<'a>(call: &'a ToolCall, request: &Request<'a>) -> Result<Typed<'a>, ProtocolError> {
    let call_id = portable(call.id());
    Ok(match call.kind() {
        CallKind::Search => Typed::ToolSearchCall {
            call_id,
            execution: "client",
            status: "completed",
            arguments: object_or_empty(call.arguments()).map_err(ProtocolError::Encode)?,
        },
        CallKind::Function => Typed::FunctionCall {
            call_id,
            name: call.name(),
            // A tool that was found by search lives in a namespace of its own name; without it the
            // provider looks in the default namespace and refuses the request.
            namespace: call
                .namespace()
                .or_else(|| request.find_deferred(call.name()).map(namespace)),
            arguments: call.arguments(),
        },
    })
}

/// The arguments of a search, which this protocol wants as an object.
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

fn push_results<'a>(input: &mut Vec<Input<'a>>, results: &'a [ToolResult], request: &Request<'a>) {
    let mut notes = String::new();
    for result in results {
        let call_id = portable(result.call_id());
        input.push(Input::Typed(match result.kind() {
            CallKind::Search => {
                let note = result.output().to_text();
                if !note.is_empty() {
                    if !notes.is_empty() {
                        notes.push('\n');
                    }
                    notes.push_str(&note);
                }
                Typed::ToolSearchOutput {
                    call_id,
                    execution: "client",
                    status: "completed",
                    tools: found(request.loaded_by(result), request),
                }
            }
            CallKind::Function => Typed::FunctionCallOutput {
                call_id,
                output: request.result_text(result),
            },
        }));
    }
    // A search output has room for definitions alone. What else there is to say about a search
    // follows when all calls have their outputs.
    if !notes.is_empty() {
        input.push(Input::Message {
            role: "developer",
            content: notes.into(),
        });
    }
}
