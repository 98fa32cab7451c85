//! From a neutral request to the JSON of Anthropic Messages.

use std::borrow::Cow;

use super::{Anthropic, CacheTime, wire::*};
use crate::{
    conversation::{CallKind, Item, ModelPart, ModelTurn, ToolResult, UserMessage},
    protocol::{
        Definition, Effort, Protocol, ProtocolError, Request, Reveal, ToolChoice,
        dialect::Dialect,
        ids::portable,
        images::{Image, Shown},
        raw::object_or_empty,
    },
};

/// The fewest tokens that a model can be told to think.
const LEAST_BUDGET: u32 = 1024;
/// The most strict tools of a request.
const MOST_STRICT: usize = 20;
/// The most members that may be left out, in all strict tools together.
const MOST_OPTIONAL: usize = 24;
/// The most members of several types, in all strict tools together.
const MOST_UNIONS: usize = 16;

pub(super) fn body<'a>(
    protocol: &'a Anthropic,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    // A reference without a search tool would leave no tool that is shown from the start.
    let native = protocol.has_references() && request.search().is_some();
    let request = if native {
        &request.with_reveal(Reveal::Append)
    } else {
        request
    };
    let id = protocol.name();
    let cache = protocol.cache_time().map(cache_control);
    let tools = tools(id, request, native, cache)?;
    let mut messages = Messages::default();
    let mut own = false;
    for item in request.items() {
        match item {
            Item::User(message) => {
                let said = said(message).into_iter();
                said.for_each(|block| messages.push("user", Block::Typed(block)));
            }
            Item::Model(turn) => {
                own = turn.verbatim(id).is_some();
                push_turn(&mut messages, turn, id, request)?;
            }
            Item::Results(results) => {
                for result in results {
                    let call_id = if own {
                        result.call_id().into()
                    } else {
                        portable(result.call_id())
                    };
                    let result = tool_result(result, call_id, request, native);
                    messages.push("user", Block::Typed(result));
                }
            }
        }
    }
    let options = request.options();
    let effort = options.and_then(|options| options.reasoning);
    let tool_choice = options
        .filter(|_| !tools.is_empty())
        .and_then(|options| choice(&options.tool_choice));
    let (mut thinking, output_config) = thinking(protocol, effort);
    let limit = options.and_then(|options| options.max_output_tokens);
    // What is thought counts too, and has to leave room for an answer.
    if let (Some(Thinking::Enabled { budget_tokens }), Some(limit)) = (&mut thinking, limit) {
        *budget_tokens = (*budget_tokens).min(limit.saturating_sub(1));
        if *budget_tokens < LEAST_BUDGET {
            return Err(ProtocolError::Unsupported {
                protocol: id,
                problem: format!(
                    "thinking takes at least {LEAST_BUDGET} tokens and `max_output_tokens` is \
                     {limit}; raise it or leave `reasoning` out"
                ),
            });
        }
    }
    let thinks = matches!(
        thinking,
        Some(Thinking::Adaptive | Thinking::Enabled { .. })
    );
    if thinks && matches!(tool_choice, Some(Choice::Any | Choice::Tool { .. })) {
        return Err(ProtocolError::Unsupported {
            protocol: id,
            problem: "a model that thinks cannot be forced to call a tool; leave `reasoning` or \
                      `tool_choice` out"
                .to_owned(),
        });
    }
    let temperature = options.and_then(|options| options.temperature);
    if let Some(heat) = temperature.filter(|heat| *heat > 1.0 || (thinks && *heat != 1.0)) {
        return Err(ProtocolError::Unsupported {
            protocol: id,
            problem: match thinks {
                true => format!(
                    "a model that thinks takes no `temperature` but 1, and it is {heat}; leave it or \
                     `reasoning` out"
                ),
                false => {
                    format!("`temperature` is {heat} and may be 0 to 1; change it, or leave it out")
                }
            },
        });
    }
    let budget = match thinking {
        Some(Thinking::Enabled { budget_tokens }) => budget_tokens,
        _ => 0,
    };
    Ok(RequestBody {
        model: protocol.model(),
        max_tokens: limit.unwrap_or(protocol.max_tokens() + budget),
        system: match (request.system(), cache) {
            ("", _) => None,
            (text, None) => Some(System::Text(text)),
            (text, Some(cache_control)) => Some(System::Blocks([SystemBlock {
                r#type: "text",
                text,
                cache_control,
            }])),
        },
        tools,
        tool_choice,
        messages: messages.0,
        temperature,
        thinking,
        output_config,
        stream: request.stream(),
    })
}

fn cache_control(time: CacheTime) -> CacheControl {
    CacheControl {
        r#type: "ephemeral",
        ttl: match time {
            CacheTime::FiveMinutes => None,
            CacheTime::OneHour => Some("1h"),
        },
    }
}

/// All tools. The cache mark stands on the last that is shown from the start: on a deferred one
/// the provider refuses it.
fn tools<'a>(
    id: &'static str,
    request: &Request<'a>,
    native: bool,
    cache: Option<CacheControl>,
) -> Result<Vec<Tool<'a>>, ProtocolError> {
    let shown = request.tools().iter().chain(request.search());
    let count = shown.clone().count();
    let (appended, deferred) = if native {
        (Vec::new(), request.deferred())
    } else {
        (request.appended(), &[][..])
    };
    let all = shown.chain(appended).map(|tool| (tool, false));
    let all = all.chain(deferred.iter().map(|tool| (tool, true)));
    let mut room = Room::default();
    let mut tools = Vec::new();
    for (index, (tool, defer_loading)) in all.enumerate() {
        tool.check_name(id, 128, "")?;
        let (input_schema, fitted) = tool.fit_strict(Some(Dialect::AnthropicStrict), id)?;
        if fitted.strict {
            room.take(id, tool, fitted.optional, fitted.unions)?;
        }
        tools.push(Tool {
            name: tool.name(),
            description: tool.description(),
            input_schema,
            strict: fitted.strict,
            defer_loading,
            cache_control: cache.filter(|_| index + 1 == count),
        });
    }
    Ok(tools)
}

/// What strict tools take of a request's room.
#[derive(Default)]
struct Room {
    strict: usize,
    optional: usize,
    unions: usize,
}

impl Room {
    fn take(
        &mut self,
        protocol: &'static str,
        tool: &Definition,
        optional: usize,
        unions: usize,
    ) -> Result<(), ProtocolError> {
        self.strict += 1;
        self.optional += optional;
        self.unions += unions;
        let limits = [
            (self.strict, MOST_STRICT, "strict tools"),
            (
                self.optional,
                MOST_OPTIONAL,
                "optional members in strict tools",
            ),
            (
                self.unions,
                MOST_UNIONS,
                "members of several types in strict tools",
            ),
        ];
        match limits.into_iter().find(|(count, most, _)| count > most) {
            None => Ok(()),
            Some((count, most, what)) => Err(ProtocolError::Tool {
                protocol,
                tool: tool.name().to_owned(),
                problem: format!(
                    "with it the request has {count} {what} and {most} are allowed, deferred ones \
                     included; take `strict` off some tools"
                ),
            }),
        }
    }
}

/// Models that know `adaptive` think as they see fit; those before them get a budget.
fn thinking(
    protocol: &Anthropic,
    effort: Option<Effort>,
) -> (Option<Thinking>, Option<OutputConfig>) {
    let Some(effort) = effort else {
        return (None, None);
    };
    if effort == Effort::None {
        return (Some(Thinking::Disabled), None);
    }
    if protocol.thinks_by_budget() {
        let budget_tokens = match effort {
            Effort::High => 16_384,
            Effort::Medium => 8192,
            _ => 2048,
        };
        return (Some(Thinking::Enabled { budget_tokens }), None);
    }
    let config = OutputConfig {
        effort: effort.word(),
    };
    (Some(Thinking::Adaptive), Some(config))
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

fn push_turn<'a>(
    messages: &mut Messages<'a>,
    turn: &'a ModelTurn,
    id: &str,
    request: &Request<'a>,
) -> Result<(), ProtocolError> {
    if let Some(blocks) = turn.verbatim(id) {
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
            ModelPart::Call(call) => {
                let (name, arguments) = request.called(call);
                let call = Typed::ToolUse {
                    id: portable(call.id()),
                    name,
                    input: object_or_empty(&arguments).map_err(ProtocolError::Encode)?,
                };
                messages.push("assistant", Block::Typed(call));
            }
        }
    }
    Ok(())
}

/// The provider refuses text without a visible character, and a message without a block.
fn said(message: &UserMessage) -> Vec<Typed<'_>> {
    let parts = Shown::of(message.parts()).filter_map(|part| match part {
        Shown::Text(text) if text.trim().is_empty() => None,
        Shown::Text(text) => Some(Typed::Text { text: text.into() }),
        Shown::Image(image) => Some(image_block(image)),
    });
    let mut blocks: Vec<Typed<'_>> = parts.collect();
    if blocks.is_empty() {
        let text = "(empty)".into();
        blocks.push(Typed::Text { text });
    }
    blocks
}

fn image_block(image: Image<'_>) -> Typed<'_> {
    Typed::Image {
        source: Source {
            r#type: "base64",
            media_type: image.media_type,
            data: image.data,
        },
    }
}

fn tool_result<'a>(
    result: &'a ToolResult,
    tool_use_id: Cow<'a, str>,
    request: &Request<'a>,
    native: bool,
) -> Typed<'a> {
    let images: Vec<Typed<'a>> = Image::of(result.output()).map(image_block).collect();
    let references: Vec<Typed<'a>> = if native {
        let loaded = request.loaded_by(result).map(Definition::name);
        loaded
            .map(|tool_name| Typed::ToolReference { tool_name })
            .collect()
    } else {
        Vec::new()
    };
    // References and an error do not go together.
    let is_error = result.is_failed() && references.is_empty();
    let text = if references.is_empty() {
        request.result_text(result)
    } else {
        result.output().to_text()
    };
    let content = if images.is_empty() && references.is_empty() {
        ResultContent::Text(text)
    } else {
        let text = (!text.trim().is_empty()).then(|| Typed::Text { text: text.into() });
        // The answer to a search leads with what was found; a skill leads with its text.
        ResultContent::Blocks(match result.kind() {
            CallKind::Search => references.into_iter().chain(text).chain(images).collect(),
            CallKind::Function => text.into_iter().chain(images).chain(references).collect(),
        })
    };
    Typed::ToolResult {
        tool_use_id,
        content,
        is_error,
    }
}
