//! From a neutral request to the JSON of Gemini.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Gemini, ID, decode::Part as WirePart};
use crate::{
    conversation::{Item, ModelPart, ModelTurn, ToolResult, UserMessage},
    protocol::{
        Effort, Protocol, ProtocolError, Request, ToolChoice,
        dialect::Dialect,
        images::{Image, Shown},
        raw::object_or_empty,
    },
};

/// What the provider takes in place of a signature on a call that another model made.
const FOREIGN_SIGNATURE: &str = "skip_thought_signature_validator";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<System<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tools<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    contents: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generation_config: Option<GenerationConfig>,
}

#[derive(Serialize)]
struct System<'a> {
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: &'a RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    function_calling_config: CallingConfig<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallingConfig<'a> {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_function_names: Option<[&'a str; 1]>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<Thinking>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Thinking {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    include_thoughts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

/// A part: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Verbatim(&'a RawValue),
    Text {
        text: &'a str,
    },
    #[serde(rename_all = "camelCase")]
    Image {
        inline_data: Blob<'a>,
    },
    #[serde(rename_all = "camelCase")]
    Call {
        function_call: Call<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<&'static str>,
    },
    #[serde(rename_all = "camelCase")]
    Response {
        function_response: FunctionResponse<'a>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Blob<'a> {
    mime_type: &'a str,
    data: &'a str,
}

#[derive(Serialize)]
struct Call<'a> {
    name: Cow<'a, str>,
    args: Box<RawValue>,
}

#[derive(Serialize)]
struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: Cow<'a, str>,
    response: Outcome,
}

/// Always an object, and its text always a text: JSON with `$ref` in it would be followed.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Output(String),
    Error(String),
}

pub(super) fn body<'a>(
    gemini: &'a Gemini,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    let mut declarations = Vec::new();
    for tool in request.offered() {
        tool.check_name(ID, 128, ".:")?;
        if tool
            .name()
            .starts_with(|c: char| !c.is_ascii_alphabetic() && c != '_')
        {
            return Err(ProtocolError::Tool {
                protocol: ID,
                tool: tool.name().to_owned(),
                problem: "a name begins with a letter or `_`; rename it".to_owned(),
            });
        }
        let (parameters_json_schema, _) = tool.fit(Dialect::Gemini, ID)?;
        declarations.push(Declaration {
            name: tool.name(),
            description: tool.description(),
            parameters_json_schema,
        });
    }
    let mut contents: Vec<Content<'a>> = Vec::new();
    let mut calls = Vec::new();
    let mut own = false;
    for item in request.items() {
        match item {
            Item::User(message) => push(&mut contents, "user", said(message)),
            Item::Model(turn) => {
                calls = wire_calls(turn);
                own = turn.verbatim(ID).is_some();
                let parts = turn_parts(turn, request)?;
                push(&mut contents, "model", parts);
            }
            Item::Results(results) => {
                let parts = result_parts(results, &calls, own, request);
                push(&mut contents, "user", parts);
            }
        }
    }
    let options = request.options();
    let choice = options.map_or(&ToolChoice::Auto, |options| &options.tool_choice);
    let tool_config = tool_config(choice).filter(|_| !declarations.is_empty());
    let config = options.map(|options| GenerationConfig {
        max_output_tokens: options.max_output_tokens,
        temperature: options.temperature,
        thinking_config: options
            .reasoning
            .and_then(|effort| thinking(gemini.model(), effort)),
    });
    let says_something = |config: &GenerationConfig| {
        config.max_output_tokens.is_some()
            || config.temperature.is_some()
            || config.thinking_config.is_some()
    };
    Ok(RequestBody {
        system_instruction: (!request.system().is_empty()).then(|| System {
            parts: [Part::Text {
                text: request.system(),
            }],
        }),
        tools: if declarations.is_empty() {
            Vec::new()
        } else {
            vec![Tools {
                function_declarations: declarations,
            }]
        },
        tool_config,
        contents,
        generation_config: config.filter(says_something),
    })
}

/// Neighbours of one role are one content.
fn push<'a>(
    contents: &mut Vec<Content<'a>>,
    role: &'static str,
    parts: impl IntoIterator<Item = Part<'a>>,
) {
    let mut parts = parts.into_iter().peekable();
    if parts.peek().is_none() {
        return;
    }
    match contents.last_mut() {
        Some(last) if last.role == role => last.parts.extend(parts),
        _ => contents.push(Content {
            role,
            parts: parts.collect(),
        }),
    }
}

fn tool_config(choice: &ToolChoice) -> Option<ToolConfig<'_>> {
    let (mode, name) = match choice {
        ToolChoice::Auto => return None,
        ToolChoice::None => ("NONE", None),
        ToolChoice::Required => ("ANY", None),
        ToolChoice::Tool(name) => ("ANY", Some([name.as_str()])),
    };
    Some(ToolConfig {
        function_calling_config: CallingConfig {
            mode,
            allowed_function_names: name,
        },
    })
}

/// The third generation takes a level, the second a number of tokens; those before them do not think.
/// Where thinking cannot be switched off, the least is asked for.
fn thinking(model: &str, effort: Effort) -> Option<Thinking> {
    let is = |names: &[&str]| names.iter().any(|name| model.contains(name));
    if is(&["gemini-1", "gemini-2.0"]) {
        return None;
    }
    let by_budget = is(&["gemini-2"]);
    let always = is(&["2.5-pro", "gemini-3-pro"]);
    let (level, budget) = match effort {
        Effort::None if always => ("low", 128),
        Effort::None => ("minimal", 0),
        Effort::Low => ("low", 1024),
        // It knows two levels.
        Effort::Medium if is(&["gemini-3-pro"]) => ("high", 8192),
        Effort::Medium => ("medium", 8192),
        Effort::High => ("high", 24_576),
    };
    Some(Thinking {
        include_thoughts: effort != Effort::None,
        thinking_level: (!by_budget).then_some(level),
        thinking_budget: by_budget.then_some(budget),
    })
}

/// The calls of a turn that this provider wrote: the identifier, where it gave one.
fn wire_calls(turn: &ModelTurn) -> Vec<Option<String>> {
    let parts = turn.verbatim(ID).unwrap_or_default().iter();
    let calls = parts.filter_map(|part| {
        let part: WirePart<'_> = serde_json::from_str(part.get()).ok()?;
        let id = part.function_call?.id.0;
        Some((!id.is_empty()).then(|| id.into_owned()))
    });
    calls.collect()
}

fn turn_parts<'a>(
    turn: &'a ModelTurn,
    request: &Request<'a>,
) -> Result<Vec<Part<'a>>, ProtocolError> {
    if let Some(parts) = turn.verbatim(ID) {
        return Ok(parts.iter().map(|part| Part::Verbatim(part)).collect());
    }
    let mut parts = Vec::new();
    let mut first = true;
    for part in turn.parts() {
        match part {
            ModelPart::Text(text) if text.is_empty() => {}
            ModelPart::Text(text) => parts.push(Part::Text { text }),
            // Reasoning is signed by the provider that wrote it and means nothing to another.
            ModelPart::Reasoning(_) => {}
            ModelPart::Call(call) => {
                let (name, arguments) = request.called(call);
                parts.push(Part::Call {
                    function_call: Call {
                        name,
                        args: object_or_empty(&arguments).map_err(ProtocolError::Encode)?,
                    },
                    // The first call of a step has a signature; on the others it does harm.
                    thought_signature: std::mem::take(&mut first).then_some(FOREIGN_SIGNATURE),
                });
            }
        }
    }
    Ok(parts)
}

fn result_parts<'a>(
    results: &'a [ToolResult],
    calls: &[Option<String>],
    own: bool,
    request: &Request<'a>,
) -> Vec<Part<'a>> {
    let responses = results.iter().enumerate().map(|(index, result)| {
        let text = request.result_text(result);
        // A call that came without an identifier is answered without one.
        let id = calls.get(index).and_then(Option::as_deref);
        Part::Response {
            function_response: FunctionResponse {
                id: id.map(|_| result.call_id()),
                name: request.answered(result, own),
                response: if result.is_failed() {
                    Outcome::Error(text)
                } else {
                    Outcome::Output(text)
                },
            },
        }
    });
    let mut parts: Vec<Part<'a>> = responses.collect();
    let images = results.iter().flat_map(|result| Image::of(result.output()));
    parts.extend(images.map(image_part));
    parts
}

/// A message without a part would be none, and two of the model's would stand side by side.
fn said(message: &UserMessage) -> Vec<Part<'_>> {
    if message.parts().is_empty() {
        return vec![Part::Text { text: "" }];
    }
    let parts = Shown::of(message.parts()).map(|part| match part {
        Shown::Text(text) => Part::Text { text },
        Shown::Image(image) => image_part(image),
    });
    parts.collect()
}

fn image_part(image: Image<'_>) -> Part<'_> {
    Part::Image {
        inline_data: Blob {
            mime_type: image.media_type,
            data: image.data,
        },
    }
}
