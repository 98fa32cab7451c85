//! The JSON of a request to OpenAI Responses.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    pub(super) model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) instructions: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<Choice<'a>>,
    pub(super) input: Vec<Input<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt_cache_key: Option<&'a str>,
    pub(super) store: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) include: &'static [&'static str],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
}

#[derive(Serialize)]
pub(super) struct Reasoning {
    pub(super) effort: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, reason = "the provider's words")]
pub(super) enum Tool<'a> {
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
pub(super) enum Choice<'a> {
    Mode(&'static str),
    Function { r#type: &'static str, name: &'a str },
}

/// An input item: one of ours, or one that the provider wrote.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Input<'a> {
    Verbatim(&'a RawValue),
    Patched(Box<RawValue>),
    Message {
        role: &'static str,
        content: Content<'a>,
    },
    Typed(Typed<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Typed<'a> {
    FunctionCall {
        call_id: Cow<'a, str>,
        name: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<&'a str>,
        arguments: Cow<'a, str>,
    },
    FunctionCallOutput {
        call_id: Cow<'a, str>,
        output: Content<'a>,
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
    AdditionalTools {
        role: &'static str,
        tools: Vec<Tool<'a>>,
    },
}

/// What a user said or a tool returned: text, or a list when there are images too.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, reason = "the provider's words")]
pub(super) enum ContentPart<'a> {
    InputText {
        text: Cow<'a, str>,
    },
    InputImage {
        image_url: String,
        // The provider's own types demand it in what a user says.
        detail: &'static str,
    },
}
