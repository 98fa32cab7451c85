//! The JSON of a request to Anthropic Messages.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    pub(super) model: &'a str,
    pub(super) max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system: Option<System<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<Choice<'a>>,
    pub(super) messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum System<'a> {
    Text(&'a str),
    Blocks([SystemBlock<'a>; 1]),
}

#[derive(Serialize)]
pub(super) struct SystemBlock<'a> {
    pub(super) r#type: &'static str,
    pub(super) text: &'a str,
    pub(super) cache_control: CacheControl,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct CacheControl {
    pub(super) r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ttl: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Thinking {
    Disabled,
    Adaptive,
    Enabled { budget_tokens: u32 },
}

#[derive(Serialize)]
pub(super) struct OutputConfig {
    pub(super) effort: &'static str,
}

#[derive(Serialize)]
pub(super) struct Tool<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) strict: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) defer_loading: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Choice<'a> {
    None,
    Any,
    Tool { name: &'a str },
}

#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) role: &'static str,
    pub(super) content: Vec<Block<'a>>,
}

/// A content block: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Block<'a> {
    Verbatim(&'a RawValue),
    Typed(Typed<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Typed<'a> {
    Text {
        text: Cow<'a, str>,
    },
    Image {
        source: Source<'a>,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
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
pub(super) struct Source<'a> {
    pub(super) r#type: &'static str,
    pub(super) media_type: &'a str,
    pub(super) data: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ResultContent<'a> {
    Text(String),
    Blocks(Vec<Typed<'a>>),
}
