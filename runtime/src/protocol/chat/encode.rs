//! From a neutral request to the JSON of Chat Completions.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    Chat,
    vendor::{Profile, ReasoningKey},
};
use crate::{
    conversation::{Item, ModelPart, ModelTurn, ToolResult, UserMessage},
    protocol::{
        Definition, Effort, Protocol, ProtocolError, Request, ToolChoice,
        dialect::Dialect,
        function::FunctionTool,
        ids::{nine_letters, portable_within},
        images::{Image, Shown},
        raw::object_or_empty,
    },
    tool::Part,
};

/// What stands before images that tools returned.
pub(crate) const IMAGES_OF_RESULTS: &str = "Images of the results above:";

/// The longest identifier of a call that OpenAI takes here.
const LONGEST_ID: usize = 40;

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<FunctionTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_thinking: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct Thinking {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Reasoning {
    effort: &'static str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Mode(&'static str),
    Function {
        r#type: &'static str,
        function: Named<'a>,
    },
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
}

/// A message: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
enum Message<'a> {
    Verbatim(&'a RawValue),
    Said {
        role: &'static str,
        content: Cow<'a, str>,
    },
    Shown {
        role: &'static str,
        content: Vec<ContentPart<'a>>,
    },
    Assistant {
        role: &'static str,
        content: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Result {
        role: &'static str,
        tool_call_id: Cow<'a, str>,
        content: String,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ContentPart<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: Url },
}

#[derive(Serialize)]
struct Url {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

pub(super) fn body<'a>(
    chat: &'a Chat,
    profile: &'static Profile,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    let mut tools = Vec::new();
    for definition in request.offered() {
        tools.push(tool(definition, profile)?);
    }
    let has_tools = !tools.is_empty();
    let mut messages = Vec::with_capacity(request.items().len() + 1);
    if !request.system().is_empty() {
        messages.push(Message::Said {
            role: "system",
            content: request.system().into(),
        });
    }
    let mut verbatim = false;
    for item in request.items() {
        match item {
            Item::User(message) => messages.push(said(message)),
            Item::Model(turn) => {
                verbatim = turn.verbatim(profile.id).is_some();
                push_turn(&mut messages, turn, profile, request, has_tools);
            }
            Item::Results(results) => {
                push_results(&mut messages, results, profile, request, verbatim)
            }
        }
    }
    let options = request.options();
    let limit = options.and_then(|options| options.max_output_tokens);
    let effort = options.and_then(|options| options.reasoning);
    let choice = options.map_or(&ToolChoice::Auto, |options| &options.tool_choice);
    let forced = matches!(choice, ToolChoice::Required | ToolChoice::Tool(_));
    let mut body = RequestBody {
        model: chat.model(),
        messages,
        tools,
        tool_choice: None,
        parallel_tool_calls: (profile.ask_parallel && has_tools).then_some(true),
        max_tokens: limit.filter(|_| !profile.new_token_limit),
        max_completion_tokens: limit.filter(|_| profile.new_token_limit),
        temperature: options.and_then(|options| options.temperature),
        reasoning_effort: None,
        thinking: None,
        enable_thinking: None,
        reasoning: None,
        prompt_cache_key: chat.cache_key(),
        stream: request.stream(),
        stream_options: (request.stream() && profile.stream_options).then_some(StreamOptions {
            include_usage: true,
        }),
    };
    if has_tools {
        body.tool_choice = tool_choice(choice, profile)?;
    }
    body.set_reasoning(effort, profile, forced && has_tools)?;
    Ok(body)
}

impl RequestBody<'_> {
    fn set_reasoning(
        &mut self,
        effort: Option<Effort>,
        profile: &Profile,
        forced: bool,
    ) -> Result<(), ProtocolError> {
        let word = effort.map(Effort::word);
        let thinks = !matches!(effort, Some(Effort::None));
        match profile.reasoning {
            ReasoningKey::Effort => self.reasoning_effort = word,
            ReasoningKey::Object => self.reasoning = word.map(|effort| Reasoning { effort }),
            ReasoningKey::Enable => self.enable_thinking = effort.map(|_| thinks),
            ReasoningKey::Thinking => {
                if forced && effort.is_some() && thinks {
                    return Err(ProtocolError::Unsupported {
                        protocol: profile.id,
                        problem: "a model that thinks cannot be forced to call a tool; leave \
                                  `reasoning` or `tool_choice` out"
                            .to_owned(),
                    });
                }
                // The model thinks unless it is told not to.
                let kind = match (forced || !thinks, effort) {
                    (true, _) => Some("disabled"),
                    (false, Some(_)) => Some("enabled"),
                    (false, None) => None,
                };
                self.thinking = kind.map(|r#type| Thinking { r#type });
                self.reasoning_effort = word.filter(|_| thinks);
            }
            ReasoningKey::None if effort.is_some() && thinks => {
                return Err(ProtocolError::Unsupported {
                    protocol: profile.id,
                    problem:
                        "it has no word for `reasoning`; leave it out, and choose by the model"
                            .to_owned(),
                });
            }
            ReasoningKey::None => {}
        }
        Ok(())
    }
}

fn tool<'a>(
    definition: &'a Definition,
    profile: &Profile,
) -> Result<FunctionTool<'a>, ProtocolError> {
    definition.check_name(profile.id, 64, "")?;
    let mode = profile.strict.then_some(Dialect::OpenAiStrict);
    let (parameters, fitted) = definition.fit_strict(mode, profile.id)?;
    Ok(FunctionTool::new(definition, parameters, fitted.strict))
}

fn tool_choice<'a>(
    choice: &'a ToolChoice,
    profile: &Profile,
) -> Result<Option<Choice<'a>>, ProtocolError> {
    let choice = match choice {
        ToolChoice::Auto => return Ok(None),
        ToolChoice::None => Choice::Mode("none"),
        ToolChoice::Required => Choice::Mode(profile.required),
        ToolChoice::Tool(name) => Choice::Function {
            r#type: "function",
            function: Named { name },
        },
    };
    if !profile.tool_choice {
        return Err(ProtocolError::Unsupported {
            protocol: profile.id,
            problem: "it has no `tool_choice`; leave it at `Auto`".to_owned(),
        });
    }
    Ok(Some(choice))
}

fn push_turn<'a>(
    messages: &mut Vec<Message<'a>>,
    turn: &'a ModelTurn,
    profile: &Profile,
    request: &Request<'a>,
    has_tools: bool,
) {
    if let Some(items) = turn.verbatim(profile.id) {
        messages.extend(items.iter().map(|item| Message::Verbatim(item)));
        return;
    }
    let text = turn.text();
    let calls: Vec<Call<'a>> = turn
        .calls()
        .map(|call| {
            let (name, arguments) = request.called(call);
            let arguments = match object_or_empty(&arguments) {
                Ok(object) if object.get() != arguments.trim() => object.get().to_owned().into(),
                _ => arguments,
            };
            Call {
                id: foreign_id(call.id(), profile),
                r#type: "function",
                function: Called { name, arguments },
            }
        })
        .collect();
    if text.is_empty() && calls.is_empty() {
        return;
    }
    // Reasoning is signed by the provider that wrote it and means nothing to another, except where
    // a turn without it is refused.
    let reasoning_content = (profile.reasoning_required && has_tools).then(|| {
        let thoughts = turn.parts().iter().filter_map(|part| match part {
            ModelPart::Reasoning(text) => Some(text.as_str()),
            _ => None,
        });
        thoughts.collect::<Vec<_>>().join("\n")
    });
    messages.push(Message::Assistant {
        role: "assistant",
        content: (!text.is_empty() || !profile.null_content).then_some(text),
        reasoning_content,
        tool_calls: calls,
    });
}

fn push_results<'a>(
    messages: &mut Vec<Message<'a>>,
    results: &'a [ToolResult],
    profile: &Profile,
    request: &Request<'a>,
    verbatim: bool,
) {
    let mut images = Vec::new();
    for result in results {
        messages.push(Message::Result {
            role: "tool",
            tool_call_id: if verbatim {
                result.call_id().into()
            } else {
                foreign_id(result.call_id(), profile)
            },
            content: request.result_text(result),
        });
        images.extend(Image::of(result.output()));
    }
    // A result has room for text alone; what there is to see follows in the user's name.
    if !images.is_empty() {
        let mut content = vec![ContentPart::Text {
            text: IMAGES_OF_RESULTS,
        }];
        content.extend(images.into_iter().map(image_part));
        messages.push(Message::Shown {
            role: "user",
            content,
        });
    }
}

/// Many hosts take a list of parts only where there are images in it.
fn said(message: &UserMessage) -> Message<'_> {
    let role = "user";
    if Image::among(message.parts()).next().is_none() {
        let content = match message.parts() {
            [Part::Text(text)] => text.into(),
            _ => message.to_text().into(),
        };
        return Message::Said { role, content };
    }
    let content = Shown::of(message.parts()).map(|part| match part {
        Shown::Text(text) => ContentPart::Text { text },
        Shown::Image(image) => image_part(image),
    });
    Message::Shown {
        role,
        content: content.collect(),
    }
}

fn image_part(image: Image<'_>) -> ContentPart<'static> {
    ContentPart::ImageUrl {
        image_url: Url {
            url: image.data_url(),
        },
    }
}

fn foreign_id<'a>(id: &'a str, profile: &Profile) -> Cow<'a, str> {
    if profile.nine_letter_ids {
        nine_letters(id)
    } else {
        portable_within(id, LONGEST_ID)
    }
}
